import { jest } from '@jest/globals';
import { QueryObserver } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { queryClient } from '../../app/queries/query-client';

let change: () => void = () => undefined;

jest.unstable_mockModule('../../app/socket/socket', () => ({
  onConnected: () => () => undefined,
  onEvent: (name: string, listener: () => void) => {
    if (name === 'project:changed') change = listener;
    return () => undefined;
  },
}));

const { useProjectUpdates } = await import('./use-project-updates');

/** Observes a read of a project. @returns what was read, and how often a read began */
function observe(queryFn: () => Promise<string>) {
  let begun = 0;
  const options = { queryKey: ['projects', 1, 'search', 'fee'], queryFn: () => ((begun += 1), queryFn()) };
  const observer = new QueryObserver(queryClient, options);
  const stop = observer.subscribe(() => undefined);
  return { shown: () => observer.getCurrentResult().data, begun: () => begun, stop };
}

beforeEach(() => {
  queryClient.clear();
  jest.useFakeTimers();
});

afterEach(() => jest.useRealTimers());

test('shows a read that takes longer than the time between changes, and reads again after the last change', async () => {
  const { unmount } = renderHook(() => useProjectUpdates());
  let now = 'before';
  const read = observe(async () => {
    await new Promise((resolve) => setTimeout(resolve, 900));
    return now;
  });
  for (let changes = 0; changes < 40; changes += 1) {
    change();
    await jest.advanceTimersByTimeAsync(100);
  }
  expect(read.shown()).toBe('before');
  expect(read.begun()).toBeLessThan(6);
  now = 'after';
  change();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(read.shown()).toBe('after');
  read.stop();
  unmount();
});

test('leaves the page most of its time where each read takes long', async () => {
  const { unmount } = renderHook(() => useProjectUpdates());
  const read = observe(() => new Promise((resolve) => setTimeout(() => resolve('read'), 1_000)));
  for (let changes = 0; changes < 500; changes += 1) {
    change();
    await jest.advanceTimersByTimeAsync(100);
  }
  // One in five seconds, after the first ones.
  expect(read.begun()).toBeLessThan(14);
  expect(read.begun()).toBeGreaterThan(8);
  read.stop();
  unmount();
});

test('reads again after a change when an earlier read has not ended', async () => {
  const { unmount } = renderHook(() => useProjectUpdates());
  const read = observe(() => (read.begun() < 3 ? new Promise(() => undefined) : Promise.resolve('answered')));
  change();
  await jest.advanceTimersByTimeAsync(2_000);
  change();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(read.shown()).toBe('answered');
  read.stop();
  unmount();
});

test('reads nothing after its page was left', async () => {
  const { unmount } = renderHook(() => useProjectUpdates());
  const read = observe(() => Promise.resolve('read'));
  await jest.advanceTimersByTimeAsync(0);
  change();
  await jest.advanceTimersByTimeAsync(1_000);
  change();
  unmount();
  await jest.advanceTimersByTimeAsync(15_000);
  expect(read.begun()).toBe(2);
  read.stop();
});
