import circus from 'jest-circus/runner';
import { withSequentialContext } from './sequential-context.mjs';

/** Test runner of Jest (`testRunner`) that runs each file in a context of its own, as Jest does, with a cheaper Circus. */
export default function runIsolated(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  const load = runtime.requireInternalModule.bind(runtime);
  runtime.requireInternalModule = (...args) => withSequentialContext(() => load(...args));
  return circus.default(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
}
