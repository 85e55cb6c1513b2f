import asyncHooks from 'node:async_hooks';
import circus from 'jest-circus/runner';

/** Test runner of Jest (`testRunner`): its own Circus, which leaves nothing on in the process for the next file. */
export default function runWithCircus(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  return endStorages(runtime, () =>
    circus.default(globalConfig, config, environment, runtime, testPath, sendMessageToJest),
  );
}

/**
 * Ends the storages of the modules that `work` loads with the runtime. Circus keeps the current test in one, and is loaded
 * anew for each file. Node 20 and 22 visit each storage at each promise: those of 72 earlier files took a third of the CPU time.
 */
export async function endStorages(runtime, work) {
  const storages = [];
  class EndedStorage extends asyncHooks.AsyncLocalStorage {
    constructor() {
      super();
      storages.push(this);
    }
  }
  const load = runtime.requireInternalModule.bind(runtime);
  runtime.requireInternalModule = (...module) => {
    // From Node 22 on it has only a getter.
    const before = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value: EndedStorage, configurable: true });
    try {
      return load(...module);
    } finally {
      // A module may load others, and then make its storage.
      Object.defineProperty(asyncHooks, 'AsyncLocalStorage', before);
    }
  };
  try {
    return await work();
  } finally {
    for (const storage of storages) storage.disable();
  }
}
