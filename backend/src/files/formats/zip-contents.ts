import { constants, inflateRawSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { ExtractionError } from './sections.js';

const MAX_ENTRIES = 10_000;

/** Declared size of all entries together, bytes. Real documents stay far below. */
const MAX_DECLARED_BYTES = 512 * 1024 * 1024;

/** Declared size of the entries that are read, bytes. */
const MAX_READ_BYTES = 128 * 1024 * 1024;

/** Document types that declare something of their own: entities, which expand. OpenOffice names outer ones. */
const DOCTYPE = /<!ENTITY|<!DOCTYPE[^>]*\[/i;

/** Bytes of an XML file that are searched for a document type. */
const PROLOGUE_BYTES = 4096;

/** What begins an entry, and what ends the list of them, after all entries. */
const ENTRY = Buffer.from('PK\x03\x04', 'latin1');
const LIST_END = Buffer.from('PK\x05\x06', 'latin1');

/** Of the head of an entry, before its name. */
const HEAD_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/** A bit of an entry whose name is in UTF-8. */
const IS_UTF8 = 0x800;

/** What no name has; a head by chance does. Letters of DOS, as in `für.txt`, look like the control characters behind ASCII. */
const NO_NAME = /(?=\p{ASCII})\p{Cc}|\ufffd|^$/u;

/** Bytes from the end of the list on: its own, and those of the longest comment. Others are of an archive inside of this one. */
const LIST_END_BYTES = 22 + 0xffff;

/** Whether an archive has lost its end, and the list of its entries with it, as after a transfer that stopped. */
export const isCutZip = (bytes: Buffer): boolean => bytes.subarray(-LIST_END_BYTES).lastIndexOf(LIST_END) < 0;

/** The names of all entries, in archive order. @throws ExtractionError */
export function zipNames(bytes: Buffer): string[] {
  const names: string[] = [];
  open(bytes, (name) => {
    names.push(name);
    return false;
  });
  return names;
}

/**
 * Inflates the wanted entries. Each is inflated into a buffer of its declared size, so a false declaration cannot exceed
 * the bounds.
 * @throws ExtractionError `hostile` when a bound is exceeded
 */
export function zipEntries(bytes: Buffer, isWanted: (name: string, size: number) => boolean): Map<string, Uint8Array> {
  let declared = 0;
  let read = 0;
  let count = 0;
  const entries = open(bytes, (name, size) => {
    declared += size;
    count += 1;
    const wanted = isWanted(name, size);
    if (wanted) read += size;
    if (count > MAX_ENTRIES || declared > MAX_DECLARED_BYTES || read > MAX_READ_BYTES)
      throw new ExtractionError('hostile');
    return wanted;
  });
  for (const [name, content] of entries) {
    const prologue = Buffer.from(content.buffer, content.byteOffset, Math.min(content.length, PROLOGUE_BYTES));
    if (/\.(xml|rels)$/i.test(name) && DOCTYPE.test(prologue.toString('latin1').replaceAll('\0', '')))
      throw new ExtractionError('hostile');
  }
  return entries;
}

/** Some programs write paths of Windows, or absolute ones. */
const usualPath = (name: string): string => name.replaceAll('\\', '/').replace(/^\//, '');

type Filter = (name: string, size: number) => boolean;

function open(bytes: Buffer, filter: Filter): Map<string, Uint8Array> {
  if (isCutZip(bytes)) return entriesOfCut(bytes, filter);
  try {
    const entries = unzipSync(bytes, { filter: ({ name, originalSize }) => filter(usualPath(name), originalSize) });
    return new Map(Object.entries(entries).map(([name, content]) => [usualPath(name), content]));
  } catch (error) {
    throw error instanceof ExtractionError ? error : new ExtractionError('broken');
  }
}

/** The entries of an archive without a list: each has a head of its own. The last one may lack its end. */
function entriesOfCut(bytes: Buffer, filter: Filter): Map<string, Uint8Array> {
  const entries = new Map<string, Uint8Array>();
  let count = 0;
  let left = MAX_READ_BYTES;
  let next = bytes.indexOf(ENTRY);
  while (next >= 0 && next + HEAD_BYTES <= bytes.length) {
    const at = next;
    const packed = bytes.readUInt32LE(at + 18);
    const nameEnd = at + HEAD_BYTES + bytes.readUInt16LE(at + 26);
    const start = nameEnd + bytes.readUInt16LE(at + 28);
    // An entry that was written before its size was known has it behind itself.
    next = bytes.indexOf(ENTRY, start + packed);
    const end = packed > 0 ? start + packed : next < 0 ? bytes.length : next;
    const encoding = (bytes.readUInt16LE(at + 6) & IS_UTF8) === 0 ? 'latin1' : 'utf8';
    const name = usualPath(bytes.toString(encoding, at + HEAD_BYTES, nameEnd));
    const method = bytes.readUInt16LE(at + 8);
    if (NO_NAME.test(name) || (method !== STORED && method !== DEFLATED)) continue;
    count += 1;
    if (!filter(name, bytes.readUInt32LE(at + 22))) continue;
    const content = inflated(method, bytes.subarray(start, end), left);
    left -= content.length;
    entries.set(name, content);
  }
  if (count === 0) throw new ExtractionError('broken');
  return entries;
}

/** The content of an entry up to the place where it is cut; empty for a broken one. @param most bytes */
function inflated(method: number, packed: Buffer, most: number): Uint8Array {
  if (packed.length > most) throw new ExtractionError('hostile');
  if (method === STORED) return packed;
  try {
    return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(most, 1) });
  } catch (error) {
    if (error instanceof RangeError) throw new ExtractionError('hostile');
    return new Uint8Array();
  }
}
