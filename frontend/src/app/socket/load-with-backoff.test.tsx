import { jest } from '@jest/globals';
import { serve } from '../api/fake-server';
import { reloadOnce } from '../browser/reload-once';
import { loadWithBackoff } from './load-with-backoff';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['performance'] }));
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

test('lets only its first failure reload the page', async () => {
  // The server is unreachable: each reload begins with one request, and none goes further.
  const requests = serve({});
  const load = jest.fn(() => {
    // As the built file does.
    const failure = Object.assign(new Event('vite:preloadError'), { payload: new Error() });
    void reloadOnce(failure);
    return load.mock.calls.length > 3 ? Promise.resolve() : Promise.reject(failure.payload);
  });
  const loaded = loadWithBackoff(load, () => undefined);
  await jest.advanceTimersByTimeAsync(60_000);
  await loaded;
  expect(load).toHaveBeenCalledTimes(4);
  expect(requests).toEqual(['/api/health/live']);
});

test('leaves no listener behind', async () => {
  const added = jest.spyOn(window, 'addEventListener');
  const removed = jest.spyOn(window, 'removeEventListener');
  const { loaded } = start(3);
  await jest.advanceTimersByTimeAsync(60_000);
  await loaded;
  const listeners = (calls: unknown[][]) => calls.filter(([type]) => type === 'online').map((call) => call[1]);
  expect(listeners(added.mock.calls)).toHaveLength(3);
  expect(listeners(removed.mock.calls)).toEqual(listeners(added.mock.calls));
});
