const DELIMITER = /^:?-+:?$/;
/** A bar between two cells. */
const BAR = /(?<!\\)\|/;

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(BAR);

export const cellCount = (row: string): number => cellsOf(row).length;

/** The second line of a table, such as `| --- | :-: |`. */
export const isDelimiterRow = (line: string): boolean =>
  line.includes('|') && cellsOf(line).every((cell) => DELIMITER.test(cell.trim()));

/** The second line of a table with this head. */
export const delimiterRow = (head: string): string => `${/^[ \t]*/.exec(head)![0]}|${'---|'.repeat(cellCount(head))}`;

/** The second line of a table with as many cells as its head has: with another number it would be no table. */
export function withCells(delimiters: string, count: number): string {
  const cells = cellsOf(delimiters);
  if (cells.length === count) return delimiters;
  const fitting = Array.from({ length: count }, (_, index) => cells[index] ?? '---');
  return `${/^[ \t]*/.exec(delimiters)![0]}|${fitting.join('|')}|`;
}

/** A row in whose code bars end no cell. */
export const escapeBars = (row: string): string =>
  row.replace(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g, (span) => span.replace(new RegExp(BAR, 'g'), String.raw`\|`));
