import type { CellObject } from '@e965/xlsx';
import { DAYS_TO_1904, textOfCell } from './cell-text.js';
import { HiddenColumns } from './hidden-columns.js';
import { rowLine } from './lines.js';
import { columnOf, shifted } from './references.js';
import { cellKey, type SheetLinks, withLink } from './sheet-links.js';
import { GENERAL, unescaped, type Workbook } from './workbook-parts.js';
import { MAX_CHARACTERS, type SectionCollector } from '../../sections.js';
import { withLetters } from '../../text/looks.js';
import { isOn, readXmlBytes, type XmlElement } from '../../xml.js';

const DAY_MS = 86_400_000;

/** The day from which dates of programs count, in the count of Excel. */
const DAYS_TO_1970 = 25_569;

const MARGIN = /^(?:odd|even|first)(?:Header|Footer)$/;

/** Columns of a sheet: those of Excel. Names of cells may claim more. */
const MAX_COLUMNS = 16_384;

/** Characters of a formula: those of Excel. One that cells share is written out for each. */
const MAX_FORMULA = 8_192;

interface Cell {
  column: number;
  /** As the file names it: `s`, `str`, `inlineStr`, `b`, `e`, `d`, `n`. */
  type: string;
  style: number;
  /** The number of a value that is more than a number or a text, from 1; 0 for none. */
  rich: number;
  value: string;
  /** Whether it has a value, if only an empty one. */
  hasValue: boolean;
  inline: string;
  formula: string;
  /** The number of a formula that cells share; '' for one of its own. */
  shared: string;
}

/** A formula as the first of the cells that share it has it. */
interface SharedFormula {
  formula: string;
  row: number;
  column: number;
}

/** What stands in the cell that is open. */
type Part = 'value' | 'formula' | 'inline';

/** Reads the rows of one sheet as they come, each into a line. */
export class SheetReader {
  /** Headers and footers, with their codes. */
  readonly margins: string[] = [];
  private row = 0;
  private isHidden = false;
  private readonly hiddenColumns = new HiddenColumns();
  private column = -1;
  private cells: string[] = [];
  /** Characters of the cells of the row: many may have the same long text. */
  private length = 0;
  private cell: Cell | null = null;
  private part: Part | null = null;
  private isReading = false;
  private margin: string | null = null;
  private readonly shared = new Map<string, SharedFormula>();

  constructor(
    private readonly workbook: Workbook,
    private readonly links: SheetLinks,
    private readonly out: Pick<SectionCollector, 'add' | 'isFull'>,
  ) {}

  /** @throws ExtractionError `broken` after the rows before the error */
  read(part: Uint8Array): void {
    try {
      readXmlBytes(part, {
        open: (element) => this.open(element),
        text: (text) => this.text(text),
        close: (name) => this.close(name),
        isDone: () => this.out.isFull,
      });
    } finally {
      this.endRow();
    }
  }

  private open({ name, attributes }: XmlElement): void {
    if (name === 'row') {
      this.row = Number(attributes.r) || this.row + 1;
      this.column = -1;
      this.isHidden = attributes.hidden !== undefined && isOn(attributes.hidden);
    } else if (name === 'c') this.startCell(attributes);
    else if (this.cell !== null) this.openInCell(this.cell, name, attributes);
    else if (MARGIN.test(name)) this.margin = '';
    else if (name === 'col' && attributes.hidden !== undefined && isOn(attributes.hidden))
      this.hiddenColumns.add(Number(attributes.min) - 1, Number(attributes.max) - 1);
  }

  private startCell({ r = '', s = '0', t = 'n', vm = '0' }: Record<string, string>): void {
    const column = columnOf(r) ?? this.column + 1;
    this.column = Math.min(column, MAX_COLUMNS - 1);
    this.cell = {
      column: this.column,
      type: t,
      style: Number(s),
      rich: Number(vm),
      value: '',
      hasValue: false,
      inline: '',
      formula: '',
      shared: '',
    };
  }

