import asyncHooks from 'node:async_hooks';
import { endStorages } from './circus-runner.mjs';

describe('a run of a test file', () => {
  it('ends the storages of the modules that it loads, also when it fails', async () => {
    const { AsyncLocalStorage } = asyncHooks;
    const others = new AsyncLocalStorage();
    others.enterWith('of others');
    for (const fails of [false, true]) {
      const runtime = {
        requireInternalModule: (name, other = '') => {
          if (other !== '') runtime.requireInternalModule(other);
          return new asyncHooks.AsyncLocalStorage();
        },
      };
      let storage;
      const run = endStorages(runtime, async () => {
        storage = runtime.requireInternalModule('circus', 'a module of circus');
        storage.enterWith('a test');
        if (fails) throw new Error('no tests');
      });
      await run.catch(() => undefined);
      expect(storage.getStore()).toBeUndefined();
      expect(asyncHooks.AsyncLocalStorage).toBe(AsyncLocalStorage);
    }
    expect(others.getStore()).toBe('of others');
    others.disable();
  });
});
