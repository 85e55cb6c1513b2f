import { jest } from '@jest/globals';
import { loadWithBackoff } from './load-with-backoff';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Starts a load that fails this many times. */
function start(failures: number) {
  const load = jest.fn(() =>
    load.mock.calls.length > failures ? Promise.resolve('code') : Promise.reject(new TypeError('Failed to fetch')),
  );
  const onFailure = jest.fn();
  return { load, onFailure, loaded: loadWithBackoff(load, onFailure) };
}

test('repeats a failed load with growing delays until it succeeds', async () => {
  const { load, onFailure, loaded } = start(3);
  const loads = [];
  for (const delay of [0, 499, 1, 999, 1, 2_000]) {
    await jest.advanceTimersByTimeAsync(delay);
    loads.push(load.mock.calls.length);
  }
  expect(loads).toEqual([1, 1, 2, 2, 3, 4]);
  expect(await loaded).toBe('code');
  expect(onFailure).toHaveBeenCalledTimes(3);
});

test('repeats a failed load at once when the network is back', async () => {
  const { load, loaded } = start(1);
  await jest.advanceTimersByTimeAsync(0);
  window.dispatchEvent(new Event('online'));
  expect(await loaded).toBe('code');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledTimes(2);
});
