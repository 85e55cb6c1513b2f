import fc from 'fast-check';
import { jsonPieces } from './json-writer.js';

/** The pieces as they are sent: each encoded by itself. */
const written = (value: unknown): string =>
  Buffer.concat([...jsonPieces(value)].map((piece) => Buffer.from(piece))).toString();

const LONG = 300_000;

it('writes what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(written(value)).toBe(JSON.stringify(value));
    }),
  );
});

it('writes long texts, lists and objects in pieces', () => {
  const values = [
    'a"\\\n\u0001'.repeat(LONG),
    '😀'.repeat(LONG),
    `x${'😀'.repeat(LONG)}`,
    '\ud83d'.repeat(LONG),
    Array.from({ length: LONG }, (_, index) => index),
    { a: '日本'.repeat(LONG), b: undefined, c: [{ d: 'e'.repeat(LONG) }, undefined, null], 'f"': {} },
    Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, undefined])),
  ];
  for (const value of values) {
    expect(written(value)).toBe(Buffer.from(JSON.stringify(value)).toString());
  }
});

it('changes texts, but not the names of fields', () => {
  const value = { a: ['a', 1, { b: 'ba' }], long: ['😀\0a'.repeat(LONG), 'a'.repeat(LONG)] };
  const changed = JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'string' ? inner.replaceAll(/[a\0]/g, 'c') : inner,
  );
  const pieces = [...jsonPieces(value, (text) => text.replaceAll(/[a\0]/g, 'c'))];
  expect(pieces.join('') === changed).toBe(true);
});

it('makes small pieces, each when it is asked for', () => {
  const texts = Array.from({ length: 200 }, () => '"'.repeat(100_000));
  const numbers = Array.from({ length: LONG }, () => 1);
  for (const value of [texts, numbers]) {
    const lengths = [...jsonPieces(value)].map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThan(600_000);
    expect(lengths.length).toBeGreaterThan(50);
  }
  const late = { first: 'x'.repeat(LONG), second: { text: 'y' } };
  const pieces = jsonPieces(late);
  let json = pieces.next().value as string;
  late.second.text = 'z';
  for (const piece of pieces) json += piece;
  expect(json === JSON.stringify(late)).toBe(true);
});
