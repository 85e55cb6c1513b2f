import { jest } from '@jest/globals';
import { DeltaBatcher, FlushClock } from './delta-batcher.js';

let clock: FlushClock;
let emitted: [string, string][];
let batcher: DeltaBatcher;

const texts = () => emitted.map(([, text]) => text);

beforeEach(() => {
  jest.useFakeTimers();
  clock = new FlushClock();
  emitted = [];
  batcher = new DeltaBatcher(clock, (type, text) => emitted.push([type, text]));
});

afterEach(() => {
  clock.close();
  jest.useRealTimers();
});

it('emits the first delta at once', () => {
  batcher.push('text-delta', 'first');
  expect(emitted).toEqual([['text-delta', 'first']]);
});

it('emits the next delta of a slow answer at the end of the turn', () => {
  batcher.push('text-delta', 'first');
  jest.advanceTimersByTime(40);
  batcher.push('text-delta', ' and');
  expect(batcher.pause()).toBeNull();
  batcher.push('text-delta', ' more');
  expect(batcher.pause()).toBeNull();
  expect(texts()).toEqual(['first']);
  jest.advanceTimersByTime(0);
  expect(texts()).toEqual(['first', ' and more']);
});

it('reads a fast answer once per tick, without losing or swapping a delta', async () => {
  const deltas = Array.from({ length: 100 }, (_, index) => `${index} `);
  for (const delta of deltas) batcher.push('text-delta', delta);
  const pause = batcher.pause();
  expect(texts().join('')).toBe(deltas.join(''));
  expect(emitted).toHaveLength(2);
  expect(pause).not.toBeNull();
  jest.advanceTimersByTime(33);
  await pause;
});

it('reads every answer by the clock while the event loop lags', () => {
  batcher.push('text-delta', 'first');
  clock.isLate = true;
  jest.setSystemTime(Date.now() + 1_000);
  batcher.push('text-delta', ' next');
  expect(batcher.pause()).not.toBeNull();
  expect(texts()).toEqual(['first', ' next']);
});

it('keeps reasoning and text apart and in order', () => {
  for (let index = 0; index < 20; index += 1) batcher.push('reasoning-delta', 'r');
  for (let index = 0; index < 20; index += 1) batcher.push('text-delta', 't');
  batcher.flush();
  const order = emitted.map(([type]) => type).join(' ');
  expect(order).toMatch(/^(reasoning-delta ?)+(text-delta ?)+$/);
  expect(texts().join('')).toBe('r'.repeat(20) + 't'.repeat(20));
});

it('emits everything when the clock is closed', async () => {
  for (let index = 0; index < 20; index += 1) batcher.push('text-delta', 'x');
  const pause = batcher.pause();
  clock.close();
  await pause;
  for (let index = 0; index < 20; index += 1) batcher.push('text-delta', 'y');
  await batcher.pause();
  expect(texts().join('')).toBe('x'.repeat(20) + 'y'.repeat(20));
});
