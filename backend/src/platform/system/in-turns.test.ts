import { inTurns, TURN_CHARACTERS, turnsOf } from './in-turns.js';

it('lets other work run after each million characters', async () => {
  const texts = [1, TURN_CHARACTERS - 1, 5 * TURN_CHARACTERS, 1].map((length) => 'x'.repeat(length));
  let turn = 0;
  const count = () => {
    turn += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const turns: number[] = [];
  for await (const text of inTurns(texts, ({ length }) => length)) turns.push(text.length === 0 ? -1 : turn);
  clearImmediate(immediate);
  expect(turns[1]).toBe(turns[0]);
  expect(turns[2]).toBeGreaterThan(turns[1]!);
  expect(turns[3]).toBeGreaterThan(turns[2]!);
});

it('cuts a text into pieces without cutting a character', () => {
  const text = `${'x'.repeat(TURN_CHARACTERS - 1)}𝒳${'y'.repeat(TURN_CHARACTERS)}`;
  const pieces = [...turnsOf(text)];
  expect(pieces.map(({ length }) => length)).toEqual([TURN_CHARACTERS - 1, TURN_CHARACTERS, 2]);
  expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  expect(pieces.join('') === text).toBe(true);
  expect([...turnsOf('')]).toEqual([]);
});
