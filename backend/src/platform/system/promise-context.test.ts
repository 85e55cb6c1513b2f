import { setImmediate, setTimeout } from 'node:timers/promises';
import { promiseHooks } from 'node:v8';
import { jest } from '@jest/globals';
import { PromiseContext } from './promise-context.js';

function deferred() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

describe('PromiseContext', () => {
  const context = new PromiseContext<string>();

  afterEach(() => jest.restoreAllMocks());

  /** The values of an operation before and after waits of several kinds. */
  async function valuesOf(): Promise<Set<string | undefined>> {
    const values = new Set([context.value]);
    for (const wait of [() => Promise.resolve(), () => setImmediate(), () => setTimeout(1), () => setImmediate()]) {
      await wait();
      values.add(context.value);
      await wait().then(() => values.add(context.value));
    }
    return values;
  }

  it('keeps the values of concurrent operations apart, and gives none to code outside of them', async () => {
    const values = await Promise.all([
      context.run('a', valuesOf),
      valuesOf(),
      context.run('b', async () => [await context.run('inner', valuesOf), await valuesOf()]),
      valuesOf(),
    ]);
    const none = new Set([undefined]);
    expect(values).toEqual([new Set(['a']), none, [new Set(['inner']), new Set(['b'])], none]);
    expect(context.value).toBeUndefined();
  });

  it('gives an operation its own value after a promise that another operation resolves', async () => {
    const { promise: shared, resolve } = deferred();
    const valueAfter = async () => {
      await shared;
      return context.value;
    };
    const waiting = [context.run('a', valueAfter), valueAfter()];
    await context.run('b', async () => {
      await setImmediate();
      resolve();
      await setImmediate();
    });
    expect(await Promise.all(waiting)).toEqual(['a', undefined]);
  });

  it('gives an operation that goes on its value when another one ends', async () => {
    const { promise: ended, resolve: end } = deferred();
    const long = context.run('long', async () => {
      await ended;
      return context.value;
    });
    await context.run('short', () => setImmediate());
    end();
    expect(await long).toBe('long');
  });

  it('has no value after the last operation, also in a callback that began in it', async () => {
    const { promise: ended, resolve: end } = deferred();
    let late: Promise<string | undefined> | undefined;
    await context.run('a', async () => {
      late = ended.then(() => context.value);
      await setImmediate();
    });
    expect(context.value).toBeUndefined();
    end();
    expect(await late).toBeUndefined();
  });

  it('has hooks only while an operation runs, also after a failure', async () => {
    let hooks = 0;
    const { createHook } = promiseHooks;
    jest.spyOn(promiseHooks, 'createHook').mockImplementation((callbacks) => {
      const remove = createHook(callbacks);
      hooks += 1;
      return () => {
        hooks -= 1;
        remove();
      };
    });
    const failing = () => Promise.reject(new Error('failed'));
    await context.run('outer', async () => {
      await expect(context.run('inner', failing)).rejects.toThrow('failed');
      expect(hooks).toBe(1);
    });
    expect(hooks).toBe(0);
    expect(await context.run('again', () => Promise.resolve(context.value))).toBe('again');
    expect(hooks).toBe(0);
  });
});
