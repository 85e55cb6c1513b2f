import { ole, read } from '../../../../test/files/made-documents.js';
import { MAX_CHARACTERS } from '../sections.js';
import { partsOfWord95 } from './word-95.js';

/** A document of Word 6 whose runs have fonts with the given character sets. */
function word6(
  runs: [bytes: string, font: number | null, isDeleted?: boolean][],
  charsets: number[],
  bytesOfCharacter = 1,
): Buffer {
  const stream = Buffer.alloc(4 * 512);
  const text = Buffer.concat(runs.map(([bytes]) => Buffer.from(bytes, 'latin1')));
  stream.writeUInt16LE(0xa5dc, 0);
  stream.writeUInt16LE(0x65, 2);
  stream.writeUInt16LE(0x409, 6);
  stream.writeUInt32LE(512, 24);
  stream.writeUInt32LE(512 + text.length, 28);
  stream.writeUInt16LE(bytesOfCharacter === 2 ? 0x1000 : 0, 10);
  stream.writeUInt32LE(text.length / bytesOfCharacter, 52);
  text.copy(stream, 512);
  const page = stream.subarray(1024, 1536);
  let [at, end] = [512, 500];
  for (const [index, [bytes, font, isDeleted]] of runs.entries()) {
    page.writeUInt32LE(at, 4 * index);
    at += bytes.length;
    const properties = [...(isDeleted ? [65, 1] : []), ...(font === null ? [] : [93, font, 0])];
    if (properties.length > 0) {
      end -= 8;
      page.set([properties.length, ...properties], end);
      page[4 * (runs.length + 1) + index] = end / 2;
    }
  }
  page.writeUInt32LE(at, 4 * runs.length);
  page[511] = runs.length;
  const fonts = Buffer.concat([Buffer.alloc(2), ...charsets.map((set) => Buffer.from([7, 0, 0, 0, set, 0, 0x41, 0]))]);
  fonts.copy(stream, 1536);
  stream.writeUInt32LE(1536, 0xd0);
  stream.writeUInt32LE(fonts.length, 0xd4);
  stream.writeUInt32LE(1700, 0xb8);
  stream.writeUInt32LE(10, 0xbc);
  stream.writeUInt16LE(2, 1708);
  return ole({ WordDocument: stream });
}

describe('a document of Word 6', () => {
  it('for East Asia is read as UTF-16', async () => {
    const bytes = word6([[Buffer.from('日本 text\r', 'utf16le').toString('latin1'), 0]], [128], 2);
    expect(await read(bytes, 'ole')).toMatchObject({ text: '日本 text' });
  });

  it('is read in the code page of each font, without deleted text', async () => {
    const bytes = word6(
      [
        ['Caf\xe9 ', null],
        ['\xd7\xe5\xf2\xfb\xf0\xe5', 1],
        [' p\xf8ed', 2],
        [' gone', 0, true],
        ['\r', null],
      ],
      [0, 204, 238],
    );
    expect(await read(bytes, 'ole')).toMatchObject({ text: 'Café Четыре před' });
  });
});

it('pieces of the same text are not read without end', () => {
  const [size, count] = [1_000_000, 50];
  const stream = Buffer.alloc(512 + size, 'x').fill(0, 0, 512);
  stream.writeUInt16LE(0x65, 2);
  stream.writeUInt32LE(size * count, 52);
  const table = Buffer.alloc(5 + 4 + 12 * count);
  table[0] = 2;
  for (let index = 0; index < count; index++) {
    table.writeUInt32LE(size * (index + 1), 5 + 4 * (index + 1));
    table.writeUInt32LE(512, 5 + 4 * (count + 1) + 8 * index + 2);
  }
  stream.writeUInt32LE(stream.length, 0x160);
  stream.writeUInt32LE(table.length, 0x164);
  const [body] = partsOfWord95(Buffer.concat([stream, table]));
  expect(body!.text.length).toBeGreaterThan(MAX_CHARACTERS);
  expect(body!.text.length).toBeLessThanOrEqual(5 * MAX_CHARACTERS + size);
});
