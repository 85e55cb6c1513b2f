/** Most tabs between two cells: longer gaps of empty cells are shortened. */
const MAX_GAP = 20;

/** Stands before a row that the sheet does not show. */
export const HIDDEN_ROW = '[hidden row] ';

/** The line of a row with its end; '' for an empty one. @param cells texts by their column from 0, where there is a cell */
export function rowLine(cells: readonly string[], isHidden: boolean): string {
  const line = lineOf(cells);
  return line && `${isHidden ? HIDDEN_ROW : ''}${line}\n`;
}

function lineOf(cells: readonly string[]): string {
  let line = '';
  let last = 0;
  for (const column of Object.keys(cells).map(Number)) {
    const text = cells[column]!;
    if (text === '') continue;
    line += '\t'.repeat(Math.min(column - last, MAX_GAP)) + text;
    last = column;
  }
  return line;
}

/** Comments below their sheet. @param comments each as the name of its cell and its text */
export const commentLines = (comments: readonly [cell: string, text: string][]): string =>
  comments.length === 0
    ? ''
    : `\nComments:\n${comments.map(([cell, text]) => `${cell}: ${text.replace(/\s+/g, ' ').trim()}\n`).join('')}`;

/** Texts around the cells of a sheet, below it: margins, text boxes and charts. */
export function aroundLines(texts: readonly string[]): string {
  const text = texts.filter((one) => one.trim() !== '').join('\n');
  return text && `\n${text}\n`;
}

/** `Hidden` of a sheet. */
const VISIBILITY = ['', ', hidden', ', very hidden'] as const;

export const sheetLabel = (name: string, visibility = 0): string =>
  `sheet ${JSON.stringify(name)}${VISIBILITY[visibility] ?? ''}`;

/** Codes of headers: fonts, sizes, positions, and fields such as the page number. */
const HEADER_CODES = /&(?:"[^"]*"|K[0-9A-F+-]{6}|\d+|[A-Z])/gi;

/** The texts of headers and footers of a sheet, each once. */
export const marginTexts = (margins: readonly string[]): string[] => [
  ...new Set(margins.map((margin) => margin.replace(HEADER_CODES, ' ').trim())),
];
