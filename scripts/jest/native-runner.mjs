import { readFile } from 'node:fs/promises';
import { createRequire, findSourceMap, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import runWithCircus from './circus-runner.mjs';

const require = createRequire(import.meta.url);

register('../testing/typescript-hooks.mjs', import.meta.url);
process.setSourceMapsEnabled(true);

/**
 * Test runner of Jest (`testRunner`) that imports test files as native modules. The files of one worker share all modules
 * but those of tests. Jest's own modules are loaded anew for each file: three seconds for the server. Files that import
 * `@jest/globals` get those, because mocks of modules and of timers need them.
 */
export default async function runNatively(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  const source = await readFile(testPath, 'utf8');
  if (source.includes("'@jest/globals'")) {
    return runWithCircus(globalConfig, config, environment, runtime, testPath, sendMessageToJest);
  }
  const { console } = globalThis;
  globalThis.console = environment.global.console;
  // Functions and spies, without mocks of modules and of timers.
  const mocker = new environment.moduleMocker.constructor(globalThis);
  globalThis.jest = mocker;
  files += 1;
  // Jest's own formatter has no source maps of native modules.
  Error.prepareStackTrace = formatStack;
  try {
    const native = { global: globalThis };
    return await runWithCircus(globalConfig, config, native, { ...nativeRuntime }, testPath, sendMessageToJest);
  } finally {
    globalThis.console = console;
    // A test that fails leaves its spies, which the next file would see.
    mocker.restoreAllMocks();
    removeCircus();
  }
}

/** Number of test files that this process has run. */
let files = 0;

/** The part of Jest's runtime that Circus calls. */
const nativeRuntime = {
  requireInternalModule: (path) => {
    // Circus keeps the tests of a file in its module, so each file needs a new copy of it.
    delete require.cache[path];
    return require(path);
  },
  requireModule: require,
  setGlobalsForRuntime: () => undefined,
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path) => import(`${pathToFileURL(path).href}?file=${files}`),
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
};

/** Removes the globals of Circus: handlers would see the next file, and its tests would stay in memory. */
function removeCircus() {
  const own = Object.getOwnPropertySymbols(globalThis);
  for (const symbol of own.filter(({ description }) =>
    /^(EVENT_HANDLERS|JEST_STATE_SYMBOL)$/.test(description ?? ''),
  )) {
    delete globalThis[symbol];
  }
}

/** Formats a stack as V8 does, with positions in the sources. Jest drops the anonymous frames of Node's formatter. */
function formatStack(error, frames) {
  const own = frames.filter((frame) => frame.getScriptNameOrSourceURL() !== import.meta.url);
  return [Error.prototype.toString.call(error), ...own.map((frame) => `    at ${formatFrame(frame)}`)].join('\n');
}

function formatFrame(frame) {
  const text = frame
    .toString()
    .replace('file://', '')
    .replace(/\?file=\d+/, '');
  const map = findSourceMap(frame.getScriptNameOrSourceURL() ?? '');
  const origin = map?.findOrigin(frame.getLineNumber(), frame.getColumnNumber());
  if (origin?.lineNumber === undefined) return text;
  return text.replace(/:\d+:\d+(?=\)?$)/, `:${origin.lineNumber}:${origin.columnNumber}`);
}
