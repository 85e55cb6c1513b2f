import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { CFB, ole, read } from '../../../../test/files/made-documents.js';
import { MAX_CHARACTERS } from '../sections.js';
import { readWord97 } from './word-97.js';

const made = (name: string) =>
  gunzipSync(readFileSync(new URL(`../../../../test/files/inputs/made/${name}`, import.meta.url)));

/** The streams of a document, of which one is another. */
function changed(bytes: Buffer, change: (stream: Buffer) => Buffer): Buffer {
  const container = CFB.read(bytes, { type: 'buffer' });
  const stream = (name: string) => Buffer.from(CFB.find(container, name)!.content as Uint8Array);
  return ole({ WordDocument: change(stream('WordDocument')), '1Table': stream('1Table') });
}

describe('a document of Word 97 to 2003', () => {
  it('has the numbers of its lists, and a line for each row of a table', async () => {
    expect(await read(made('lists.doc.gz'), 'ole')).toMatchObject({
      text:
        'Plan\n1. first\n2. second\na. inner\nb. other\n3. third\nbetween\n- dot\nVII. seven\nVIII. eight\n' +
        'one\ttwo\t\nthree\tfour\t\nafter',
    });
  });

  it('has no tabs or line breaks inside of the cells of a table', async () => {
    const bytes = changed(made('lists.doc.gz'), (stream) => {
      stream.write('1\v\t', stream.indexOf('one\x07', 'utf16le'), 'utf16le');
      return stream;
    });
    expect(await read(bytes, 'ole')).toMatchObject({ text: expect.stringContaining('\n1  \ttwo\t\n') });
  });

  it('has the equations that fields draw', async () => {
    const bytes = changed(made('lists.doc.gz'), (stream) => {
      const at = stream.indexOf('first\rsecond', 'utf16le');
      stream.write('\x13EQ \\f(1,2)\x15', at, 'utf16le');
      return stream;
    });
    expect(await read(bytes, 'ole')).toMatchObject({ text: expect.stringContaining('Plan\n1. 1/2\n') });
  });

  it('has no text that was deleted', async () => {
    expect(await read(made('deleted.doc.gz'), 'ole')).toMatchObject({ text: 'kept Имя words' });
  });

  it('that is cut off in its text keeps what is there, and says so', async () => {
    const document = made('lists.doc.gz');
    // The text begins behind the header.
    const bytes = changed(document, (stream) => stream.subarray(0, stream.readUInt32LE(0x18) + 30));
    expect(await read(bytes, 'ole')).toMatchObject({ text: 'Plan\nfirst\nseco', isDamaged: true });
  });

  it('with any byte of its header changed ends with a text or a problem', async () => {
    const document = made('lists.doc.gz');
    for (let at = 0x18; at < 0x2f2; at += 9) {
      const bytes = changed(document, (stream) => {
        stream.fill(0xff, at, at + 4);
        return stream;
      });
      const result = await read(bytes, 'ole');
      expect('problem' in result ? result.problem : 'text').toMatch(/text|broken|empty/);
    }
  });
});

