import { gzipSync } from 'node:zlib';
import { p, read, word } from '../../../test/files/made-documents.js';
import { readDocument } from './read-document.js';

/** An entry of a tar archive. */
const entry = (name: string, content: string, kind = '0') => {
  const block = Buffer.alloc(512 * (1 + Math.ceil(content.length / 512)));
  block.write(name);
  block.write(content.length.toString(8).padStart(11, '0'), 124);
  block.write(kind, 156);
  block.write('ustar', 257);
  block.write(content, 512);
  return block;
};

const tar = Buffer.concat([
  entry('docs/', '', '5'),
  entry('docs/a.txt', 'x'.repeat(600)),
  entry('b.txt', ''),
  Buffer.alloc(1024),
]);

it('a tar archive has the names of its files', async () => {
  expect(await read(tar, 'tar')).toMatchObject({ kind: 'tar archive', text: 'docs/a.txt\nb.txt' });
  expect(await read(gzipSync(tar), 'gzip', 'gz')).toMatchObject({ kind: 'tar archive', text: 'docs/a.txt\nb.txt' });
});

it('a tar archive has long names, as GNU and POSIX write them', async () => {
  const name = `${'folder/'.repeat(20)}a.txt`;
  const posix = ` path=${name}\n`;
  const bytes = Buffer.concat([
    entry('././@LongLink', `${name}\0`, 'L'),
    entry(name.slice(0, 100), 'x'),
    entry('PaxHeaders/b.txt', `30 mtime=1700000000.123456789\n${posix.length + 3}${posix}`, 'x'),
    entry('b.txt', 'x'),
    entry('c.txt', 'x'),
    Buffer.alloc(1024),
  ]);
  expect(await read(bytes, 'tar')).toMatchObject({ text: `${name}\n${name}\nc.txt` });
});

it('a tar archive has sizes in binary, and ends with one below zero', async () => {
  const [large, strange] = [entry('a.bin', 'x'.repeat(600)), entry('b.bin', '')];
  large.fill(0, 124, 136);
  large[124] = 0x80;
  large.writeUInt32BE(600, 132);
  strange.write('-0000001000', 124);
  const bytes = Buffer.concat([large, strange, entry('c.txt', ''), Buffer.alloc(1024)]);
  expect(await read(bytes, 'tar')).toMatchObject({ text: 'a.bin\nb.bin\nc.txt' });
});

it('a gzip archive has the text or the document in it', async () => {
  expect(await read(gzipSync('line one\nline two'), 'gzip', 'gz')).toMatchObject({
    kind: 'gzip archive',
    text: 'line one\nline two',
  });
  expect(await read(gzipSync(word(p('Halo'))), 'gzip', 'gz')).toMatchObject({ text: '[embedded Word document]\nHalo' });
});

const MEGABYTES = 65 * 1024 * 1024;

it('a long text in a gzip archive has its beginning', async () => {
  const result = await readDocument(gzipSync(Buffer.alloc(MEGABYTES, 'caf\u00e9 au lait\n')), 'gzip');
  expect(result).toMatchObject({ kind: 'gzip archive', isCut: true });
  expect(result).not.toHaveProperty('encoding');
});

it('a long tar archive in a gzip archive has its first names', async () => {
  const content = Buffer.concat([tar.subarray(0, -1024), entry('c.bin', 'x'.repeat(MEGABYTES)), entry('d.txt', '')]);
  expect(await read(gzipSync(content), 'gzip')).toMatchObject({ text: 'docs/a.txt\nb.txt\nc.bin\n… and more' });
});

it('a long file without text in a gzip archive is not read', async () => {
  expect(await read(gzipSync(Buffer.alloc(MEGABYTES)), 'gzip')).toMatchObject({ problem: 'empty' });
});

it('a cut gzip archive has the text before the cut', async () => {
  const lines = Array.from({ length: 50_000 }, (_, line) => `line ${line} ${Math.sin(line)}\n`).join('');
  const packed = gzipSync(lines);
  const result = await read(packed.subarray(0, packed.length / 2), 'gzip');
  expect(result).toMatchObject({ isDamaged: true, text: expect.stringMatching(/^line 0 0\nline 1 /) as string });
  expect(await read(gzipSync('text').subarray(0, 10), 'gzip')).toMatchObject({ problem: 'broken' });
});

it('a text in a gzip archive says which encoding was guessed for it', async () => {
  expect(await read(gzipSync(Buffer.from('caf\u00e9 au lait\n', 'latin1')), 'gzip')).toMatchObject({
    text: 'caf\u00e9 au lait',
    encoding: 'Windows-1252',
  });
});
