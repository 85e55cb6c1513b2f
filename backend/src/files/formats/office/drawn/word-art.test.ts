import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { CFB, ole, oldPresentation, type PptRecord, read } from '../../../../../test/files/made-documents.js';
import { wordArtOfWord } from './word-art.js';

/** A record of a drawing, which holds others or has properties. */
function record(type: number, content: Buffer | Buffer[], count = 0): Buffer {
  const body = Array.isArray(content) ? Buffer.concat(content) : content;
  const head = Buffer.alloc(8);
  head.writeUInt16LE((count << 4) | (Array.isArray(content) ? 0x0f : 3), 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** Properties of a shape: its colour, the name of a picture, and WordArt. */
function properties(text: string): Buffer {
  const name = Buffer.from('a.png\0', 'utf16le');
  const art = Buffer.from(`${text}\0`, 'utf16le');
  const heads = Buffer.alloc(18);
  heads.writeUInt16LE(0x0181, 0);
  heads.writeUInt32LE(0xff, 2);
  heads.writeUInt16LE(0xc105, 6);
  heads.writeUInt32LE(name.length, 8);
  heads.writeUInt16LE(0xc0c0, 12);
  heads.writeUInt32LE(art.length, 14);
  return Buffer.concat([heads, name, art]);
}

const COUNT = 3;
const drawing = (text: string) =>
  record(0xf002, [record(0xf003, [record(0xf004, [record(0xf00b, properties(text), COUNT)])])]);
const drawings = Buffer.concat([
  record(0xf000, []),
  Buffer.from([0]),
  drawing('Sale\r\nnow'),
  Buffer.from([1]),
  drawing('DRAFT'),
]);

it('of a Word document stands among its text boxes, that of headers among these', async () => {
  const bytes = gunzipSync(
    readFileSync(new URL('../../../../../test/files/inputs/made/deleted.doc.gz', import.meta.url)),
  );
  const container = CFB.read(bytes, { type: 'buffer' });
  const stream = (name: string) => Buffer.from(CFB.find(container, name)!.content as Uint8Array);
  const [document, table] = [stream('WordDocument'), stream('1Table')];
  document.writeUInt32LE(table.length, 0x22a);
  document.writeUInt32LE(drawings.length, 0x22e);
  expect(await read(ole({ WordDocument: document, '1Table': Buffer.concat([table, drawings]) }), 'ole')).toMatchObject({
    text: 'kept Имя words\n\n[text boxes]\nSale\nnow\n\n[headers]\nDRAFT',
  });
});

it('of a presentation stands on its slide', async () => {
  const slide: PptRecord = [1006, [[0xf004, [[0xf00b, properties('Sale'), COUNT]]]]];
  expect(await read(oldPresentation(slide), 'ole')).toMatchObject({ text: 'Sale' });
});

it('is read from a drawing with more of it than a call takes arguments', () => {
  const one = record(0xf00b, properties('a'), COUNT);
  const inner = Buffer.alloc(200_000 * one.length, one);
  expect(
    wordArtOfWord(Buffer.concat([record(0xf000, []), Buffer.from([0]), record(0xf002, [inner])])).inText,
  ).toHaveLength(200_000);
});

it('is read as far as it is there', () => {
  const lengths = Array.from({ length: drawings.length }, (_, length) => wordArtOfWord(drawings.subarray(0, length)));
  expect(lengths.every(({ inText }) => 'Sale\nnow'.startsWith(inText[0] ?? ''))).toBe(true);
  expect(wordArtOfWord(Buffer.alloc(0))).toEqual({ inText: [], inHeaders: [] });
});
