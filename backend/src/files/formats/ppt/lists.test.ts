import { oldPresentation, type PptRecord, read } from '../../../../test/files/made-documents.js';

const numbers = (...values: [value: number, size: 2 | 4][]) =>
  Buffer.concat(
    values.map(([value, size]) => {
      const bytes = Buffer.alloc(size);
      bytes.writeUIntLE(value, 0, size);
      return bytes;
    }),
  );

/** Entries of lists: none, `c)` on, those from 1 on, and one with all that may stand beside it. */
const NONE = numbers([0, 4], [0, 4], [0, 4]);
const LETTERS = numbers([0x300_0000, 4], [1, 2], [9, 2], [3, 2], [0, 4], [0, 4]);
const USUAL = numbers([0x200_0000, 4], [1, 2], [0, 4], [0, 4]);
const FULL = Buffer.concat([
  numbers([0x380_0000, 4], [0xffff, 2], [1, 2], [7, 2], [2, 2], [0x400_0000, 4], [0, 4]),
  numbers([0x267, 4], [0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [1, 4], [0, 4]),
]);

const TEXT = 'one\rtwo\r\rinner\rthree\rplain\r*';

/** Runs of paragraphs, of which one is inside of another one and one has no bullet; then those of letters with their list. */
const styles = (...letters: [length: number, list: number][]) =>
  Buffer.concat([
    numbers([9, 4], [0, 2], [0, 4]),
    numbers([6, 4], [1, 2], [1, 4], [1, 2]),
    numbers([6, 4], [0, 2], [0, 4], [6, 4], [0, 2], [1, 4], [0, 2], [2, 4], [0, 2], [0, 4]),
    ...letters.map(([length, list]) => numbers([length, 4], [0x3c00, 4], [list << 10, 2])),
  ]);

const text = (look: Buffer): PptRecord[] => [
  [3999, numbers([1, 4])],
  [4000, Buffer.from(TEXT, 'utf16le')],
  [4001, look],
];

const tags = (data: PptRecord[]): PptRecord => [5000, [[5002, [[5003, data]]]]];

const shown = async (...records: PptRecord[]) =>
  ((await read(oldPresentation(...records), 'ole')) as { text: string }).text;

/** The text as a shape has it, with its lists beside it. */
const inShape = (lists: Buffer, look: Buffer): PptRecord => [
  0xf004,
  [
    [0xf011, [tags([[4012, lists]])]],
    [0xf00d, text(look)],
  ],
];

const LISTS = Buffer.concat([NONE, LETTERS, FULL]);
const LOOK = styles([9, 1], [6, 2], [14, 1]);

it('numbers the paragraphs of a shape as each of its lists counts', async () => {
  expect(await shown(inShape(LISTS, LOOK))).toBe('c) one\nd) two\n\nII. inner\ne) three\nplain\nc) *');
});

it('numbers the paragraphs of an outline, before the fields in them', async () => {
  const outlines: PptRecord = [
    4014,
    [
      [4015, numbers([256, 4], [1, 4])],
      [4012, LISTS],
    ],
  ];
  const slide: PptRecord = [1011, numbers([1, 4], [0, 4], [0, 4], [256, 4], [0, 4])];
  const number: PptRecord = [4056, numbers([TEXT.length - 1, 4])];
  const document: PptRecord = [
    1000,
    [
      [2000, [tags([outlines])]],
      [4080, [slide, ...text(LOOK), number]],
    ],
  ];
  expect(await shown(document)).toBe('[slide 1]\nc) one\nd) two\n\nII. inner\ne) three\nplain\nc) 1');
});

it('reads the lists behind one with all that may stand beside it', async () => {
  expect(await shown(inShape(Buffer.concat([FULL, LETTERS]), styles([29, 1])))).toBe(
    'c) one\nd) two\n\nc) inner\ne) three\nplain\nc) *',
  );
});

it('counts from one on where a list says no more than that it has numbers', async () => {
  expect(await shown(inShape(USUAL, styles([29, 0])))).toBe('1. one\n2. two\n\n1. inner\n3. three\nplain\n1. *');
});

it.each([
  ['cut', LETTERS.subarray(0, 9)],
  ['without numbers', NONE],
  ['empty', Buffer.alloc(0)],
])('shows texts whose lists are %s', async (_, lists) => {
  expect(await shown(inShape(lists, LOOK))).toBe(TEXT.replaceAll('\r', '\n'));
});
