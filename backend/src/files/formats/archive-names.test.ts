import { gzipSync } from 'node:zlib';
import { p, read, word } from '../../../test/files/made-documents.js';

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

it('a gzip archive has the text or the document in it', async () => {
  expect(await read(gzipSync('line one\nline two'), 'gzip', 'gz')).toMatchObject({
    kind: 'gzip archive',
    text: 'line one\nline two',
  });
  expect(await read(gzipSync(word(p('Halo'))), 'gzip', 'gz')).toMatchObject({ text: '[embedded Word document]\nHalo' });
});

it('a gzip archive without end is refused, a cut one reported', async () => {
  expect(await read(gzipSync(Buffer.alloc(65 * 1024 * 1024)), 'gzip')).toMatchObject({ problem: 'hostile' });
  expect(await read(gzipSync('text').subarray(0, 12), 'gzip')).toMatchObject({ problem: 'broken' });
});
