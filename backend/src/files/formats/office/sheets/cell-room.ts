import { HiddenColumns } from './hidden-columns.js';
import { ExtractionError, MAX_CHARACTERS } from '../../sections.js';

/**
 * Cells of a workbook in a binary format: each takes some 200 bytes of memory, and has at least two characters, its own and
 * the tab or line end after it.
 */
export const MAX_CELLS = MAX_CHARACTERS / 2 + 1;

/** Texts that cells share. Nobody can read a workbook with more of them than cells. */
const MAX_STRINGS = 2_000_000;

/** Types of records ([MS-XLSB] 2.3.2): the beginning of a row, a shared text, and cells with a value. */
const ROW = 0;
const STRING = 19;
const isCell = (type: number): boolean => (type >= 2 && type <= 11) || (type >= 13 && type <= 18) || type === 62;

/** Where records have a text: a cell's own, that of a formula, shared ones, names, formats and fonts, and those of comments. */
const TEXTS = new Map([
  [6, 8],
  [8, 8],
  [17, 4],
  [STRING, 1],
  [39, 9],
  [43, 21],
  [44, 2],
  [48, 8],
  [62, 9],
  [153, 8],
  [632, 0],
  [637, 1],
]);

/** Those of one cell alone: its own, and that of its formula. */
const OWN_TEXTS: ReadonlySet<number> = new Set([6, 8]);

/** The record of a sheet in the list of them, and where it has the name of its relationship, before that of the sheet. */
const SHEET = 156;
const SHEET_TEXTS = 8;

/** The record of columns that look alike, and whether they are hidden. */
const COLUMNS = 60;
const COLUMNS_BYTES = 18;
const COLUMNS_FLAGS = 16;

/** The length of a text that is none. */
const NO_TEXT = 0xffffffff;

const LENGTH_BYTES = 4;
const LETTER_BYTES = 2;

/** Numbers have seven bits in a byte, and a bit that says that more follow. */
const BITS = 7;
const MORE = 1 << BITS;
const TYPE_BYTES = 2;
const SIZE_BYTES = 4;

/** How many cells have as many characters as one does. */
function cellsOf(record: Buffer, type: number): number {
  const at = OWN_TEXTS.has(type) ? TEXTS.get(type)! : Infinity;
  const most = (record.length - at - LENGTH_BYTES) / LETTER_BYTES;
  return most < 1 ? 1 : Math.ceil(Math.min(record.readUInt32LE(at), most) / 2) || 1;
}

/** The cells that are still read, of all sheets together. */
export class CellRoom {
  /** Whether cells were left out. */
  isSpent = false;

  constructor(private cells = MAX_CELLS) {}

  /** A sheet without the rows after the last ones that are read. */
  cut(sheet: Uint8Array): Uint8Array {
    const bytes = Buffer.from(sheet.buffer, sheet.byteOffset, sheet.length);
    for (const { type, start, body, end } of records(sheet)) {
      if (isCell(type)) this.cells -= cellsOf(bytes.subarray(body, end), type);
      if (type !== ROW || this.cells > 0) continue;
      this.isSpent = true;
      return sheet.subarray(0, start);
    }
    return sheet;
  }
}

export function hiddenColumnsOf(sheet: Uint8Array): HiddenColumns {
  const hidden = new HiddenColumns();
  const bytes = Buffer.from(sheet.buffer, sheet.byteOffset, sheet.length);
  for (const { type, body, end } of records(sheet)) {
    if (type !== COLUMNS || end - body < COLUMNS_BYTES || end > bytes.length) continue;
    if ((bytes.readUInt8(body + COLUMNS_FLAGS) & 1) !== 0)
      hidden.add(bytes.readUInt32LE(body), bytes.readUInt32LE(body + LENGTH_BYTES));
  }
  return hidden;
}

/** @throws ExtractionError `hostile` for more shared texts than can be kept */
export function checkStrings(part: Uint8Array): void {
  let count = 0;
  for (const { type } of records(part)) if (type === STRING) count += 1;
  if (count > MAX_STRINGS) throw new ExtractionError('hostile');
}

/**
 * A part whose texts end with their records. The library reads as many letters as each text claims, also behind its part.
 * @throws ExtractionError `broken` for a list of sheets as early versions of Excel 2007 wrote it, which claims texts of any
 * length
 */
export function withBoundTexts(part: Uint8Array): Uint8Array {
  const bound = Buffer.from(part);
  for (const { type, body, end } of records(part)) {
    const length = body + (TEXTS.get(type) ?? Infinity);
    const most = Math.floor((Math.min(end, part.length) - length - LENGTH_BYTES) / LETTER_BYTES);
    if (most >= 0 && bound.readUInt32LE(length) > most) bound.writeUInt32LE(most, length);
    if (type === SHEET && !hasTexts(bound.subarray(body + SHEET_TEXTS, end))) throw new ExtractionError('broken');
  }
  return bound;
}

/** Whether the two texts of a sheet end within its record. */
function hasTexts(record: Buffer): boolean {
  let at = 0;
  for (let text = 0; text < 2; text++) {
    if (at + LENGTH_BYTES > record.length) return false;
    const length = record.readUInt32LE(at);
    at += LENGTH_BYTES + (length === NO_TEXT ? 0 : length * LETTER_BYTES);
  }
  return at <= record.length;
}

/** Records of cells before 2007 ([MS-XLS] 2.3), and of the text that follows a formula. */
const OLD_CELLS = new Set([0x0006, 0x00d6, 0x00fd, 0x0203, 0x0204, 0x0205, 0x027e]);
const FORMULA_TEXT = 0x0207;

/** Several numbers of one row. */
const NUMBERS = 0x00bd;
const NUMBERS_HEAD = 6;
const NUMBER_BYTES = 6;

/** A record about data of other files, which the library skips without a word. */
const SKIPPED = 0x0051;

const OLD_HEAD = 4;

/** The stream of a workbook of Excel 97 to 2003 without the cells after those that are read; null for one without such. */
export function withoutLaterCells(stream: Buffer, most = MAX_CELLS): Buffer | null {
  let shortened: Buffer | null = null;
  let cells = 0;
  for (let at = 0; at + OLD_HEAD <= stream.length;) {
    const type = stream.readUInt16LE(at);
    const length = stream.readUInt16LE(at + 2);
    if (OLD_CELLS.has(type)) cells += 1;
    else if (type === NUMBERS) cells += Math.max(0, Math.floor((length - NUMBERS_HEAD) / NUMBER_BYTES));
    if (cells > most && (OLD_CELLS.has(type) || type === NUMBERS || type === FORMULA_TEXT)) {
      shortened ??= Buffer.from(stream);
      shortened.writeUInt16LE(SKIPPED, at);
    }
    at += OLD_HEAD + length;
  }
  return shortened;
}

function* records(part: Uint8Array): Generator<{ type: number; start: number; body: number; end: number }> {
  for (let at = 0; at < part.length;) {
    const start = at;
    const [type, afterType] = numberAt(part, at, TYPE_BYTES);
    const [size, body] = numberAt(part, afterType, SIZE_BYTES);
    at = body + size;
    yield { type, start, body, end: at };
  }
}

function numberAt(part: Uint8Array, start: number, most: number): [number: number, end: number] {
  let number = 0;
  for (let index = 0; index < most; index++) {
    const byte = part[start + index] ?? 0;
    number |= (byte & (MORE - 1)) << (index * BITS);
    if ((byte & MORE) === 0) return [number, start + index + 1];
  }
  return [number, start + most];
}
