import fc from 'fast-check';
import { parseAnswer, parseText } from './json-text.js';
import { PROGRAM_JSON } from './json-scan.js';
import { StreamedJson } from './streamed-json.js';

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

it('parses long texts among others as JSON.parse does', async () => {
  const long = 'x'.repeat(100_000);
  const values = [
    long,
    [long, 'short', `${long}"\\\n`, `é${long}😀`],
    { [`${'k'.repeat(900)}`]: long, a: { b: [{ c: long }, 1, null] }, d: '日'.repeat(70_000), '': long.slice(1) },
  ];
  for (const value of values) expect(await parseText(JSON.stringify(value), PROGRAM_JSON)).toEqual(value);
  await expect(parseText(`["${long}\n${long}"]`, PROGRAM_JSON)).rejects.toThrow();
  await expect(parseText(`["${long}`, PROGRAM_JSON)).rejects.toThrow();
});

it('replaces bytes that are no UTF-8, wherever they are cut', async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"a":"é'),
    Buffer.from([0xff, 0xe6, 0x97, 0x22, 0x2c]),
    Buffer.from('"b":"日😀"}'),
  ]);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const parser = new StreamedJson();
    await parser.write(bytes.subarray(0, cut));
    await parser.write(bytes.subarray(cut));
    expect(parser.end()).toEqual(JSON.parse(bytes.toString()));
  }
});

it.each(['', '{', '[1,', '{"a"}', '[1]]', 'nul', '"a', '[1] 2', '{"a":1,}', "{'a':1}", '[01]', '["\u0001"]'])(
  'refuses %j, which is no JSON',
  async (text) => {
    await expect(parseText(text, PROGRAM_JSON)).rejects.toThrow();
    await expect(parseAnswer(text)).rejects.toThrow();
  },
);
