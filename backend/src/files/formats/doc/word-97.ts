import { ExtractionError, MAX_CHARACTERS, MAX_SECTIONS } from '../sections.js';
import { firstAfter, MAX_LOOKED_AT, type Range, rangesOf, within } from './formatted-pages.js';
import { numberingOf, type Place, listPlaceOf, placesOfStyles } from './lists.js';
import { ABOVE, PROPERTY, propertiesOf } from './properties.js';
import { wordArtOfWord } from '../office/drawn/word-art.js';
import { numberText } from '../office/lists/number-text.js';
import { raised } from '../text/looks.js';
import { isSymbolFont, symbolOf, withSymbols } from '../text/symbol-fonts.js';

/** Bytes of the header of Word 97 and later ([MS-DOC] 2.5). Tables have their place and their length. */
const HEADER = {
  flags: 10,
  counts: 0x4c,
  styles: 0xa2,
  footnotes: 0xaa,
  headers: 0xf2,
  runs: 0xfa,
  paragraphs: 0x102,
  fonts: 0x112,
  pieces: 0x1a2,
  endnotes: 0x20a,
  drawings: 0x22a,
  lists: 0x2e2,
  listUses: 0x2ea,
  length: 0x2f2,
} as const;

const IS_SECOND_TABLE = 0x0200;

/** Parts in the order of the text, each with its number of characters in the header. Macros have no text. */
const PARTS = ['', 'footnotes', 'headers', null, 'comments', 'endnotes', 'text boxes', 'text boxes'] as const;

/** Stands for the number of a note, at its reference and before it. */
const NOTE = '\x02';

/** How the numbers of notes are written. */
const NOTE_FORMATS = { footnotes: 'decimal', endnotes: 'lowerRoman' } as const;

/** Bytes of a reference in its table, behind the places of all of them. */
const REFERENCE_BYTES = 2;

/** References that are numbered. */
const MAX_NOTES = 100_000;

const noteMark = (number: number, kind: keyof typeof NOTE_FORMATS): string =>
  `[${numberText(number, NOTE_FORMATS[kind])}]`;

/** The order in which parts are shown. */
const SHOWN = ['', 'text boxes', 'footnotes', 'endnotes', 'comments', 'headers', 'footers'];

/** Parts of the headers: six lines between notes and text, then six headers and footers of each section. */
const STORIES = 6;
const FOOTERS = [2, 3, 5];

/** The place of a piece, and the bit of one with one byte for each character. */
const PLACE = 0x3fffffff;
const IS_NARROW = 0x40000000;

const DECODERS = {
  1: new TextDecoder('windows-1252'),
  2: new TextDecoder('utf-16le', { ignoreBOM: true }),
} as const;

/** Ends of a paragraph: of its own, of a cell or a row, of a page. */
const PARAGRAPH_ENDS = ['\r', '\x07', '\f'];

interface Piece extends Range {
  /** Of its first character in the file. */
  offset: number;
  width: 1 | 2;
  isCut: boolean;
}

interface Paragraph extends Range {
  style: number;
  place: Partial<Place>;
  isRowEnd: boolean;
  isInTable: boolean;
}

/** Letters that are shown in another way than they are stored, each as one. */
interface Change extends Range {
  show: (letters: string) => string;
}

interface Part extends Range {
  label: string;
}

/** @param tables gives a stream by its name; null for one that does not exist */
export function readWord97(
  stream: Buffer,
  tables: (name: string) => Buffer | null,
): { parts: { label: string; text: string }[]; isDamaged: boolean } {
  if (stream.length < HEADER.length) throw new ExtractionError('broken');
  const isSecond = (stream.readUInt16LE(HEADER.flags) & IS_SECOND_TABLE) !== 0;
  const table = tables(isSecond ? '1Table' : '0Table') ?? tables(isSecond ? '0Table' : '1Table');
  if (table === null) throw new ExtractionError('broken');
  const text = new WordText(stream, table);
  const parts = text.parts();
  const art = wordArtOfWord(text.tableAt(HEADER.drawings));
  const shown = SHOWN.flatMap((label) => [
    ...parts.filter((part) => part.label === label).map((part) => ({ label, text: text.of(part) })),
    ...(label === 'text boxes' ? art.inText : label === 'headers' ? art.inHeaders : []).map((drawn) => ({
      label,
      text: `${drawn}\r`,
    })),
  ]);
  return { parts: shown, isDamaged: text.isDamaged };
}

class WordText {
  /** Whether a piece of the text stands beyond the end of the file. */
  readonly isDamaged: boolean;
  private readonly pieces: Piece[];
  private readonly changes: Change[];
  private readonly paragraphs: Paragraph[];
  private readonly styles: Partial<Place>[];
  private readonly numbering;
  /** The marks of notes by the places of their references. */
  private readonly marks = new Map<number, string>();
  /** Characters that may still be looked at, and those of marks of lists that may still be added. */
  private room = MAX_LOOKED_AT;
  private markRoom = MAX_CHARACTERS;

