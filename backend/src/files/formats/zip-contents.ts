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

function open(bytes: Buffer, filter: (name: string, size: number) => boolean): Map<string, Uint8Array> {
  try {
    const entries = unzipSync(bytes, { filter: ({ name, originalSize }) => filter(usualPath(name), originalSize) });
    return new Map(Object.entries(entries).map(([name, content]) => [usualPath(name), content]));
  } catch (error) {
    throw error instanceof ExtractionError ? error : new ExtractionError('broken');
  }
}