describe('what a document of Word repeats is bounded', () => {
  const PAGE = 512;
  const TEXT_AT = 4 * PAGE;

  /** Numbers, each with its size. */
  const numbers = (...values: [value: number, bytes: number][]): Buffer => {
    const bytes = Buffer.alloc(values.reduce((sum, [, size]) => sum + size, 0));
    let at = 0;
    for (const [value, size] of values) at = bytes.writeUIntLE(value, at, size);
    return bytes;
  };
  const words = (...values: number[]) => numbers(...values.map((value): [number, number] => [value, 4]));

  /** A page of properties of one range: the third or fourth page of the file. */
  const pageOf = (start: number, end: number, properties: Buffer): Buffer => {
    const page = Buffer.alloc(PAGE);
    words(start, end).copy(page);
    page[8] = 50;
    properties.copy(page, 100);
    page[PAGE - 1] = 1;
    return page;
  };

  /** The texts of a document. @param tables by the place of theirs in the header */
  function partsOf(text: string, headers: number, tables: [place: number, table: Buffer][], pages: Buffer[] = []) {
    const header = Buffer.alloc(2 * PAGE);
    words(text.length - headers, 0, headers).copy(header, 0x4c);
    const pieces = numbers([2, 1], [16, 4], [0, 4], [text.length, 4], [0, 2], [(2 * TEXT_AT) | 0x40000000, 4], [0, 2]);
    let table = Buffer.alloc(4);
    for (const [place, content] of [[0x1a2, pieces] as const, ...tables]) {
      words(table.length, content.length).copy(header, place);
      table = Buffer.concat([table, content]);
    }
    const given = Buffer.concat(pages);
    const stream = Buffer.concat([header, given, Buffer.alloc(2 * PAGE - given.length), Buffer.from(text, 'latin1')]);
    return readWord97(stream, () => table).parts.map((part) => part.text);
  }

  const length = (texts: string[]) => texts.join('').length;

  it('headers that stand in one another', () => {
    const size = 100_000;
    const places = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? 0 : size));
    const texts = partsOf('x'.repeat(size + 1), size, [[0xf2, words(...places)]]);
    expect(length(texts)).toBeGreaterThan(size);
    expect(length(texts)).toBeLessThanOrEqual(4 * MAX_CHARACTERS);
  });

  it('a long mark of a list', () => {
    const characters = 60_000;
    const level = numbers([1, 4], ...Array.from({ length: 24 }, (): [number, number] => [0, 1]));
    const list = Buffer.concat([numbers([1, 2], [7, 4]), Buffer.alloc(22), numbers([1, 2])]);
    const mark = Buffer.concat([numbers([characters, 2]), Buffer.from('x'.repeat(characters), 'utf16le')]);
    const paragraph = numbers([0, 1], [3, 1], [0, 2], [0x460b, 2], [1, 2]);
    const count = 1_000;
    const texts = partsOf(
      '\r'.repeat(count),
      0,
      [
        [0x102, words(TEXT_AT, TEXT_AT + count, 2)],
        [0x2ea, words(1, 7, 0, 0, 0, 0)],
        [0x2e2, Buffer.concat([list, level, mark])],
      ],
      [pageOf(TEXT_AT, TEXT_AT + count, paragraph)],
    );
    expect(texts[0]).toContain('xxx');
    expect(length(texts)).toBeLessThan(2 * MAX_CHARACTERS);
  });

  it('deletions that overlap hide their text', () => {
    const deletion = numbers([3, 1], [0x0800, 2], [1, 1]);
    const [text] = partsOf(
      'kept, gone words, kept',
      0,
      [[0xfa, words(TEXT_AT, TEXT_AT + 5, TEXT_AT + 9, 2, 3)]],
      [pageOf(TEXT_AT + 5, TEXT_AT + 16, deletion), pageOf(TEXT_AT + 8, TEXT_AT + 10, deletion)],
    );
    expect(text!.replaceAll('\0', '')).toBe('kept,, kept');
  });
});

it('a document of Word 2, which is no container, is read in its code page', async () => {
  const text = Buffer.from('First\r\nCaf\xe9\r\n', 'latin1');
  const bytes = Buffer.alloc(0x180 + text.length);
  bytes.writeUInt16LE(0xa5db, 0);
  bytes.writeUInt16LE(0x2d, 2);
  bytes.writeUInt16LE(0x409, 6);
  bytes.writeUInt32LE(0x180, 24);
  bytes.writeUInt32LE(0x180 + text.length, 28);
  bytes.writeUInt32LE(text.length, 52);
  text.copy(bytes, 0x180);
  expect(await read(bytes, 'word', 'doc')).toMatchObject({ kind: 'Word document', text: 'First\n\nCafé' });
});
