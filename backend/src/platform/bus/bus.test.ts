import { jest } from '@jest/globals';
import { pino } from 'pino';
import { LocalBus } from './bus.js';

const HALF_A_MINUTE = 30_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('repeats its reads one after the other until it is closed, and goes on after a failure', async () => {
  const lines: string[] = [];
  const bus = new LocalBus(pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }));
  const steps: string[] = [];
  const finish: (() => void)[] = [];
  bus.poll(async () => {
    steps.push('first begins');
    await new Promise<void>((resolve) => finish.push(resolve));
    steps.push('first ends');
    throw new Error('away');
  });
  bus.poll(() => Promise.resolve(void steps.push('second')));
  // A read that lasts longer than the interval is not begun again.
  await jest.advanceTimersByTimeAsync(2 * HALF_A_MINUTE);
  expect(steps).toEqual(['first begins']);
  finish.shift()!();
  await jest.advanceTimersByTimeAsync(0);
  expect(steps).toEqual(['first begins', 'first ends', 'second']);
  expect(lines).toEqual([expect.stringContaining('poll for changes failed')]);
  await jest.advanceTimersByTimeAsync(HALF_A_MINUTE);
  expect(steps).toHaveLength(4);
  finish.shift()!();
  await jest.advanceTimersByTimeAsync(0);
  bus.close();
  await jest.advanceTimersByTimeAsync(2 * HALF_A_MINUTE);
  expect(steps).toHaveLength(6);
});
