import { oldPresentation, type PptRecord, pptString } from '../../../../test/files/made-documents.js';
import { readDocument } from '../read-document.js';

const text = (content: string): PptRecord => [4000, Buffer.from(content, 'utf16le')];

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, 4 * at);
  return bytes;
};

const link = (id: number, address: string): PptRecord => [
  4055,
  [[4051, numbers(id)], pptString('shown name'), pptString(address, 1)],
];

/** What a click on the letters between two places does. */
const action = (id: number, start: number, end: number): PptRecord[] => [
  [4082, [[4083, numbers(0, id, 4, 0)]]],
  [4063, numbers(start, end)],
];

async function slideOf(links: PptRecord[], outline: PptRecord[]): Promise<unknown> {
  const document: PptRecord = [
    1000,
    [
      [1001, Buffer.alloc(40)],
      [1033, [[1034, numbers(1)], ...links]],
      [4080, [[1011, Buffer.alloc(20, 1)], ...outline]],
    ],
  ];
  const result = await readDocument(oldPresentation(document), 'ole');
  return 'problem' in result ? result.problem : result.sections[0]?.text;
}

const LINKS = [link(1, 'https://example.com/plan'), link(7, 'mailto:ani@example.com')];

it.each<[string, PptRecord[], string]>([
  [
    'behind its text',
    [text('See our plan, or Ani.'), ...action(1, 4, 12), ...action(7, 17, 20)],
    'See our plan <https://example.com/plan>, or Ani <ani@example.com>.',
  ],
  [
    'behind a line, not below it',
    [text('our plan\rnext'), ...action(1, 0, 9)],
    'our plan <https://example.com/plan>\nnext',
  ],
  ['not where the text says it', [text('example.com/plan'), ...action(1, 0, 16)], 'example.com/plan'],
  ['of its own text alone', [text('one'), ...action(1, 0, 3), text('two')], 'one <https://example.com/plan>\ntwo'],
  ['not of a link that is none', [text('one'), ...action(3, 0, 3), [4082, []], [4063, Buffer.alloc(2)]], 'one'],
  ['not beyond the text', [text('one'), ...action(1, 90, 99)], 'one'],
])('an address stands %s', async (_, outline, shown) => {
  expect(await slideOf(LINKS, outline)).toBe(shown);
});

it.each(['javascript:alert(1)', 'file:///etc/passwd', 'next.ppt', ''])('%j is none', async (address) => {
  expect(await slideOf([link(1, address)], [text('one'), ...action(1, 0, 3)])).toBe('one');
});
