import { type JsonBounds, JsonScan, JsonTooLarge, parseWithin } from './json-scan.js';

const scan = (bounds: JsonBounds, ...pieces: string[]): JsonScan => {
  const scanner = new JsonScan(bounds);
  for (const piece of pieces) scanner.write(piece);
  return scanner;
};

const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce<number>((sum, inner) => sum + valuesOf(inner), 0)
    : 1;

const SAMPLES = [
  '{}',
  '[]',
  '0',
  '"a"',
  'null',
  '[1,2,3]',
  ' [ 1 , -2.5e3 , true,false,null ] ',
  '{"a":1,"b":[{"c":"}{[]"},"\\"","\\\\"]}',
  '{"a:b":"c:d","e":{"f":{"g":[[],[[]],{}]}}}',
  '["日本語", "\\u0022", "a\\\\\\"b", ","]',
];

it('counts each value and no key', () => {
  for (const text of SAMPLES) {
    const values = valuesOf(JSON.parse(text));
    expect(() => scan({ values, depth: 99 }, text)).not.toThrow();
    expect(() => scan({ values: values - 1, depth: 99 }, text)).toThrow(JsonTooLarge);
  }
});

it('counts alike however the text is cut', () => {
  for (const text of SAMPLES) {
    const values = valuesOf(JSON.parse(text));
    expect(() => scan({ values, depth: 99 }, ...text)).not.toThrow();
    expect(() => scan({ values: values - 1, depth: 99 }, ...text)).toThrow(JsonTooLarge);
    const bytes = Buffer.from(text);
    const scanner = new JsonScan({ values, depth: 99 });
    for (const byte of bytes) scanner.writeBytes(Buffer.from([byte]));
  }
});

it('names the bound that a text exceeds', () => {
  const deep = `${'['.repeat(33)}${']'.repeat(33)}`;
  expect(() => scan({ values: 99, depth: 32 }, deep)).toThrow(expect.objectContaining({ limit: 32, unit: 'levels' }));
  expect(() => scan({ values: 99, depth: 33 }, deep)).not.toThrow();
  expect(() => scan({ values: 9, depth: 32 }, '[0,1,2,3,4,5,6,7,8,9]')).toThrow(
    expect.objectContaining({ limit: 9, unit: 'values' }),
  );
});

it('bounds the fields of one object, and the digits of a number', () => {
  const bounds = { values: 200_000, depth: 9 };
  const fields = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join()}}`;
  expect(() => scan(bounds, `[${fields(20_000)},${fields(20_000)}]`)).not.toThrow();
  expect(() => scan(bounds, fields(20_001))).toThrow(expect.objectContaining({ limit: 20_000, unit: 'fields' }));
  expect(() => scan(bounds, `[${'1'.repeat(1_000)}]`)).not.toThrow();
  const long = ['[', ...Array.from({ length: 11 }, () => '1'.repeat(100)), ']'];
  expect(() => scan(bounds, ...long)).toThrow(expect.objectContaining({ limit: 1_000, unit: 'digits' }));
});

it('bounds the escapes of a text, and not those of one character', () => {
  const bounds = { values: 9, depth: 9 };
  expect(() => scan(bounds, `["${'\\n\\"'.repeat(1_000_000)}"]`)).not.toThrow();
  expect(() => scan(bounds, `["${'\\u00e9'.repeat(1_000_001)}"]`)).toThrow(
    expect.objectContaining({ unit: 'escapes' }),
  );
});

it('bounds the name of a field', () => {
  const bounds = { values: 9, depth: 9 };
  expect(() => scan(bounds, `{"${'k'.repeat(1_000)}":"${'v'.repeat(9_000)}"}`)).not.toThrow();
  expect(() => scan(bounds, `{"${'k'.repeat(1_001)}" : 0}`)).toThrow(expect.objectContaining({ limit: 1_000 }));
});

it('bounds a text where it has a bound, however it is cut', () => {
  const bounds = { values: 9, depth: 9, text: 10 };
  expect(() => scan(bounds, '["123', '4567', '89"', ',"1234"]')).not.toThrow();
  expect(() => scan(bounds, '["1234', '5678', '901"]')).toThrow(expect.objectContaining({ unit: 'characters' }));
});

it('stops at the bound, before the rest of a text', () => {
  expect(() => scan({ values: 10, depth: 5 }, '['.repeat(1_000_000))).toThrow(JsonTooLarge);
});

it('leaves a text that is no JSON to the parser', () => {
  for (const text of ['', '{', '}}}}', ':::', '"', '[1,', 'truefalse', '\\', '{"a"}'])
    expect(() => parseWithin(text.padStart(100), { values: 99, depth: 9 })).toThrow(SyntaxError);
});

it('parses JSON within the bounds', () => {
  for (const text of SAMPLES) expect(parseWithin(text, { values: 99, depth: 9 })).toEqual(JSON.parse(text));
});
