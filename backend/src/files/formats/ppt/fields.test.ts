import { oldPresentation, type PptRecord, pptString } from '../../../../test/files/made-documents.js';
import { readDocument } from '../read-document.js';

const text = (content: string): PptRecord => [4000, Buffer.from(content, 'utf16le')];

const place = (at: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(at);
  return bytes;
};

/** Two slides with the same texts in their outline. @param first number of the first slide */
async function slidesOf(first: number, outline: PptRecord[]) {
  const atom = Buffer.alloc(40);
  atom.writeUInt16LE(first, 32);
  const slides: PptRecord[] = [1, 2].flatMap((id): PptRecord[] => [[1011, Buffer.alloc(20, id)], ...outline]);
  const headers: PptRecord = [4057, [pptString('1 May'), pptString('Board', 1), pptString('Internal', 2)], 3];
  const result = await readDocument(oldPresentation([1000, [[1001, atom], headers, [4080, slides]]]), 'ole');
  return 'problem' in result ? result.problem : result.sections.map((section) => section.text);
}

it('puts the number of a slide, the given date, header and footer in the place of their fields', async () => {
  const fields: PptRecord[] = [
    text('Page * of *, *, *, a * b'),
    [4056, place(5)],
    [4088, place(10)],
    [4090, place(13)],
    [4089, place(16)],
  ];
  const [one, two] = (await slidesOf(7, fields)) as string[];
  expect([one, two]).toEqual(['Page 7 of 1 May, Internal, Board, a * b', 'Page 8 of 1 May, Internal, Board, a * b']);
});

it('leaves out a date of today, and a text that has no more', async () => {
  const fields: PptRecord[] = [text('*'), [4087, place(0)], text('Today *'), [4117, place(6)], text('end')];
  expect((await slidesOf(1, fields))[0]).toBe('Today \nend');
});

it('keeps texts of fields with odd places', async () => {
  expect((await slidesOf(1, [text('a*'), [4056, place(900)], [4056, Buffer.alloc(1)], [4056, place(0)]]))[0]).toBe(
    'a*',
  );
});
