import { isUtf8 } from 'node:buffer';
import { createGunzip } from 'node:zlib';
import { createExtractorFromData } from 'node-unrar-js';
import { ExtractionError, MAX_CHARACTERS, type SectionCollector } from './sections.js';
import { decode } from './text/encodings.js';
import { guessEncoding } from './text/guess-encoding.js';

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

/** What ends the list of the entries of a ZIP archive, and what begins one of them in it. */
const LIST_END = Buffer.from('PK\x05\x06', 'latin1');
const ENTRY = Buffer.from('PK\x01\x02', 'latin1');
const ENTRY_BYTES = 46;
const LIST_END_BYTES = 22;

/** A bit of an entry whose name is in UTF-8. */
const IS_UTF8 = 0x800;

/** Whether the letters of a name are bytes of an unknown encoding, each as a character. */
const isInBytes = (name: string): boolean => /[\x80-\xff]/.test(name) && !/[^\0-\xff]/.test(name);

/**
 * The names in a ZIP archive as the computer showed them that packed it: those that do not say their encoding are in UTF-8,
 * as from a Macintosh, or in the code page of a DOS of its country.
 * @param names of a reader that takes the bytes of these for characters
 */
export function shownZipNames(bytes: Buffer, names: readonly string[]): string[] {
  const listed = listedNames(bytes);
  const given =
    listed.length === names.length
      ? listed
      : names.map((name) => (isInBytes(name) ? Buffer.from(name, 'latin1') : name));
  const unknown = given.filter((name) => typeof name !== 'string' && !isUtf8(name)) as Buffer[];
  const encoding =
    unknown.length === 0 ? 'utf-8' : guessEncoding(Buffer.concat(unknown.flatMap((name) => [name, LINE])));
  return given.map((name) => {
    const shown = typeof name === 'string' ? name : decode(name, isUtf8(name) ? 'utf-8' : encoding);
    return shown.replaceAll('\\', '/').replace(/^\//, '');
  });
}

const LINE = Buffer.from('\n');

/** The names in the list at the end of an archive: as bytes where they do not say that they are in UTF-8. */
function listedNames(bytes: Buffer): (Buffer | string)[] {
  const names: (Buffer | string)[] = [];
  const end = bytes.lastIndexOf(LIST_END);
  let at = end < 0 || end + LIST_END_BYTES > bytes.length ? bytes.length : bytes.readUInt32LE(end + 16);
  while (at + ENTRY_BYTES <= bytes.length && bytes.subarray(at, at + ENTRY.length).equals(ENTRY)) {
    const nameEnd = at + ENTRY_BYTES + bytes.readUInt16LE(at + 28);
    const name = bytes.subarray(at + ENTRY_BYTES, nameEnd);
    names.push((bytes.readUInt16LE(at + 8) & IS_UTF8) === 0 ? name : name.toString());
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return names;
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

/** The size of an entry: octal digits, or a number in binary after a byte with its highest bit. */
const sizeIn = (field: Buffer): number =>
  field[0]! >= 0x80 ? field.readUIntBE(6, 6) : Math.max(0, Number.parseInt(field.toString('latin1').trim(), 8) || 0);

export function tarNames(bytes: Buffer): string[] {
  const names: string[] = [];
  let longName = '';
  for (let at = 0; at + BLOCK_BYTES <= bytes.length && bytes[at] !== 0;) {
    const text = (start: number, length: number) =>
      bytes.toString('utf8', at + start, at + start + length).split('\0', 1)[0]!;
    const size = sizeIn(bytes.subarray(at + 124, at + 136));
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
