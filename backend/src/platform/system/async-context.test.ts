import { jest } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { AsyncContext } from './async-context.js';

describe('AsyncContext', () => {
  afterEach(() => jest.restoreAllMocks());

  it('keeps the values of concurrent operations apart', async () => {
    const context = new AsyncContext<string>();
    const valueLater = async () => {
      await setImmediate();
      return context.value;
    };
    const values = await Promise.all(['a', 'b'].map((value) => context.run(value, valueLater)));
    expect(values).toEqual(['a', 'b']);
    expect(context.value).toBeUndefined();
  });

  it('gives an operation that goes on its value when another one ends', async () => {
    const context = new AsyncContext<string>();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const long = context.run('long', async () => {
      await ended;
      return context.value;
    });
    await context.run('short', () => setImmediate());
    end();
    expect(await long).toBe('long');
  });

  it('stops tracking promises when the last operation has ended, also after a failure', async () => {
    const disable = jest.spyOn(AsyncLocalStorage.prototype, 'disable');
    const context = new AsyncContext<string>();
    const failing = () => Promise.reject(new Error('failed'));
    await context.run('outer', async () => {
      await expect(context.run('inner', failing)).rejects.toThrow('failed');
      expect(disable).not.toHaveBeenCalled();
    });
    expect(disable).toHaveBeenCalledTimes(1);
    expect(await context.run('again', () => Promise.resolve(context.value))).toBe('again');
  });
});
