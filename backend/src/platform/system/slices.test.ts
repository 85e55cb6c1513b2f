import { setImmediate } from 'node:timers/promises';
import { inSlices, PIECE_CHARACTERS, textPieces } from './slices.js';

/** Keeps the event loop for some milliseconds. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

it('lets other work run as soon as a slice is used up', async () => {
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turns += 1) await setImmediate();
  })();
  const seen: number[] = [];
  for await (const ms of inSlices([0, 30, 30, 30])) {
    seen.push(turns);
    work(ms);
  }
  isDone = true;
  await others;
  expect(seen).toHaveLength(4);
  expect(seen[2]).toBeGreaterThan(seen[1]!);
  expect(seen[3]).toBeGreaterThan(seen[2]!);
});

it('cuts a text into pieces without cutting a character', () => {
  const text = `${'x'.repeat(PIECE_CHARACTERS - 1)}𝒳${'y'.repeat(PIECE_CHARACTERS)}`;
  const pieces = [...textPieces(text)];
  expect(pieces.map(({ length }) => length)).toEqual([PIECE_CHARACTERS - 1, PIECE_CHARACTERS, 2]);
  expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  expect(pieces.join('') === text).toBe(true);
  expect([...textPieces('')]).toEqual([]);
});
