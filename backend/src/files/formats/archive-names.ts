import { createGunzip } from 'node:zlib';
import { createExtractorFromData } from 'node-unrar-js';
import { ExtractionError, MAX_CHARACTERS, type SectionCollector } from './sections.js';

const MAX_NAMES = 1000;

/** Bytes inside of a gzip archive that are looked at. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024;

const PIECE_BYTES = 64 * 1024;

/** Bytes that have more than `MAX_CHARACTERS` in each encoding. */
const TEXT_BYTES = 8 * MAX_CHARACTERS;

/** Bytes of a block of a tar archive. */
const BLOCK_BYTES = 512;

const TAR_MARK = { at: 257, text: 'ustar' } as const;

/**
 * Archives are not unpacked: their text is the list of the file names in them.
 * @param isCut whether the archive has more names
 */
export function addNames(names: string[], out: SectionCollector, isCut = false): void {
  for (const name of names.slice(0, MAX_NAMES)) out.add(`${name}\n`);
  if (isCut) out.add('… and more\n');
  else if (names.length > MAX_NAMES) out.add(`… and ${names.length - MAX_NAMES} more\n`);
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

/** What a gzip archive has inside. */
export interface Inflated {
  content: Buffer;
  /** Whether it has more. */
  isCut: boolean;
  /** Whether the archive is broken behind the content. */
  isDamaged: boolean;
}

/** The file inside of a gzip archive, as far as it is looked at. @throws ExtractionError `broken` where nothing can be read */
export async function gunzipped(bytes: Buffer): Promise<Inflated> {
  const pieces: Buffer[] = [];
  let size = 0;
  let isDamaged = false;
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  gunzip.end(bytes);
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      pieces.push(piece);
      size += piece.length;
      if (size > MAX_INFLATED_BYTES) break;
    }
  } catch {
    isDamaged = true;
  }
  if (size === 0 && isDamaged) throw new ExtractionError('broken');
  return { content: Buffer.concat(pieces), isCut: size > MAX_INFLATED_BYTES, isDamaged };
}

/** The beginning of a file that may be a text: all of it, or its first lines. */
export function firstLines({ content, isCut, isDamaged }: Inflated): Buffer {
  const isWhole = !isCut && !isDamaged && content.length <= TEXT_BYTES;
  const end = isWhole ? content.length : content.lastIndexOf(0x0a, TEXT_BYTES) + 1;
  return content.subarray(0, end || TEXT_BYTES);
}

export const isTar = (bytes: Buffer): boolean =>
  bytes.toString('latin1', TAR_MARK.at, TAR_MARK.at + TAR_MARK.text.length) === TAR_MARK.text;

/** Kinds of entries of a tar archive. */
const FILES = ['', '0', '7'];
/** Those of names of more than 100 bytes, which stand before their file, as GNU and POSIX write them. */
const LONG_NAME = 'L';
const PROPERTIES = 'x';
/** Others that may stand before a file. */
const BESIDE = ['K', 'g'];

export function tarNames(bytes: Buffer): string[] {
  const names: string[] = [];
  let longName = '';
  for (let at = 0; at + BLOCK_BYTES <= bytes.length && bytes[at] !== 0;) {
    const text = (start: number, length: number) =>
      bytes.toString('utf8', at + start, at + start + length).split('\0', 1)[0]!;
    const size = Number.parseInt(text(124, 12).trim(), 8) || 0;
    const kind = text(156, 1);
    if (kind === LONG_NAME) longName = text(BLOCK_BYTES, size);
    else if (kind === PROPERTIES) longName = /^\d+ path=(.*)$/m.exec(text(BLOCK_BYTES, size))?.[1] ?? longName;
    else if (!BESIDE.includes(kind)) {
      const prefix = text(345, 155);
      const name = longName || (prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`);
      if (FILES.includes(kind)) names.push(name);
      longName = '';
    }
    at += BLOCK_BYTES * (1 + Math.ceil(size / BLOCK_BYTES));
  }
  return names;
}
