import { firstAfter, MAX_LOOKED_AT, type Range, rangesOf, within } from './formatted-pages.js';
import { CHARSETS } from '../rtf-fonts.js';
import { decode, encodingOfCodePage } from '../text/encodings.js';
import { ExtractionError } from '../sections.js';

/** Bytes of the header of Word 2 to 95 ([MS-DOC] describes later ones, the Word 6 binary format this one). */
const HEADER = {
  version: 2,
  language: 6,
  flags: 10,
  machine: 18,
  textStart: 24,
  textEnd: 28,
  counts: 52,
  runs: 0xb8,
  fonts: 0xd0,
  pieces: 0x160,
  length: 0x168,
} as const;

/** The last version of Word 2, whose tables stand elsewhere: its text is in one range and code page. */
const WORD_2 = 0x63;

/** Parts in the order of the text, each with its number of characters in the header. Macros have no text. */
const PARTS = ['', 'footnotes', 'headers and footers', null, 'comments', 'endnotes', 'text boxes', 'text boxes'];

/** Code pages by the language of Windows, those that are not 1252. */
const LANGUAGE_PAGES: Record<number, number> = {
  0x04: 950,
  0x05: 1250,
  0x08: 1253,
  0x0d: 1255,
  0x0e: 1250,
  0x11: 932,
  0x12: 949,
  0x15: 1250,
  0x18: 1250,
  0x19: 1251,
  0x1e: 874,
  0x1f: 1254,
  0x22: 1251,
};

/** Flag of versions for East Asia, which write UTF-16. */
const IS_WIDE = 0x1000;

/** Properties of characters by their number. */
const PROPERTY = { deleted: 65, font: 93 } as const;

/** Bytes of the values of properties; others have their length before them. */
const VALUE_BYTES: Record<number, number> = {
  ...valuesOf(0, [83]),
  ...valuesOf(1, [65, 66, 67, 71, 75, 85, 86, 87, 88, 89, 90, 91, 92, 94, 98, 100, 101, 102, 104, 117, 118]),
  ...valuesOf(2, [69, 72, 80, 93, 96, 97, 99, 107, 109, 110]),
  ...valuesOf(3, [73, 95]),
  ...valuesOf(4, [70]),
};

function valuesOf(bytes: number, properties: number[]): Record<number, number> {
  return Object.fromEntries(properties.map((property) => [property, bytes]));
}

/** A range of the file with the same properties. */
interface Run extends Range {
  /** Index in the list of fonts; null for the one of the style. */
  font: number | null;
  isDeleted: boolean;
}

/** A range of the text in one font. */
interface Segment extends Range {
  bytes: Buffer;
  encoding: string;
}

/** The parts of a document of Word 2, 6 or 95. From Word 6 on, each font has a code page of its own. */
export function partsOfWord95(stream: Buffer): { label: string; text: string }[] {
  if (stream.length < HEADER.length) throw new ExtractionError('broken');
  const width = widthOf(stream);
  const segments = segmentsOf(stream);
  let start = 0;
  return PARTS.flatMap((label, index) => {
    const end = start + stream.readUInt32LE(HEADER.counts + 4 * index);
    const text = segments
      .filter((segment) => segment.end > start && segment.start < end)
      .map(({ start: own, bytes, encoding }) =>
        decode(bytes.subarray(Math.max(0, start - own) * width, (end - own) * width), encoding),
      )
      .join('');
    start = end;
    return label === null ? [] : [{ label, text }];
  });
}

/** Bytes of a character. */
const widthOf = (stream: Buffer): 1 | 2 => ((stream.readUInt16LE(HEADER.flags) & IS_WIDE) === 0 ? 1 : 2);

