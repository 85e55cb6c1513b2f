import { stylesOf } from './letter-styles.js';

const bytes = (...parts: [number, 2 | 4][]) =>
  Buffer.concat(
    parts.map(([value, size]) => {
      const buffer = Buffer.alloc(size);
      buffer.writeUIntLE(value, 0, size);
      return buffer;
    }),
  );

/** A run of paragraphs of nine letters with a bullet, its colour, two tabs and a direction. */
const PARAGRAPHS = bytes([9, 4], [0, 2], [0x30_0021, 4], [1, 2], [7, 4], [2, 2], [1, 4], [2, 4], [0, 2]);

const PLAIN = [
  [2, 4],
  [0, 4],
] as [number, 2 | 4][];

it('finds the letters above the line among those with other properties', () => {
  const raised = bytes([1, 4], [0x8_0001, 4], [1, 2], [30, 2]);
  const lowered = bytes([3, 4], [0xa_0000, 4], [12, 2], [0xffe7, 2]);
  const last = bytes([9, 4], [0xc_0000, 4], [7, 4], [30, 2]);
  const { letters } = stylesOf(Buffer.concat([PARAGRAPHS, bytes(...PLAIN), raised, lowered, last]), 8);
  expect(letters.filter(({ isRaised }) => isRaised)).toMatchObject([
    { start: 2, end: 3 },
    { start: 6, end: 8 },
  ]);
});

it.each([
  ['cut', PARAGRAPHS.subarray(0, 12)],
  ['without letters', PARAGRAPHS],
  ['empty', Buffer.alloc(0)],
  ['of runs without length', Buffer.alloc(100)],
])('finds none in styles that are %s', (_, styles) => {
  expect(stylesOf(styles, 8).letters).toEqual([]);
});
