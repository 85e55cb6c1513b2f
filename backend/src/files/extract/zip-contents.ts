import { unzipSync } from 'fflate';
import { ExtractionError } from './extraction.js';

const MAX_ENTRIES = 10_000;

/** All entries together, by what the archive declares: no honest document comes near it. */
const MAX_DECLARED_BYTES = 512 * 1024 * 1024;

/** The entries that are read. */
const MAX_READ_BYTES = 128 * 1024 * 1024;

/** Office documents need none, and the tricks with entities do. */
const DOCTYPE = /<!(?:DOCTYPE|ENTITY)/i;

/** How far into an XML file a document type may stand. */
const PROLOGUE_BYTES = 4096;

/** Names in the order of the archive. @throws ExtractionError */
export function zipNames(bytes: Buffer): string[] {
  const names: string[] = [];
  open(bytes, (name) => {
    names.push(name);
    return false;
  });
  return names;
}

/**
 * The entries whose names are wanted. Each is inflated into a buffer of its declared size, so an archive that lies
 * about sizes gains nothing by it.
 * @throws ExtractionError `hostile` for more than a document ever holds
 */
export function zipEntries(bytes: Buffer, isWanted: (name: string) => boolean): Map<string, Uint8Array> {
  let declared = 0;
  let read = 0;
  let count = 0;
  const entries = open(bytes, (name, size) => {
    declared += size;
    count += 1;
    const wanted = isWanted(name);
    if (wanted) read += size;
    if (count > MAX_ENTRIES || declared > MAX_DECLARED_BYTES || read > MAX_READ_BYTES)
      throw new ExtractionError('hostile');
    return wanted;
  });
  for (const [name, content] of Object.entries(entries)) {
    const prologue = Buffer.from(content.buffer, content.byteOffset, Math.min(content.length, PROLOGUE_BYTES));
    if (/\.(xml|rels)$/i.test(name) && DOCTYPE.test(prologue.toString('latin1').replaceAll('\0', '')))
      throw new ExtractionError('hostile');
  }
  return new Map(Object.entries(entries));
}

function open(bytes: Buffer, filter: (name: string, size: number) => boolean): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter: ({ name, originalSize }) => filter(name, originalSize) });
  } catch (error) {
    throw error instanceof ExtractionError ? error : new ExtractionError('broken');
  }
}
