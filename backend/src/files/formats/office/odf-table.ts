import { HiddenColumns } from './sheets/hidden-columns.js';
import { HIDDEN_ROW } from './sheets/lines.js';

/** Repetitions of a row, a cell or a space that are written out. */
const MAX_REPEATED = 20;

/** How often something is there; at most `MAX_REPEATED`. */
export const repetitions = (count = '1'): number => Math.min(Math.max(Math.trunc(Number(count)) || 1, 1), MAX_REPEATED);

interface Row {
  text: string;
  cells: number;
  /** Tabs before the next text. */
  gap: number;
  repeated: number;
  isHidden: boolean;
}

interface Cell {
  text: string;
  /** What a cell without text shows: its value, or its formula. */
  otherwise: string;
  repeated: number;
}

type Attributes = Record<string, string>;

/** Rows and cells that are open in an OpenDocument file, also those of tables inside of a cell. */
export class OdfTable {
  private readonly rows: Row[] = [];
  private readonly cells: Cell[] = [];
  private columns = 0;
  private hiddenColumns = new HiddenColumns();

  get isInRow(): boolean {
    return this.rows.length > 0;
  }

  get isInCell(): boolean {
    return this.cells.length > 0;
  }

  /** A table begins, whose columns come before its rows. */
  start(): void {
    if (this.isInRow) return;
    this.columns = 0;
    this.hiddenColumns = new HiddenColumns();
  }

  /** Columns may be hidden as rows are. */
  addColumn({ visibility = 'visible', 'number-columns-repeated': count = '1' }: Attributes): void {
    if (this.isInRow) return;
    const first = this.columns;
    this.columns += Math.max(Math.trunc(Number(count)) || 1, 1);
    if (visibility !== 'visible') this.hiddenColumns.add(first, this.columns - 1);
  }

  /** Rows may be hidden by hand (`collapse`) or by a filter. */
  startRow({ visibility = 'visible', 'number-rows-repeated': count }: Attributes): void {
    this.rows.push({ text: '', cells: 0, gap: 0, repeated: repetitions(count), isHidden: visibility !== 'visible' });
  }

  startCell(attributes: Attributes): void {
    const { formula = '', value = '' } = attributes;
    const others = ['string', 'date', 'time', 'boolean'].map((type) => attributes[`${type}-value`]);
    const shown = value || others.find(Boolean) || '';
    this.cells.push({
      text: '',
      otherwise: shown || formula.replace(/^\w+:=?|^=/, formula === '' ? '' : '='),
      repeated: repetitions(attributes['number-columns-repeated']),
    });
  }

  /** Adds to the innermost cell. */
  add(text: string): void {
    const cell = this.cells.at(-1);
    if (cell !== undefined) cell.text += text.replaceAll('\n', ' ');
  }

  endCell(): void {
    const cell = this.cells.pop();
    const row = this.rows.at(-1);
    if (cell === undefined || row === undefined) return;
    const text = cell.text.trim() || cell.otherwise;
    const times = text === '' ? 1 : cell.repeated;
    for (let time = 0; time < times; time++) {
      if (row.cells > 0) row.gap += 1;
      row.cells += 1;
      if (text === '') continue;
      row.text += '\t'.repeat(Math.min(row.gap, MAX_REPEATED)) + text;
      row.gap = 0;
    }
    if (text === '') row.gap += cell.repeated - 1;
  }

  /** The lines of the innermost row. */
  endRow(): string[] {
    const row = this.rows.pop();
    if (row === undefined || row.text === '') return [];
    const line = `${row.isHidden ? HIDDEN_ROW : ''}${row.text}\n`;
    const lines = Array<string>(row.repeated).fill(line);
    return this.isInRow ? lines : [this.hiddenColumns.take(), ...lines];
  }
}
