import { lettersOf } from './references.js';

/** Columns of a sheet: those of Excel. */
const MAX_COLUMNS = 16_384;

/** Ranges of hidden columns that are named. A hostile workbook may have thousands in each of thousands of sheets. */
const MAX_RANGES = 500;

/** The columns that a sheet does not show, by hand or as a group that is closed. */
export class HiddenColumns {
  private readonly ranges: [first: number, last: number][] = [];
  private hasMore = false;

  /** @param first from 0 @param last from 0, the last one included */
  add(first: number, last: number): void {
    const end = Math.min(last, MAX_COLUMNS - 1);
    if (!(first >= 0 && first <= end)) return;
    const before = this.ranges.at(-1);
    if (before !== undefined && first === before[1] + 1) before[1] = end;
    else if (this.ranges.length < MAX_RANGES) this.ranges.push([first, end]);
    else this.hasMore = true;
  }

  /** The line that names them, once: it stands before the first row with text; '' for none. */
  take(): string {
    const joined: [number, number][] = [];
    for (const [first, last] of this.ranges.toSorted(([one], [other]) => one - other)) {
      const before = joined.at(-1);
      if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
      else joined.push([first, last]);
    }
    this.ranges.length = 0;
    const names = joined.map(([first, last]) => [...new Set([first, last])].map(lettersOf).join(':'));
    if (this.hasMore) names.push('and more');
    this.hasMore = false;
    return names.length === 0 ? '' : `[hidden columns: ${names.join(', ')}]\n`;
  }
}
