import { HiddenColumns } from './hidden-columns.js';
import { lettersOf, records } from './xls-records.js';

/** Types of records ([MS-XLS] 2.3). */
const RECORD = {
  endOfFile: 0x000a,
  header: 0x0014,
  footer: 0x0015,
  more: 0x003c,
  object: 0x005d,
  columns: 0x007d,
  sheet: 0x0085,
  text: 0x01b6,
  beginOfFile: 0x0809,
  chartText: 0x100d,
} as const;

/** `ot` of an object that is a comment, which the cells have. */
const COMMENT = 0x19;

/** Characters of the texts of one sheet. */
const MAX_TEXT = 100_000;

/** Records of all sheets, which a hostile workbook may place on top of one another. */
const MAX_RECORDS = 5_000_000;

export interface SheetTexts {
  margins: string[];
  /** Of text boxes, other shapes and charts. */
  shapes: string[];
  hiddenColumns: HiddenColumns;
}

/**
 * The hidden columns, headers, footers, text boxes and titles of charts of a workbook of Excel 97 to 2003, for each sheet in
 * its order.
 */
export function textsAround(stream: Buffer): SheetTexts[] {
  const sheets: SheetTexts[] = [];
  const room = { records: MAX_RECORDS };
  for (const { type, body } of records(stream, 0)) {
    if (type === RECORD.endOfFile || room.records <= 0) break;
    if (type === RECORD.sheet && body.length >= 4) sheets.push(sheetTexts(stream, body.readUInt32LE(0), room));
  }
  return sheets;
}

function sheetTexts(stream: Buffer, start: number, room: { records: number }): SheetTexts {
  const texts: SheetTexts = { margins: [], shapes: [], hiddenColumns: new HiddenColumns() };
  let depth = 0;
  let length = 0;
  let object = 0;
  for (const { type, body, end } of records(stream, start)) {
    if (length > MAX_TEXT || (room.records -= 1) <= 0) break;
    if (type === RECORD.beginOfFile) depth += 1;
    else if (type === RECORD.endOfFile && (depth -= 1) <= 0) break;
    else if (type === RECORD.object && body.length >= 6) object = body.readUInt16LE(4);
    else if (type === RECORD.columns && depth === 1 && body.length >= 10 && (body.readUInt8(8) & 1) !== 0)
      texts.hiddenColumns.add(body.readUInt16LE(0), body.readUInt16LE(2));
    const isShape = type === RECORD.text && object !== COMMENT && body.length >= 12;
    const isMargin = (type === RECORD.header || type === RECORD.footer) && depth === 1;
    let text = '';
    if (isShape) text = continued(stream, end, body.readUInt16LE(10));
    else if (isMargin && body.length >= 3) text = lettersOf(body.subarray(2), body.readUInt16LE(0));
    else if (type === RECORD.chartText && body.length >= 4) text = lettersOf(body.subarray(3), body.readUInt8(2));
    if (text.trim() === '') continue;
    (isMargin ? texts.margins : texts.shapes).push(text.trim());
    length += text.length;
  }
  return texts;
}

/** The letters of a text, which stand in the records behind it. */
function continued(stream: Buffer, start: number, count: number): string {
  let text = '';
  for (const { type, body } of records(stream, start)) {
    if (type !== RECORD.more || text.length >= count) break;
    text += lettersOf(body, count - text.length);
  }
  return text;
}
