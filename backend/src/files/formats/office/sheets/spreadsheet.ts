import { type CellObject, read, set_cptable, utils, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { zipSync } from 'fflate';
import { CellRoom, checkStrings, hiddenColumnsOf, withBoundTexts, withoutLaterCells } from './cell-room.js';
import { textOfCell } from './cell-text.js';
import { readGraph } from './graph-data.js';
import { HiddenColumns } from './hidden-columns.js';
import { aroundLines, commentLines, rowLine, marginTexts, sheetLabel } from './lines.js';
import { drawnTexts } from './sheet-drawing.js';
import { withLink } from './sheet-links.js';
import { textsAround } from './xls-shapes.js';
import type { OleFile } from '../ole.js';
import type { OfficePackage } from '../package.js';
import { type EmbeddedFile, ExtractionError, MAX_CHARACTERS, type SectionCollector } from '../../sections.js';
import { decode, encodingOfCodePage } from '../../text/encodings.js';
import { withAuthor } from '../../text/comment-author.js';

/** Most rows of a sheet: those of Excel. The number of characters ends the reading earlier. */
const MAX_ROWS = 1_048_576;

/** Parts in the binary format: sheets, and the texts that their cells share. */
const BINARY_SHEET = /sheets\/[^/]+\.bin$/i;
const BINARY = /\.bin$/i;
const BINARY_STRINGS = /sharedStrings\.bin$/i;

/** Reads workbooks in the binary format of 2007. @throws ExtractionError */
export function readXlsb(office: OfficePackage, out: SectionCollector): void {
  const { main } = office;
  if (main === undefined) throw new ExtractionError('broken');
  const room = new CellRoom();
  const wanted = [...office.parts]
    .filter(([name]) => !/(?:drawings|charts|diagrams|theme)\//i.test(name))
    .map(([name, part]) => [name, BINARY_SHEET.test(name) ? room.cut(part) : part] as const)
    .map(([name, part]) => [name, BINARY.test(name) ? withBoundTexts(part) : part] as const);
  for (const [name, part] of wanted) if (BINARY_STRINGS.test(name)) checkStrings(part);
  if (room.isSpent) out.cutShort();
  // An archive without compression, so that the library inflates nothing.
  const workbook = open(zipSync(Object.fromEntries(wanted), { level: 0 }), false);
  readWorkbook(workbook, out, extrasOf(workbook, office, main));
}

/** Reads workbooks of the format before 2007. @throws ExtractionError */
export function readXls(bytes: Buffer, ole: OleFile, out: SectionCollector): void {
  const stream = ole.stream('Workbook');
  if (readGraph(stream ?? ole.stream('Book') ?? Buffer.alloc(0), out)) return;
  if (stream === null) setCodePages();
  const shortened = stream && withoutLaterCells(stream);
  if (shortened !== null) out.cutShort();
  const workbook = open(shortened ?? bytes);
  const texts = stream === null ? [] : textsAround(stream);
  const extras = texts.map(({ margins, shapes, hiddenColumns }, index): [string, Extras] => {
    const text = aroundLines([...marginTexts(margins), ...shapes]);
    return [workbook.SheetNames[index] ?? '', { text, hiddenColumns, embedded: [] }];
  });
  readWorkbook(workbook, out, new Map(extras));
  for (const load of ole.embeddedFiles()) out.embed(load);
}

/** Reads workbooks of Excel 2 to 4, which are no containers. */
export function readSingleSheet(bytes: Buffer, out: SectionCollector): void {
  setCodePages();
  readWorkbook(open(bytes), out, new Map());
}

/** Workbooks before Excel 97 have texts in code pages, whose tables the library has in a part of its own. */
function setCodePages(): void {
  const encodings = new Map<number, string>();
  const encodingOf = (page: number) => {
    const encoding = encodings.get(page) ?? encodingOfCodePage(page);
    encodings.set(page, encoding);
    return encoding;
  };
  set_cptable({
    utils: { decode: (page: number, bytes: ArrayLike<number>) => decode(Uint8Array.from(bytes), encodingOf(page)) },
  });
}

/** @param hasStubs whether formulas may have no value, as only those of some formats can */
function open(bytes: Uint8Array, hasStubs = true, hasFormulas = true): WorkBook {
  try {
    // Cells are shown by their formats later, so that the library shows none.
    const shown = { cellNF: true, cellText: false, cellHTML: false };
    const options = { ...shown, cellFormula: hasFormulas, bookVBA: false, dense: true, UTC: true };
    return read(bytes, { type: 'buffer', sheetRows: MAX_ROWS, sheetStubs: hasStubs, ...options });
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message)) throw new ExtractionError('encrypted');
    // The library cannot write formulas with the names of rows, as Excel 97 has them, whose values it reads.
    if (hasFormulas && error instanceof Error && /^Un\w+ (?:ELF|Formula)/.test(error.message))
      return open(bytes, hasStubs, false);
    throw new ExtractionError('broken');
  }
}

