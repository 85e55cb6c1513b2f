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

const STRUCTURE = /<\/?(?:table|thead|tbody|tfoot|tr|th|td|colgroup|col)\b[^<>]*>/gi;

/** The rows of a table that is written as HTML. One without rows stays text. */
export function rowsOfHtml(html: string): string {
  const rows = html
    .split(/<tr\b[^<>]*>/i)
    .slice(1)
    .map(cellsOfHtml);
  const count = rows.reduce((most, { length }) => Math.max(most, length), 0);
  if (count === 0) return html.replaceAll('<', String.raw`\<`);
  const [head, ...body] = rows.map(
    (cells) => `| ${Array.from({ length: count }, (_, at) => cells[at] ?? '').join(' | ')} |`,
  );
  return [head, `|${'---|'.repeat(count)}`, ...body].join('\n');
}

const cellsOfHtml = (row: string): string[] =>
  row
    .split(/<t[hd]\b[^<>]*>/i)
    .slice(1)
    .map((cell) =>
      cell
        .replace(STRUCTURE, '')
        .trim()
        .replace(/\s+/g, ' ')
        .replaceAll('|', String.raw`\|`),
    );
