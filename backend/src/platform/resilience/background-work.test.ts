import { jest } from '@jest/globals';
import { type Logger, pino } from 'pino';
import { BackgroundWork } from './background-work.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const lines: string[] = [];
const logger: Logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });

it('repeats work from the end of the start until the shutdown', async () => {
  const background = new BackgroundWork(logger);
  let runs = 0;
  background.repeat('count', 100, () => void (runs += 1));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(0);
  background.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(300);
  expect(runs).toBe(3);
  background.onModuleDestroy();
  background.repeat('late', 100, () => void (runs += 1));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(3);
});

it('begins works of one interval one after the other', async () => {
  const background = new BackgroundWork(logger);
  const runs: string[] = [];
  for (const name of ['one', 'two', 'three']) background.repeat(name, 100, () => void runs.push(name));
  background.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(110);
  expect(runs).toEqual(['one']);
  await jest.advanceTimersByTimeAsync(50);
  expect(runs).toEqual(['one', 'two', 'three']);
  background.onModuleDestroy();
});

it('begins no run while another one lasts', async () => {
  const background = new BackgroundWork(logger);
  let runs = 0;
  let finish = () => {};
  background.onApplicationBootstrap();
  background.repeat('slow', 100, () => {
    runs += 1;
    return new Promise<void>((resolve) => (finish = resolve));
  });
  await jest.advanceTimersByTimeAsync(500);
  expect(runs).toBe(1);
  finish();
  await jest.advanceTimersByTimeAsync(100);
  expect(runs).toBe(2);
  background.onModuleDestroy();
});

it('logs a failure and tries again', async () => {
  const background = new BackgroundWork(logger);
  background.onApplicationBootstrap();
  let runs = 0;
  background.repeat('sweep', 100, () => {
    runs += 1;
    throw new Error('away');
  });
  await jest.advanceTimersByTimeAsync(200);
  expect(runs).toBe(2);
  expect(lines.filter((line) => line.includes('sweep failed; retrying at the next interval'))).toHaveLength(2);
  background.onModuleDestroy();
});