  constructor(
    private readonly stream: Buffer,
    private readonly table: Buffer,
  ) {
    this.pieces = piecesOf(stream, this.tableAt(HEADER.pieces));
    this.isDamaged = this.pieces.some(({ isCut }) => isCut);
    if (this.pieces.length === 0) throw new ExtractionError('broken');
    const fonts = fontsOf(this.tableAt(HEADER.fonts));
    const runs = rangesOf(stream, this.tableAt(HEADER.runs), 4, 1, (range, properties) => ({
      ...range,
      show: changeOf(propertiesOf(properties.subarray(1, 1 + (properties[0] ?? 0))), fonts),
    }));
    this.changes = disjoint(runs.filter((run): run is Change => run.show !== null));
    this.paragraphs = rangesOf(stream, this.tableAt(HEADER.paragraphs), 4, 13, readParagraph);
    this.styles = placesOfStyles(this.tableAt(HEADER.styles));
    // The levels of lists stand behind their table.
    const lists = this.tableAt(HEADER.lists).length === 0 ? 0 : table.length;
    const start = stream.readUInt32LE(HEADER.lists);
    this.numbering = numberingOf(table.subarray(start, start + lists), this.tableAt(HEADER.listUses));
    for (const kind of ['footnotes', 'endnotes'] as const) this.readReferences(kind);
  }

  /** Notes with a number count in the order of their references. */
  private readReferences(kind: 'footnotes' | 'endnotes'): void {
    const table = this.tableAt(HEADER[kind]);
    const count = Math.floor((table.length - 4) / (4 + REFERENCE_BYTES));
    let number = 0;
    for (let index = 0; index < Math.min(count, MAX_NOTES); index++) {
      const isCounted = table.readUInt16LE(4 * (count + 1) + REFERENCE_BYTES * index) !== 0;
      if (!isCounted) continue;
      number += 1;
      this.marks.set(table.readUInt32LE(4 * index), noteMark(number, kind));
    }
  }

  parts(): Part[] {
    let start = 0;
    return PARTS.flatMap((label, index): Part[] => {
      const end = start + this.stream.readUInt32LE(HEADER.counts + 4 * index);
      const part = { label: label ?? '', start, end };
      start = end;
      if (label === null) return [];
      return label === 'headers' ? this.headersIn(part) : [part];
    });
  }

  /** Headers and footers; the lines between notes and text are none. */
  private headersIn({ start, end }: Part): Part[] {
    const table = this.tableAt(HEADER.headers);
    const count = Math.min(Math.floor(table.length / 4), STORIES * MAX_SECTIONS);
    const places = Array.from({ length: count }, (_, index) => Math.min(start + table.readUInt32LE(4 * index), end));
    return places.slice(STORIES, -1).map((place, index) => ({
      label: FOOTERS.includes(index % STORIES) ? 'footers' : 'headers',
      start: place,
      end: places[STORIES + index + 1]!,
    }));
  }

  /** The text of a part, with the marks of its lists before their paragraphs, and those of notes. */
  of({ label, start, end }: Part): string {
    const raw = this.raw(start, end);
    let text = '';
    let from = 0;
    let line = '';
    let notes = 0;
    for (let index = 0; index < raw.length; index++) {
      if (raw[index] === NOTE) {
        notes += 1;
        const isNote = label === 'footnotes' || label === 'endnotes';
        const mark = isNote ? noteMark(notes, label) : (this.marks.get(start + index) ?? '');
        line += raw.slice(from, index) + mark + (isNote && /\S/.test(raw[index + 1] ?? '') ? ' ' : '');
        from = index + 1;
      }
      if (!PARAGRAPH_ENDS.includes(raw[index]!)) continue;
      const paragraph = this.paragraphAt(start + index);
      const isInCell = paragraph?.isInTable === true && !paragraph.isRowEnd;
      const ending = raw[index] === '\x07' ? (paragraph?.isRowEnd ? '\n' : '\t') : isInCell ? ' ' : '\n';
      const own = line + raw.slice(from, index);
      text += this.markOf(paragraph) + (isInCell ? own.replace(/[\t\v]/g, ' ') : own) + ending;
      line = '';
      from = index + 1;
    }
    return text + line + raw.slice(from);
  }

  private raw(start: number, end: number): string {
    let text = '';
    for (let index = firstAfter(this.pieces, start); index < this.pieces.length; index++) {
      const piece = this.pieces[index]!;
      if (piece.start >= end || this.room <= 0) break;
      const from = Math.max(start, piece.start);
      const to = Math.min(end, piece.end, from + this.room);
      if (from >= to) continue;
      text += this.textOf(piece, from, to);
      this.room -= to - from;
    }
    return text;
  }

  private textOf({ start, offset, width }: Piece, from: number, to: number): string {
    const place = (at: number) => offset + (at - start) * width;
    const bytes = this.stream.subarray(place(from), place(to));
    const text = DECODERS[width].decode(bytes);
    let shown = '';
    let at = 0;
    for (let index = firstAfter(this.changes, place(from)); index < this.changes.length; index++) {
      const change = this.changes[index]!;
      if (change.start >= place(to)) break;
      const first = Math.max(at, Math.floor((change.start - place(from)) / width));
      const last = Math.min(text.length, Math.floor((change.end - place(from)) / width));
      if (last <= first) continue;
      shown += text.slice(at, first) + change.show(text.slice(first, last));
      at = last;
    }
    return shown + text.slice(at);
  }

