import { FlushClock, DeltaBatcher } from './delta-batcher.js';

let clock: FlushClock;
let shown: [string, string][];
let batcher: DeltaBatcher;

beforeEach(() => {
  clock = new FlushClock();
  shown = [];
  batcher = new DeltaBatcher(clock, (type, text) => shown.push([type, text]));
});

afterEach(() => clock.close());

it('lets the first piece go at once', () => {
  batcher.push('text-delta', 'first');
  expect(shown).toEqual([['text-delta', 'first']]);
});

it('lets the next piece of a slow answer go when the event loop has had its turn', async () => {
  batcher.push('text-delta', 'first');
  await new Promise((resolve) => setTimeout(resolve, 40));
  // The machine of this test may lag, which is another case.
  clock.isLate = false;
  batcher.push('text-delta', ' and');
  expect(batcher.pause()).toBeNull();
  batcher.push('text-delta', ' more');
  expect(batcher.pause()).toBeNull();
  expect(shown).toHaveLength(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(shown.map(([, text]) => text)).toEqual(['first', ' and more']);
});

it('joins what comes faster than anybody reads, loses and swaps nothing, and reads on with the clock', async () => {
  const pieces = Array.from({ length: 100 }, (_, index) => `${index} `);
  for (const piece of pieces) batcher.push('text-delta', piece);
  const pause = batcher.pause();
  expect(shown.map(([, text]) => text).join('')).toBe(pieces.join(''));
  expect(shown).toHaveLength(2);
  expect(pause).not.toBeNull();
  await pause;
});

it('keeps thoughts and text apart, in their order', () => {
  for (let index = 0; index < 20; index += 1) batcher.push('reasoning-delta', 'r');
  for (let index = 0; index < 20; index += 1) batcher.push('text-delta', 't');
  batcher.flush();
  const order = shown.map(([type]) => type).join(' ');
  expect(order).toMatch(/^(reasoning-delta ?)+(text-delta ?)+$/);
  expect(shown.map(([, text]) => text).join('')).toBe('r'.repeat(20) + 't'.repeat(20));
});

it('lets go of everything when the clock is closed', async () => {
  for (let index = 0; index < 20; index += 1) batcher.push('text-delta', 'x');
  const before = batcher.pause();
  clock.close();
  await before;
  for (let index = 0; index < 20; index += 1) batcher.push('text-delta', 'y');
  await batcher.pause();
  expect(shown.map(([, text]) => text).join('')).toBe('x'.repeat(20) + 'y'.repeat(20));
});
