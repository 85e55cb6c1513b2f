import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { strFromU8, strToU8, Zip, ZipDeflate, zipSync } from 'fflate';
import { p, read, rels, word, zip } from '../../../test/files/made-documents.js';
import type { ExtractionResult } from './sections.js';

const LIST = Buffer.from('PK\x01\x02', 'latin1');

/** Lines that are hard to pack, so that a cut leaves some of them. */
const LINES = Array.from({ length: 300 }, (_, index) => `${index} ${randomBytes(30).toString('base64')}`);

const parts = {
  '[Content_Types].xml': '<Types/>',
  '_rels/.rels': rels(['officeDocument', 'doc/main.xml']),
  'doc/main.xml': `<w:document><w:body>${LINES.map((line) => p(line)).join('')}</w:body></w:document>`,
};

/** As programs write an archive that they send while they make it: sizes stand behind the entries. */
function streamed(): Buffer {
  const pieces: Uint8Array[] = [];
  const archive = new Zip((_, piece) => pieces.push(piece));
  for (const [name, content] of Object.entries(parts)) {
    const entry = new ZipDeflate(name);
    archive.add(entry);
    entry.push(strToU8(content), true);
  }
  archive.end();
  return Buffer.concat(pieces);
}

const textOf = (result: ExtractionResult) =>
  'sections' in result ? result.sections.map(({ text }) => text).join('\n') : result.problem;

describe.each([
  ['sizes before its entries', zip(parts)],
  ['sizes behind its entries', streamed()],
])('a document in an archive with %s', (_, whole) => {
  it('that has lost its list is read as a whole, and said to be damaged', async () => {
    const result = await read(whole.subarray(0, whole.indexOf(LIST)), 'zip');
    expect(textOf(result)).toBe(LINES.join('\n'));
    expect(result).toMatchObject({ kind: 'Word document', isDamaged: true });
  });

  it('that is cut keeps its beginning', async () => {
    const result = await read(whole.subarray(0, whole.indexOf(LIST) / 2), 'zip');
    const lines = textOf(result).split('\n');
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.slice(0, -1)).toEqual(LINES.slice(0, lines.length - 1));
    expect(result).toMatchObject({ isDamaged: true, isCut: false });
  });

  it('that is whole is not damaged', async () => {
    expect(await read(whole, 'zip')).not.toHaveProperty('isDamaged');
  });
});

it('a cut archive is named as broken where no text is left', async () => {
  const whole = word(p('late'), {}, []);
  expect(await read(whole.subarray(0, 60), 'zip')).toMatchObject({ problem: 'broken' });
});

it.each([
  ['bytes by chance', Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), randomBytes(5_000)])],
  [
    'a workbook without its main part',
    zip({ 'xl/worksheets/sheet1.xml': '<a/>', 'xl/workbook.xml': 'x' }).subarray(0, 90),
  ],
  ['the beginning of a book', zip({ mimetype: 'application/epub+zip', 'a.xhtml': '<p>a</p>' }).subarray(0, 90)],
])('never shows what is left of %s', async (_, bytes) => {
  expect(await read(bytes, 'zip')).toMatchObject({ problem: 'broken' });
});

it('names the files of a cut archive that are left, whatever its folders are called', async () => {
  const whole = zip({ 'a.txt': 'one', 'word/b.docx': 'two' });
  expect(await read(whole.subarray(0, whole.indexOf(LIST)), 'zip')).toMatchObject({
    text: 'a.txt\nword/b.docx',
    isDamaged: true,
  });
});

it('names the files of a cut archive as an archiver of DOS does, whose letters have other numbers', async () => {
  const whole = zip({ 'x.txt': 'one', 'b.txt': 'two' });
  for (let at = whole.indexOf('x.txt'); at >= 0; at = whole.indexOf('x.txt', at)) whole[at] = 0x81;
  const shown = await read(whole, 'zip');
  expect(shown).toMatchObject({ text: expect.stringMatching(/^.\.txt\nb\.txt$/s) as string });
  expect(await read(whole.subarray(0, whole.indexOf(LIST)), 'zip')).toEqual({ ...shown, isDamaged: true });
});

it('a cut archive is one too where an earlier file in it is a whole archive', async () => {
  const inner = strFromU8(zip({ 'inner.txt': 'one' }), true);
  const whole = Buffer.from(
    zipSync({ 'a.zip': strToU8(inner, true), 'b.bin': randomBytes(70_000), 'c.txt': strToU8('two') }, { level: 0 }),
  );
  expect(await read(whole.subarray(0, whole.lastIndexOf('c.txt') - 60), 'zip')).toMatchObject({
    text: 'a.zip\nb.bin\nc.txt',
    isDamaged: true,
  });
});

it('a cut archive that inflates without end is refused', async () => {
  const name = Buffer.from('word/document.xml');
  // Its head says that the size stands behind the entry.
  const head = Buffer.alloc(30);
  head.write('PK\x03\x04', 'latin1');
  head.writeUInt16LE(8, 6);
  head.writeUInt16LE(8, 8);
  head.writeUInt16LE(name.length, 26);
  const packed = deflateRawSync(Buffer.alloc(130 * 1024 * 1024, '<w:t>'), { level: 1 });
  expect(await read(Buffer.concat([head, name, packed]), 'zip')).toMatchObject({ problem: 'hostile' });
});

/** An archive whose names are in an encoding, which it does not say. */
function packedAs(encoding: string, names: readonly string[]): Buffer {
  const raw = names.map((name) => iconv.encode(name, encoding));
  const places = raw.map(({ length }, index) => 'abcdef'[index]!.repeat(length));
  const bytes = Buffer.from(zipSync(Object.fromEntries(places.map((place) => [place, strToU8('1')]))));
  for (const [index, place] of places.entries())
    for (let at = bytes.indexOf(place); at >= 0; at = bytes.indexOf(place, at + 1)) raw[index]!.copy(bytes, at);
  return bytes;
}

it.each([
  ['a computer in Japan', 'shift_jis', ['サンプル表.txt', '見積書/ソース.xlsx']],
  ['a computer in Russia', 'cp866', ['Договор аренды.docx', 'Отчёты/Январь.xlsx']],
  ['a computer in Germany', 'cp850', ['Übersicht für Jürgen.txt', 'Größen/Maße.xlsx']],
  ['a Macintosh', 'utf-8', ['Résumé.pdf', 'Ångström.txt']],
])('names the files as %s that packed them shows their names', async (_, encoding, names) => {
  expect(await read(packedAs(encoding, names), 'zip')).toMatchObject({ text: names.join('\n') });
});
