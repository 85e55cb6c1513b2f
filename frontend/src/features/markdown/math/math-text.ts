const ANY_MATH = /\$\$|\\\(|\\\[(?!\^)|\$[^\n$]|\\(?:begin|boxed|ce)\{/;

/** Whether a text has a sign of formulas, so that it must be read for them. */
export const mayHaveMath = (source: string): boolean => ANY_MATH.test(source);

/** The delimiter that closes the display formula that is open at the end of a text; null if none is open. */
export function openFormula(source: string, open: FormulaEnd | null): FormulaEnd | null {
  let end = open;
  // Escaped backslashes are line breaks of a formula: \\[6pt] opens nothing.
  for (const [delimiter] of source.matchAll(/\$+|\\[^]|(?<!`)`[^`\n]+`(?!`)/g)) {
    if (!/^(?:\$\$|\\\[|\\\])$/.test(delimiter)) continue;
    if (end === null) end = delimiter === '$$' ? '$$' : delimiter === '\\[' ? '\\]' : null;
    else if (delimiter === end) end = null;
  }
  return end;
}

export type FormulaEnd = '$$' | '\\]';
