/** A single pair of dollars further apart than this is not a formula but two prices. */
export const FORMULA_MAX = 1_000;

const PROTECTED = /(`+)(?:(?!\1)[\s\S])*?\1(?!`)/g;
/** A formula alone on its line, in a quotation too. */
const DISPLAY_LINE = /^([ \t>]*)\$\$(?!\$)((?:\\.|[^$\\\n])+)\$\$[ \t]*$/gm;
const DISPLAY = /\\\[([\s\S]+?)\\\]/g;
const INLINE = /\\\(([\s\S]+?)\\\)/g;
/** The rule of Pandoc: no space inside the dollars, no digit after the closing one. */
const DOLLAR = new RegExp(
  String.raw`(?<![\\$\w])\$(?![\s$])((?:\\.|[^$\\\n]){0,${FORMULA_MAX}}?[^\s\\$])\$(?![\d$])`,
  'g',
);
const ANY_MATH = /\$\$|\\\(|\\\[|\$[^\s$]/;

/**
 * Replaces the delimiters of formulas, \( \), \[ \] and $, by $$, which cannot be confused with prices. Code keeps its
 * dollars.
 */
export function unifyMath(source: string): string {
  if (!ANY_MATH.test(source)) return source;
  let result = '';
  let from = 0;
  for (const match of source.matchAll(PROTECTED)) {
    result += unify(source.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return result + unify(source.slice(from));
}

function unify(text: string): string {
  return text
    .replace(
      DISPLAY_LINE,
      (_, margin: string, formula: string) => `${margin}$$\n${margin}${formula.trim()}\n${margin}$$`,
    )
    .replace(DISPLAY, (_, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
    .replace(INLINE, (_, formula: string) => `$$${formula.trim()}$$`)
    .replace(DOLLAR, (_, formula: string) => `$$${formula}$$`);
}

/** Whether a text with unified delimiters contains a formula, so that the renderer must be loaded. */
export function hasMath(source: string): boolean {
  const first = source.indexOf('$$');
  return first !== -1 && source.indexOf('$$', first + 2) !== -1;
}

/** The delimiter that closes the display formula that is open at the end of a text; null if none is open. */
export function openFormula(source: string, open: FormulaEnd | null): FormulaEnd | null {
  let end = open;
  for (const [delimiter] of source.matchAll(/\$\$|\\\[|\\\]/g)) {
    if (end === null) end = delimiter === '$$' ? '$$' : delimiter === '\\[' ? '\\]' : null;
    else if (delimiter === end) end = null;
  }
  return end;
}

export type FormulaEnd = '$$' | '\\]';