/** What stands around the cells of a sheet. */
interface Extras {
  text: string;
  hiddenColumns: HiddenColumns;
  embedded: EmbeddedFile['load'][];
}

/** @param extras by the name of their sheet */
function readWorkbook(workbook: WorkBook, out: SectionCollector, extras: ReadonlyMap<string, Extras>): void {
  for (const [index, name] of workbook.SheetNames.entries()) {
    if (out.isFull) return;
    const hidden = workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0;
    out.begin('sheet', sheetLabel(name, hidden));
    const sheet = workbook.Sheets[name];
    const { text = '', hiddenColumns = new HiddenColumns(), embedded = [] } = extras.get(name) ?? {};
    if (sheet !== undefined) readSheet(sheet, hiddenColumns, workbook.Workbook?.WBProps?.date1904 === true, out);
    out.add(text);
    for (const file of embedded) out.embed(file);
  }
}

/** Iterates over the stored cells. The declared range of the sheet is ignored, as it can be arbitrarily large. */
function readSheet(sheet: WorkSheet, hiddenColumns: HiddenColumns, isFrom1904: boolean, out: SectionCollector): void {
  const rows = (sheet['!data'] ?? []) as (CellObject[] | undefined)[];
  const comments: [string, string][] = [];
  // Rows without cells are holes.
  for (const index of Object.keys(rows).map(Number)) {
    if (out.isFull) return;
    const row = rows[index]!;
    const texts: string[] = [];
    let length = 0;
    for (const column of Object.keys(row).map(Number)) {
      if (length > MAX_CHARACTERS) break;
      const cell = row[column]!;
      for (const { a, t } of cell.c ?? [])
        if (t) comments.push([utils.encode_cell({ r: index, c: column }), withAuthor(a, t)]);
      const text = textOfCell({ ...cell, w: cell.w ?? namedValue(cell) }, isFrom1904);
      texts[column] = withLink(text, cell.l?.Target, cell.f ?? '');
      length += texts[column].length;
    }
    const line = rowLine(texts, sheet['!rows']?.[index]?.hidden === true);
    if (line !== '') out.add(hiddenColumns.take() + line);
  }
  out.add(commentLines(comments));
}

/** Errors of formulas by their number ([MS-XLS] 2.5.10). */
const ERRORS: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
  43: '#GETTING_DATA',
};

function namedValue({ t, v }: CellObject): string | undefined {
  if (t === 'b') return v ? 'TRUE' : 'FALSE';
  return t === 'e' ? ERRORS[Number(v)] : undefined;
}

/** The relationship of a sheet, which the library has found out but does not declare. */
type SheetEntry = { name?: string; id?: string };

/** Text boxes, charts and embedded documents, by the name of their sheet. */
function extrasOf(workbook: WorkBook, office: OfficePackage, main: string): Map<string, Extras> {
  const extras = new Map<string, Extras>();
  for (const { name, id } of (workbook.Workbook?.Sheets ?? []) as SheetEntry[]) {
    const target = office.target(main, id);
    if (name === undefined || target === undefined) continue;
    extras.set(name, {
      text: aroundLines(drawnTexts(office, target)),
      hiddenColumns: hiddenColumnsOf(office.bytes(target) ?? new Uint8Array()),
      embedded: office.embeddedFiles(target),
    });
  }
  return extras;
}