  private paragraphAt(at: number): Paragraph | undefined {
    const piece = this.pieces[firstAfter(this.pieces, at)];
    if (piece === undefined) return undefined;
    const place = piece.offset + (at - piece.start) * piece.width;
    const paragraph = this.paragraphs[firstAfter(this.paragraphs, place)];
    return paragraph !== undefined && paragraph.start <= place ? paragraph : undefined;
  }

  private markOf(paragraph: Paragraph | undefined): string {
    if (paragraph === undefined || this.markRoom <= 0) return '';
    const { list = 0, level = 0 } = { ...this.styles[paragraph.style], ...paragraph.place };
    const mark = list === 0 ? '' : this.numbering.next({ list: String(list), level });
    this.markRoom -= mark.length;
    return mark;
  }

  /** A table by the place of its offset and length in the header; empty for one beyond the end. */
  tableAt(place: number): Buffer {
    const start = this.stream.readUInt32LE(place);
    return this.table.subarray(start, start + this.stream.readUInt32LE(place + 4));
  }
}

/** The text in its order. Tables of properties of characters stand before the one of pieces. */
function piecesOf(stream: Buffer, table: Buffer): Piece[] {
  let at = 0;
  while (table[at] === 1 && at + 3 <= table.length) at += 3 + table.readUInt16LE(at + 1);
  const list = table.subarray(at + 5);
  const count = Math.max(0, Math.floor((list.length - 4) / 12));
  const pieces: Piece[] = [];
  for (let index = 0; index < count; index++) {
    const [start, end] = [list.readUInt32LE(4 * index), list.readUInt32LE(4 * (index + 1))];
    const place = list.readUInt32LE(4 * (count + 1) + 8 * index + 2);
    const width = (place & IS_NARROW) === 0 ? 2 : 1;
    const offset = (place & PLACE) / (width === 1 ? 2 : 1);
    const inside = within(stream, { start: offset, end: offset + (end - start) * width });
    if (start < (pieces.at(-1)?.end ?? 0) || end < start) break;
    const length = Math.floor((inside.end - inside.start) / width);
    pieces.push({ start, end: start + length, offset, width, isCut: length < end - start });
  }
  return pieces;
}

/** The ranges without those that overlap one before them, in their order. */
function disjoint(ranges: readonly Change[]): Change[] {
  const whole: Change[] = [];
  for (const range of ranges.toSorted((one, other) => one.start - other.start))
    if (range.start >= (whole.at(-1)?.end ?? 0)) whole.push(range);
  return whole;
}

/** How letters with these properties are shown; null for as they are. Deleted ones are NUL, so that each has its place. */
function changeOf(properties: ReadonlyMap<number, number>, fonts: readonly string[]): Change['show'] | null {
  if (properties.get(PROPERTY.deleted) === 1) return (letters) => '\0'.repeat(letters.length);
  const symbol = properties.get(PROPERTY.symbol);
  if (symbol !== undefined) {
    // The number of the font, then of the character in it.
    const shown = symbolOf(fonts[symbol & 0xffff] ?? '', (symbol >>> 16) & 0xff);
    return (letters) => shown.repeat(letters.length);
  }
  const font = fonts[properties.get(PROPERTY.font) ?? -1] ?? '';
  if (isSymbolFont(font)) return (letters) => withSymbols(letters, font);
  return properties.get(PROPERTY.position) === ABOVE ? raised : null;
}

/** Bytes of a font before its name ([MS-DOC] 2.9.88), and of the table before its fonts. */
const FONT_HEAD = 39;
const FONTS_HEAD = 4;

/** The names of fonts by their numbers. */
function fontsOf(table: Buffer): string[] {
  const names: string[] = [];
  for (let at = FONTS_HEAD; at < table.length;) {
    const end = at + 1 + table[at]!;
    const name = table.toString('utf16le', Math.min(at + 1 + FONT_HEAD, end), end);
    names.push(name.split('\0')[0]!);
    at = end;
  }
  return names;
}

/** Properties of a paragraph in a page: their number of words, the style, and those that differ from it. */
function readParagraph(range: Range, bytes: Buffer): Paragraph {
  const isLong = bytes[0] === 0;
  const size = isLong ? 2 * (bytes[1] ?? 0) : 2 * (bytes[0] ?? 0) - 1;
  const start = isLong ? 2 : 1;
  const properties = bytes.subarray(start, start + Math.max(0, size));
  const style = properties.length < 2 ? 0 : properties.readUInt16LE(0);
  const own = properties.subarray(2);
  const found = propertiesOf(own);
  const [isRowEnd, isInTable] = [found.get(PROPERTY.rowEnd) === 1, found.get(PROPERTY.inTable) === 1];
  return { ...range, style, place: listPlaceOf(own), isRowEnd, isInTable };
}
