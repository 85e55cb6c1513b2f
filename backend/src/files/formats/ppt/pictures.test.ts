import { deflateSync } from 'node:zlib';
import { PptPictures } from './pictures.js';
import { recordAt } from '../office/drawn/records.js';

const CONTAINER = 0x0f;

/** @param head version, and instance from its fifth bit on */
const record = (type: number, body: Buffer, head = CONTAINER) => {
  const header = Buffer.alloc(8);
  header.writeUInt16LE(head, 0);
  header.writeUInt16LE(type, 2);
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body]);
};

/** A Windows Metafile that draws a text. */
function metafile(text: string): Buffer {
  const head = Buffer.alloc(18);
  head.writeUInt16LE(1, 0);
  head.writeUInt16LE(9, 2);
  const draw = Buffer.alloc(12 + text.length + (text.length % 2));
  draw.writeUInt32LE(draw.length / 2, 0);
  draw.writeUInt16LE(0x0521, 4);
  draw.writeUInt16LE(text.length, 6);
  draw.write(text, 8, 'latin1');
  return Buffer.concat([head, draw]);
}

/** A picture of the stream of pictures, with its identifier and head. */
function picture(content: Buffer, compression: number, type = 0xf01b, instance = 0x216): Buffer {
  const head = Buffer.alloc(16 + 34);
  head[16 + 32] = compression;
  return record(type, Buffer.concat([head, content]), instance << 4);
}

/** The texts of a slide with one shape for each number of a picture. */
function textsOf(pictures: Buffer[], numbers: number[]): string[] {
  let place = 0;
  const entries = pictures.map((one) => {
    const entry = Buffer.alloc(36);
    entry.writeUInt32LE(place, 28);
    place += one.length;
    return record(0xf007, entry, 0x02);
  });
  const shapes = numbers.map((number) => {
    const property = Buffer.alloc(6);
    property.writeUInt16LE(0x4104, 0);
    property.writeUInt32LE(number, 2);
    return record(0xf004, record(0xf00b, property, (1 << 4) | 3));
  });
  const document = record(1000, record(1035, record(0xf000, record(0xf001, Buffer.concat(entries)))));
  const stream = Buffer.concat([document, record(1006, Buffer.concat(shapes))]);
  const [main, slide] = [recordAt(stream, 0)!, recordAt(stream, document.length)!];
  return new PptPictures(stream, main, Buffer.concat(pictures)).textsOf(slide);
}

it('gives the texts that the vector pictures of a slide draw, each once', () => {
  const pictures = [picture(metafile('Sales 2026'), 0xfe), picture(deflateSync(metafile('Costs')), 0)];
  expect(textsOf(pictures, [2, 1, 2])).toEqual(['[picture: Costs]', '[picture: Sales 2026]']);
});

it('gives the texts of pictures of a Macintosh', () => {
  const drawn = Buffer.from(`${'00'.repeat(10)}1101280001000105${Buffer.from('Costs').toString('hex')}ff`, 'hex');
  expect(textsOf([picture(deflateSync(drawn), 0, 0xf01c, 0x542)], [1])).toEqual(['[picture: Costs]']);
});

it('gives nothing for damaged pictures, and for numbers without one', () => {
  expect(textsOf([picture(Buffer.from('no deflate'), 0), Buffer.alloc(4)], [0, 1, 2, 3])).toEqual([]);
});

it('stops at the bound of all pictures together', () => {
  const large = Buffer.concat([metafile('large'), Buffer.alloc(20 * 1024 * 1024)]);
  const pictures = [picture(deflateSync(large), 0), picture(deflateSync(large), 0)];
  expect(textsOf(pictures, [1, 2])).toEqual(['[picture: large]']);
});
