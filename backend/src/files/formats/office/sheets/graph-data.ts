import { MAX_CELLS } from './cell-room.js';
import { rowLine } from './lines.js';
import { lettersOf, records } from './xls-records.js';
import type { SectionCollector } from '../../sections.js';
import { decode, encodingOfCodePage } from '../../text/encodings.js';

/** Types of records ([MS-XLS] 2.3), of which cells are those of Excel 2. */
const RECORD = { number: 0x0003, label: 0x0004, codePage: 0x0042, sheet: 0x0085, beginOfFile: 0x0809 } as const;

/** Places in a record: of the version, the length of a sheet's name, and the content of a cell. */
const VERSION = 0;
const NAME_LENGTH = 6;
const CONTENT = 7;

/** The version from which texts say how wide their letters are. */
const EXCEL_97 = 0x0600;

const NUMBER_BYTES = 8;
const MAX_COLUMNS = 4_000;

/**
 * Reads the data behind a chart of Microsoft Graph, which presentations and documents before 2007 hold as a workbook. Its
 * sheet has no name.
 * @returns false for a workbook
 */
export function readGraph(stream: Buffer, out: SectionCollector): boolean {
  const rows: string[][] = [];
  let count = 0;
  let encoding = 'windows-1252';
  let hasWidth = false;
  let isGraph = false;
  for (const { type, body } of records(stream, 0)) {
    if (type === RECORD.beginOfFile && body.length > 2) hasWidth ||= body.readUInt16LE(VERSION) >= EXCEL_97;
    else if (type === RECORD.codePage && body.length >= 2) encoding = encodingOfCodePage(body.readUInt16LE(0));
    else if (type === RECORD.sheet && body.length > NAME_LENGTH) {
      if (body[NAME_LENGTH] !== 0) return false;
      isGraph = true;
    }
    if (body.length <= CONTENT || (type !== RECORD.number && type !== RECORD.label)) continue;
    const [row, column] = [body.readUInt16LE(0), body.readUInt16LE(2)];
    const content = body.subarray(CONTENT);
    if (column >= MAX_COLUMNS) continue;
    count += 1;
    if (count > MAX_CELLS) {
      out.cutShort();
      break;
    }
    const cells = (rows[row] ??= []);
    if (type === RECORD.label)
      cells[column] = hasWidth
        ? lettersOf(content.subarray(1), content[0]!)
        : decode(content.subarray(1, 1 + content[0]!), encoding);
    else if (content.length >= NUMBER_BYTES) cells[column] = String(content.readDoubleLE(0));
  }
  if (isGraph) for (const cells of Object.values(rows)) out.add(rowLine(cells, false));
  return isGraph;
}
