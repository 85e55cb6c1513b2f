import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import { signatureOf, signatureOfFile } from './file-signature.js';

const MEGABYTE = 1024 * 1024;

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** A stored entry of a ZIP archive. */
function entry(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt32LE(content.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name), content]);
}

const types = entry('[Content_Types].xml', Buffer.from(`<Override ContentType="${DOCX}.main+xml"/>`));

/** An Office file whose kind stands behind `bytes` of another entry. */
const officeFile = (bytes: number) => Buffer.concat([entry('a.bin', Buffer.alloc(bytes)), types, Buffer.alloc(100)]);

it.each([
  ['near its start', 1000, DOCX],
  ['far behind it', 2 * MEGABYTE, 'application/zip'],
])('finds the entry with the kind of a file %s (UP-12)', async (_, bytes, mime) => {
  const file = officeFile(bytes);
  expect((await fileTypeFromBuffer(file))?.mime).toBe(DOCX);
  expect((await signatureOf(file))?.mime).toBe(mime);
  const folder = await mkdtemp(join(tmpdir(), 'tanya-signature-'));
  await writeFile(join(folder, 'file'), file);
  expect((await signatureOfFile(join(folder, 'file')))?.mime).toBe(mime);
  await rm(folder, { recursive: true });
});

it('finds no signature in an empty file', async () => {
  expect(await signatureOf(Buffer.alloc(0))).toBeUndefined();
});
