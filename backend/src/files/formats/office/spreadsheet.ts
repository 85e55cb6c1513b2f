import { type CellObject, read, set_cptable, utils, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { zipSync } from 'fflate';
import { textOfCell } from './cell-text.js';
import { drawingText } from './drawings.js';
import type { OleFile } from './ole.js';
import type { OfficePackage } from './package.js';
import { textsAround } from './xls-shapes.js';
import { type EmbeddedFile, ExtractionError, type SectionCollector } from '../sections.js';
import { decode, encodingOfCodePage } from '../text/encodings.js';
import { readXml } from '../xml.js';

/** Most tabs between two cells: longer gaps of empty cells are shortened. */
const MAX_GAP = 20;

/** Most rows of a sheet: those of Excel. The number of characters ends the reading earlier. */
const MAX_ROWS = 1_048_576;

/** `Hidden` of a sheet. */
const VISIBILITY = ['', ', hidden', ', very hidden'] as const;

/** Rebuilds the archive from its checked parts without compression, so that the library inflates nothing. */
export function readXlsx(office: OfficePackage, out: SectionCollector): void {
  const { main } = office;
  if (main === undefined) throw new ExtractionError('broken');
  const wanted = [...office.parts].filter(([name]) => !/(?:drawings|charts|diagrams|theme)\//i.test(name));
  const workbook = open(zipSync(Object.fromEntries(wanted), { level: 0 }));
  readWorkbook(workbook, out, extrasOf(workbook, office, main));
}

/** Reads workbooks of the format before 2007. @throws ExtractionError */
export function readXls(bytes: Buffer, ole: OleFile, out: SectionCollector): void {
  const stream = ole.stream('Workbook');
  if (stream === null) setCodePages();
  const workbook = open(bytes);
  const texts = stream === null ? [] : textsAround(stream);
  const extras = texts.map(({ margins, shapes }, index): [string, Extras] => {
    const text = [...new Set(margins.map(withoutCodes)), ...shapes].filter(Boolean).join('\n');
    return [workbook.SheetNames[index] ?? '', { text: text && `\n${text}\n`, embedded: [] }];
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

function open(bytes: Uint8Array): WorkBook {
  try {
    const options = { cellFormula: true, cellNF: true, cellHTML: false, bookVBA: false, dense: true, UTC: true };
    return read(bytes, { type: 'buffer', sheetRows: MAX_ROWS, sheetStubs: true, ...options });
  } catch (error) {
    const isEncrypted = error instanceof Error && /password|encrypt/i.test(error.message);
    throw new ExtractionError(isEncrypted ? 'encrypted' : 'broken');
  }
}

/** What stands around the cells of a sheet. */
interface Extras {
  text: string;
  embedded: EmbeddedFile['load'][];
}

/** @param extras by the name of their sheet */
function readWorkbook(workbook: WorkBook, out: SectionCollector, extras: ReadonlyMap<string, Extras>): void {
  for (const [index, name] of workbook.SheetNames.entries()) {
    if (out.isFull) return;
    const hidden = workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0;
    out.begin('sheet', `sheet ${JSON.stringify(name)}${VISIBILITY[hidden] ?? ''}`);
    const sheet = workbook.Sheets[name];
    if (sheet !== undefined) readSheet(sheet, workbook.Workbook?.WBProps?.date1904 === true, out);
    out.add(extras.get(name)?.text ?? '');
    for (const file of extras.get(name)?.embedded ?? []) out.embed(file);
  }
}

/** Iterates over the stored cells. The declared range of the sheet is ignored, as it can be arbitrarily large. */
function readSheet(sheet: WorkSheet, isFrom1904: boolean, out: SectionCollector): void {
  const rows = (sheet['!data'] ?? []) as (CellObject[] | undefined)[];
  const comments: string[] = [];
  // Rows without cells are holes.
  for (const index of Object.keys(rows).map(Number)) {
    if (out.isFull) return;
    const row = rows[index]!;
    let line = '';
    let last = 0;
    for (const column of Object.keys(row).map(Number)) {
      const cell = row[column]!;
      for (const { t } of cell.c ?? []) {
        if (t) comments.push(`${utils.encode_cell({ r: index, c: column })}: ${t.replace(/\s+/g, ' ')}`);
      }
      const text = textOfCell(cell, isFrom1904);
      if (text === '') continue;
      line += '\t'.repeat(Math.min(column - last, MAX_GAP)) + text;
      last = column;
    }
    if (line !== '') out.add(`${line}\n`);
  }
  if (comments.length > 0) out.add(`\nComments:\n${comments.join('\n')}\n`);
}

/** The relationship of a sheet, which the library has found out but does not declare. */
type SheetEntry = { name?: string; id?: string };

/** Headers, footers, text boxes, charts and embedded documents, by the name of their sheet. */
function extrasOf(workbook: WorkBook, office: OfficePackage, main: string): Map<string, Extras> {
  const extras = new Map<string, Extras>();
  for (const { name, id } of (workbook.Workbook?.Sheets ?? []) as SheetEntry[]) {
    const target = office.target(main, id);
    if (name === undefined || target === undefined) continue;
    const drawings = office.targets(target, 'drawing').map((drawing) => drawingShapes(office, drawing));
    const margins = /\.bin$/i.test(target) ? [] : marginsOf(office.xml(target));
    const text = [...margins, ...drawings].filter(Boolean).join('\n');
    extras.set(name, { text: text && `\n${text}\n`, embedded: office.embeddedFiles(target) });
  }
  return extras;
}

/** Characters at the end of a sheet in which its header and footer stand. */
const TAIL = 64 * 1024;

/** Codes of headers: fonts, sizes, positions, and fields such as the page number. */
const HEADER_CODES = /&(?:"[^"]*"|K[0-9A-F+-]{6}|\d+|[A-Z])/gi;

const withoutCodes = (margin: string): string => margin.replace(HEADER_CODES, ' ').trim();

/** The text of header and footer. */
function marginsOf(sheet: string): string[] {
  const found = sheet.slice(-TAIL).match(/<(?:\w+:)?(?:odd|even|first)(?:Header|Footer)>[^<]+/g) ?? [];
  const texts = found.map((tag) =>
    tag
      .slice(tag.indexOf('>') + 1)
      .replaceAll('&amp;', '&')
      .replaceAll('&quot;', '"'),
  );
  return [...new Set(texts.map(withoutCodes))];
}

/** Text boxes and charts of a drawing. */
function drawingShapes(office: OfficePackage, drawing: string): string {
  const lines: string[] = [];
  let line = '';
  let inText = false;
  readXml(office.xml(drawing), {
    open({ name, attributes }) {
      inText = name === 't';
      if (name === 'chart') lines.push(drawingText(office, drawing, attributes.id));
      else if (name === 'relIds') lines.push(drawingText(office, drawing, attributes.dm));
      else if (name === 'cNvPr' && attributes.descr) lines.push(`[picture: ${attributes.descr}]`);
    },
    text(text) {
      if (inText) line += text;
    },
    close(name) {
      inText = false;
      if (name !== 'p') return;
      lines.push(line);
      line = '';
    },
  });
  return lines.filter((one) => one.trim() !== '').join('\n');
}
