import fc from 'fast-check';
import { parseAnswer, parseText } from './json-text.js';
import { PROGRAM_JSON } from './json-scan.js';

it('parses what JSON.parse parses, wherever the text is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 8 }), async (text) => {
      const padded = `${' '.repeat(256 * 1024 - Math.floor(text.length / 2))}${text}`;
      expect(await parseText(padded, PROGRAM_JSON)).toEqual(JSON.parse(text));
    }),
  );
});

it('keeps characters whole at a cut', async () => {
  for (const before of [0, 1, 2, 3]) {
    const value = { text: `${'x'.repeat(before)}${'😀é日'.repeat(400_000)}`, __proto__: { a: 1 } };
    expect(await parseText(JSON.stringify(value), PROGRAM_JSON)).toEqual(JSON.parse(JSON.stringify(value)));
  }
  const named = await parseText('{"__proto__":{"isAdmin":true}}', PROGRAM_JSON);
  expect(Object.getPrototypeOf(named)).toBe(Object.prototype);
});

it.each(['', '{', '[1,', '{"a"}', '[1]]', 'nul', '"a', '[1] 2', '{"a":1,}', "{'a':1}", '[01]', '["\u0001"]'])(
  'refuses %j, which is no JSON',
  async (text) => {
    await expect(parseText(text, PROGRAM_JSON)).rejects.toThrow();
    await expect(parseAnswer(text)).rejects.toThrow();
  },
);
