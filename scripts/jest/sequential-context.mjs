import { createRequire } from 'node:module';

const asyncHooks = createRequire(import.meta.url)('node:async_hooks');

/** The `AsyncLocalStorage` of Circus, for tests that run one after the other. */
class SequentialContext {
  #current;

  getStore() {
    return this.#current;
  }

  async run(store, callback) {
    const outer = this.#current;
    this.#current = store;
    try {
      return await callback();
    } finally {
      this.#current = outer;
    }
  }
}

/**
 * Loads Circus without `AsyncLocalStorage`. From the first use of the real one on, Node 20 tracks every promise of the
 * process, which was 7 % of the CPU time of tests.
 */
export function withSequentialContext(load) {
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = SequentialContext;
  try {
    return load();
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}
