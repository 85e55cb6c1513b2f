import fc from 'fast-check';
import { jsonPieces } from './json-writer.js';

async function written(value: unknown): Promise<string> {
  const { pieces, bytes } = await jsonPieces(value);
  const json = Buffer.concat(pieces);
  expect(json).toHaveLength(bytes);
  return json.toString();
}

const LONG = 300_000;

it('writes what JSON.stringify writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect(await written(value)).toBe(JSON.stringify(value));
    }),
  );
});

it('writes long texts, lists and objects in pieces', async () => {
  const values = [
    'a"\\\n\u0001'.repeat(LONG),
    '😀'.repeat(LONG),
    `x${'😀'.repeat(LONG)}`,
    '\ud83d'.repeat(LONG),
    Array.from({ length: LONG }, (_, index) => index),
    { a: '日本'.repeat(LONG), b: undefined, c: [{ d: 'e'.repeat(LONG) }, undefined, null], 'f"': {} },
  ];
  for (const value of values) expect(await written(value)).toBe(Buffer.from(JSON.stringify(value)).toString());
});

it('lets others run while it writes', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  await written(Array.from({ length: 200 }, () => 'é'.repeat(100_000)));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});