  private openInCell(cell: Cell, name: string, attributes: Record<string, string>): void {
    if (name === 'v') {
      this.part = 'value';
      cell.hasValue = true;
    } else if (name === 'f') {
      this.part = 'formula';
      if (attributes.t === 'shared') cell.shared = attributes.si ?? '';
    } else if (name === 'rPh') this.isReading = true;
    else if (name === 't' && !this.isReading) this.part = 'inline';
  }

  private text(text: string): void {
    if (this.cell !== null && this.part !== null) this.cell[this.part] += text;
    else if (this.margin !== null) this.margin += text;
  }

  private close(name: string): void {
    this.part = null;
    if (name === 'rPh') this.isReading = false;
    else if (name === 'c' && this.cell !== null) this.endCell(this.cell);
    else if (name === 'row') this.endRow();
    else if (this.margin !== null && MARGIN.test(name)) {
      this.margins.push(this.margin);
      this.margin = null;
    }
  }

  private endCell(cell: Cell): void {
    this.cell = null;
    if (this.length > MAX_CHARACTERS) return;
    const { column, style } = cell;
    if (cell.shared !== '' && cell.formula !== '')
      this.shared.set(cell.shared, { formula: cell.formula.slice(0, MAX_FORMULA), row: this.row, column });
    const z = this.workbook.formats[style] ?? GENERAL;
    const content = contentOf(cell, z, this.workbook);
    // A text that is stored as empty is the value of its formula.
    const isWithoutValue = content.v === '' && !(cell.type === 'str' && cell.hasValue);
    const f = isWithoutValue ? this.formulaOf(cell) : '';
    const shown = textOfCell({ ...content, z, ...(f && { f }) }, this.workbook.isFrom1904);
    const letters = withLetters('', shown, this.workbook.struck[style] ?? false);
    const text = withLink(letters, this.linkAt(column), cell.formula);
    this.cells[column] = text;
    this.length += text.length;
  }

  private linkAt(column: number): string | undefined {
    return this.links.size === 0 ? undefined : this.links.get(cellKey(this.row, column));
  }

  private formulaOf({ formula, shared, column }: Cell): string {
    const master = formula === '' ? this.shared.get(shared) : undefined;
    const own = master && shifted(master.formula, this.row - master.row, column - master.column);
    return (own ?? formula).replaceAll('_xlfn.', '');
  }

  private endRow(): void {
    const line = rowLine(this.cells, this.isHidden);
    if (line !== '') this.out.add(this.hiddenColumns.take() + line);
    this.cells = [];
    this.length = 0;
  }
}

/** A cell's value. An error has its text alone. */
function contentOf(
  { type, rich, value, inline }: Cell,
  format: string,
  { strings, isFrom1904, richValues }: Workbook,
): Pick<CellObject, 't' | 'v' | 'w'> {
  if (type === 'inlineStr') return { t: 's', v: unescaped(inline) };
  if (value.trim() === '') return { t: 's', v: '' };
  switch (type) {
    case 's':
      return { t: 's', v: strings[Number(value)] ?? '' };
    case 'str':
      return { t: 's', v: unescaped(value) };
    case 'b':
      return { t: 'b', v: true, w: isOn(value) ? 'TRUE' : 'FALSE' };
    case 'e':
      return { t: 'e', w: richValues[rich - 1] ?? value };
    case 'd':
      return dateOf(value, format, isFrom1904);
  }
  const number = Number(value);
  return Number.isNaN(number) ? { t: 's', v: value } : { t: 'n', v: number };
}

/** A date in the format of the cell; as it is stored where that is the general one. */
function dateOf(value: string, format: string, isFrom1904: boolean): Pick<CellObject, 't' | 'v'> {
  const isLocal = value.includes('T') && !/(?:Z|[+-]\d\d:?\d\d)$/.test(value);
  const days = Date.parse(isLocal ? `${value}Z` : value) / DAY_MS + DAYS_TO_1970 - (isFrom1904 ? DAYS_TO_1904 : 0);
  return Number.isNaN(days) || format === GENERAL ? { t: 's', v: value } : { t: 'n', v: days };
}
