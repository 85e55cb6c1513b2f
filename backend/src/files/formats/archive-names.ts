import { gunzipSync } from 'node:zlib';
import { createExtractorFromData } from 'node-unrar-js';
import { ExtractionError, type SectionCollector } from './sections.js';

const MAX_NAMES = 1000;

/** Bytes that a gzip archive may have inside. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024;

/** Bytes of a block of a tar archive. */
const BLOCK_BYTES = 512;

const TAR_MARK = { at: 257, text: 'ustar' } as const;

/** Archives are not unpacked: their text is the list of the file names in them. */
export function addNames(names: string[], out: SectionCollector): void {
  for (const name of names.slice(0, MAX_NAMES)) out.add(`${name}\n`);
  if (names.length > MAX_NAMES) out.add(`… and ${names.length - MAX_NAMES} more\n`);
}

export async function readRarNames(bytes: Buffer, out: SectionCollector): Promise<void> {
  try {
    const data = new Uint8Array(bytes).buffer;
    const { fileHeaders } = (await createExtractorFromData({ data })).getFileList();
    addNames(
      [...fileHeaders].map(({ name }) => name),
      out,
    );
  } catch {
    throw new ExtractionError('broken');
  }
}

/** The file inside of a gzip archive. @throws ExtractionError */
export function gunzipped(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_INFLATED_BYTES });
  } catch (error) {
    throw new ExtractionError(error instanceof RangeError ? 'hostile' : 'broken');
  }
}

export const isTar = (bytes: Buffer): boolean =>
  bytes.toString('latin1', TAR_MARK.at, TAR_MARK.at + TAR_MARK.text.length) === TAR_MARK.text;

/** The names in a tar archive; entries without a name of a file, such as longer names, are left out. */
export function tarNames(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at + BLOCK_BYTES <= bytes.length && bytes[at] !== 0;) {
    const text = (start: number, length: number) =>
      bytes.toString('utf8', at + start, at + start + length).split('\0', 1)[0]!;
    const size = Number.parseInt(text(124, 12).trim(), 8) || 0;
    const prefix = text(345, 155);
    if (['', '0', '7'].includes(text(156, 1))) names.push(prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`);
    at += BLOCK_BYTES * (1 + Math.ceil(size / BLOCK_BYTES));
  }
  return names;
}
