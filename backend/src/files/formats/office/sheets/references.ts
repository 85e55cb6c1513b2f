const LETTERS = 26;
const BEFORE_A = 64;

/** The column of a cell's name, from 0: 2 for `C7`; null for another name. */
export function columnOf(name: string): number | null {
  let column = 0;
  let at = 0;
  for (; at < name.length; at++) {
    const letter = name.charCodeAt(at) - BEFORE_A;
    if (letter < 1 || letter > LETTERS) break;
    column = column * LETTERS + letter;
  }
  return at === 0 ? null : column - 1;
}

/** The letters of a column. @param column from 0 */
export function lettersOf(column: number): string {
  let letters = '';
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / LETTERS))
    letters = String.fromCharCode(BEFORE_A + 1 + ((left - 1) % LETTERS)) + letters;
  return letters;
}

/** Texts and quoted names of sheets, which stay, and references to cells. Other names have more letters around. */
const REFERENCE = /"[^"]*"|'[^']*'|(?<![\w.$])(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\w.(!])/g;

/** A formula at another place, whose relative references move along. */
export const shifted = (formula: string, rows: number, columns: number): string =>
  formula.replace(REFERENCE, (whole, isColumnFixed: string, letters: string, isRowFixed: string, row: string) => {
    if (letters === undefined) return whole;
    const column = isColumnFixed === '$' ? letters : lettersOf((columnOf(letters) ?? 0) + columns);
    return `${isColumnFixed}${column}${isRowFixed}${isRowFixed === '$' ? row : Number(row) + rows}`;
  });
