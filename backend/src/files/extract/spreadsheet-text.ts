import { read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { zipSync } from 'fflate';
import { ExtractionError, type TextCollector } from './extraction.js';
import { zipEntries } from './zip-contents.js';

/** Rows that are read of one sheet. */
const MAX_ROWS = 20_000;

/** Most tabs between two cells: longer gaps of empty cells are shortened. */
const MAX_GAP = 20;

const SPREADSHEET_PARTS = /^(\[Content_Types\]|_rels\/.*|xl\/.*)\.(xml|rels)$/;

/** Rebuilds the archive from its checked parts without compression, so that the library inflates nothing. */
export function readXlsx(bytes: Buffer, out: TextCollector): void {
  const parts = zipEntries(bytes, (name) => SPREADSHEET_PARTS.test(name));
  if (!parts.has('xl/workbook.xml')) throw new ExtractionError('broken');
  readWorkbook(zipSync(Object.fromEntries(parts), { level: 0 }), out);
}

/** First bytes of an OLE compound file. Without this check the library would read HTML and plain text as tables. */
const CONTAINER_SIGNATURE = Buffer.from('d0cf11e0', 'hex');

export function readXls(bytes: Buffer, out: TextCollector): void {
  if (!bytes.subarray(0, 4).equals(CONTAINER_SIGNATURE)) throw new ExtractionError('broken');
  readWorkbook(bytes, out);
}

function open(bytes: Uint8Array): WorkBook {
  try {
    return read(bytes, {
      type: 'buffer',
      sheetRows: MAX_ROWS,
      cellFormula: false,
      cellHTML: false,
      bookVBA: false,
      UTC: true,
    });
  } catch (error) {
    const isEncrypted = error instanceof Error && /password|encrypt/i.test(error.message);
    throw new ExtractionError(isEncrypted ? 'encrypted' : 'broken');
  }
}

function readWorkbook(bytes: Uint8Array, out: TextCollector): void {
  const workbook = open(bytes);
  for (const name of workbook.SheetNames) {
    if (out.isFull) return;
    const sheet = workbook.Sheets[name];
    if (sheet === undefined) continue;
    out.add(`Sheet ${name}\n`);
    readSheet(sheet, out);
    out.add('\n');
  }
}

/** Iterates over the stored cells. The declared range of the sheet is ignored, as it can be arbitrarily large. */
function readSheet(sheet: WorkSheet, out: TextCollector): void {
  let row = -1;
  let column = 0;
  for (const address of Object.keys(sheet)) {
    if (address.startsWith('!')) continue;
    if (out.isFull) return;
    const cell = utils.decode_cell(address);
    const { w, v } = sheet[address] as { w?: string; v?: string | number | boolean | Date };
    const text = (w ?? String(v ?? '')).replace(/[\t\n\r]+/g, ' ');
    if (text === '') continue;
    if (cell.r !== row) {
      out.add(row < 0 ? '' : '\n');
      row = cell.r;
      column = 0;
    }
    out.add('\t'.repeat(Math.min(Math.max(cell.c - column, 0), MAX_GAP)) + text);
    column = cell.c;
  }
  out.add('\n');
}