/** The text in its order, without what was deleted. */
function segmentsOf(stream: Buffer): Segment[] {
  const encodings = widthOf(stream) === 2 ? [] : encodingsOfFonts(stream);
  const usual = usualEncoding(stream);
  const width = widthOf(stream);
  const runs = runsOf(stream);
  const segments: Segment[] = [];
  let offset = 0;
  for (const { start, end } of piecesOf(stream)) {
    if (offset > MAX_LOOKED_AT) break;
    let index = firstAfter(runs, start);
    // Bytes between runs have the properties of their style.
    for (let at = start; at < end;) {
      while (index < runs.length && runs[index]!.end <= at) index += 1;
      const run = runs[index];
      const isInside = run !== undefined && run.start <= at;
      const next = Math.min(end, isInside ? run.end : (run?.start ?? end));
      const encoding = (isInside && run.font !== null ? encodings[run.font] : undefined) ?? usual;
      const length = Math.floor((next - at) / width);
      if (!isInside || !run.isDeleted)
        segments.push({ start: offset, end: offset + length, bytes: stream.subarray(at, next), encoding });
      offset += length;
      at = next;
    }
  }
  return segments;
}

function usualEncoding(stream: Buffer): string {
  if (widthOf(stream) === 2) return 'utf-16le';
  if (stream[HEADER.machine] === 1) return 'macintosh';
  return encodingOfCodePage(LANGUAGE_PAGES[stream.readUInt16LE(HEADER.language) & 0xff] ?? 1252);
}

/** A table of the file by the place of its offset and length in the header; empty for one beyond the end. */
function tableAt(stream: Buffer, place: number): Buffer {
  if (stream.readUInt16LE(HEADER.version) <= WORD_2) return stream.subarray(0, 0);
  const start = stream.readUInt32LE(place);
  return stream.subarray(start, start + stream.readUInt32LE(place + 4));
}

/** Ranges of the file with the text: one, or pieces where it was saved fast. */
function piecesOf(stream: Buffer): Range[] {
  const whole = { start: stream.readUInt32LE(HEADER.textStart), end: stream.readUInt32LE(HEADER.textEnd) };
  const table = tableAt(stream, HEADER.pieces);
  for (let at = 0; at + 3 <= table.length;) {
    const isPieces = table[at] === 2;
    if (!isPieces) {
      at += 3 + table.readUInt16LE(at + 1);
      continue;
    }
    const pieces = table.subarray(at + 5);
    const count = Math.floor((pieces.length - 4) / 12);
    return Array.from({ length: Math.max(0, count) }, (_, index) => {
      const start = pieces.readUInt32LE(4 * (count + 1) + 8 * index + 2);
      const length = pieces.readUInt32LE(4 * (index + 1)) - pieces.readUInt32LE(4 * index);
      return within(stream, { start, end: start + length * widthOf(stream) });
    });
  }
  return [within(stream, whole)];
}

/** Encodings of the fonts in their order; undefined for those that say nothing of it. */
function encodingsOfFonts(stream: Buffer): (string | undefined)[] {
  const table = tableAt(stream, HEADER.fonts);
  const encodings: (string | undefined)[] = [];
  for (let at = 2; at + 5 <= table.length; at += table[at]! + 1) encodings.push(CHARSETS[table[at + 4]!]);
  return encodings;
}

/** Runs in the order of the file. */
const runsOf = (stream: Buffer): Run[] =>
  rangesOf(stream, tableAt(stream, HEADER.runs), 2, 1, (range, properties) => ({
    ...range,
    ...readProperties(properties.subarray(1, 1 + (properties[0] ?? 0))),
  }));

function readProperties(bytes: Buffer): Pick<Run, 'font' | 'isDeleted'> {
  const found: Pick<Run, 'font' | 'isDeleted'> = { font: null, isDeleted: false };
  for (let at = 0; at < bytes.length;) {
    const property = bytes[at]!;
    const length = VALUE_BYTES[property] ?? (bytes[at + 1] ?? 0) + 1;
    if (property === PROPERTY.deleted) found.isDeleted = bytes[at + 1] === 1;
    if (property === PROPERTY.font && at + 3 <= bytes.length) found.font = bytes.readUInt16LE(at + 1);
    at += 1 + length;
  }
  return found;
}
