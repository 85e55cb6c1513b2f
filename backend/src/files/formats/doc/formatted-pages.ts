import { MAX_CHARACTERS } from '../sections.js';

/** Characters that are looked at, of all parts of a document together: deleted ones and instructions of fields are no text. */
export const MAX_LOOKED_AT = 4 * MAX_CHARACTERS;

/** Bytes of a page of properties, which a table of the document lists. */
const PAGE_BYTES = 512;

/** A range of the file with the same properties. */
export interface Range {
  start: number;
  end: number;
}

/** A range of the file, inside of it. */
export const within = ({ length }: Buffer, { start, end }: Range): Range => ({
  start: Math.min(start, length),
  end: Math.min(Math.max(start, end), length),
});

/**
 * The pages that a table lists: the places of their text, then their numbers. Each counts once.
 * @param numberBytes of a number of a page
 * @param entryBytes of an entry of a page, of which the first is the place of its properties in words
 */
export function rangesOf<T extends Range>(
  stream: Buffer,
  table: Buffer,
  numberBytes: 2 | 4,
  entryBytes: number,
  read: (range: Range, properties: Buffer) => T,
): T[] {
  const count = Math.floor((table.length - 4) / (4 + numberBytes));
  const pages = new Set<number>();
  for (let index = 0; index < count; index++) {
    const at = 4 * (count + 1) + numberBytes * index;
    pages.add(numberBytes === 2 ? table.readUInt16LE(at) : table.readUInt32LE(at) & 0x3fffff);
  }
  const ranges = [...pages].flatMap((page) => {
    const start = page * PAGE_BYTES;
    return rangesOfPage(stream.subarray(start, start + PAGE_BYTES), entryBytes, read);
  });
  return ranges.sort((one, other) => one.end - other.end);
}

function rangesOfPage<T>(page: Buffer, entryBytes: number, read: (range: Range, properties: Buffer) => T): T[] {
  const count = page[PAGE_BYTES - 1] ?? 0;
  if (4 * (count + 1) + entryBytes * count >= PAGE_BYTES) return [];
  return Array.from({ length: count }, (_, index) => {
    const at = page[4 * (count + 1) + entryBytes * index]! * 2;
    const range = { start: page.readUInt32LE(4 * index), end: page.readUInt32LE(4 * index + 4) };
    return read(range, at === 0 ? page.subarray(0, 0) : page.subarray(at));
  });
}

/** Index of the first range that ends after a place; ranges in the order of their ends. */
export function firstAfter(ranges: readonly Range[], place: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.end <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
