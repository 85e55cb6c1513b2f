import { lettersOf } from './references.js';

/** Columns of a sheet, and ranges of them that a file may name: those of Excel. */
const MAX_COLUMNS = 16_384;

/** The columns that a sheet does not show, by hand or as a group that is closed. */
export class HiddenColumns {
  private readonly ranges: [first: number, last: number][] = [];

  /** @param first from 0 @param last from 0, the last one included */
  add(first: number, last: number): void {
    const end = Math.min(last, MAX_COLUMNS - 1);
    if (first >= 0 && first <= end && this.ranges.length < MAX_COLUMNS) this.ranges.push([first, end]);
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
    return names.length === 0 ? '' : `[hidden columns: ${names.join(', ')}]\n`;
  }
}
