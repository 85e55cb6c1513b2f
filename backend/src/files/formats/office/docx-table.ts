/** Columns that one cell covers at most: each is a tab. */
const MAX_COLUMNS = 63;

const columnsOf = (count = '1', least = 1): number =>
  Math.min(Math.max(Math.trunc(Number(count)) || least, least), MAX_COLUMNS);

/** The columns of the rows of tables, of which one may stand in a cell of another one. */
export class DocxTable {
  private tables = 0;
  /** Columns of the open cells, the outer ones first. */
  private readonly spans: number[] = [];
  /** Tabs before the next cell of the row. */
  private gap = 0;

  get isOpen(): boolean {
    return this.tables > 0;
  }

  start(): void {
    this.tables += 1;
  }

  end(): void {
    this.tables -= 1;
  }

  startRow(): void {
    this.gap = 0;
  }

  /** A row begins later than others, by a number of columns. */
  setBefore(count: string | undefined): void {
    this.gap = columnsOf(count, 0);
  }

  /** @returns what stands between the cell and the one before it */
  startCell(): string {
    const tabs = '\t'.repeat(this.gap);
    this.gap = 0;
    this.spans.push(1);
    return tabs;
  }

  setSpan(count: string | undefined): void {
    if (this.spans.length > 0) this.spans[this.spans.length - 1] = columnsOf(count);
  }

  endCell(): void {
    this.gap = (this.spans.pop() ?? 1) - 1;
  }
}
