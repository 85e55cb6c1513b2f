/**
 * Models write formulas as \( \), \[ \], $ and $$. All become $$ here, the one delimiter that prices in a text are
 * never taken for. Code keeps its dollars.
 */
const PROTECTED = /(`+)(?:(?!\1)[\s\S])*?\1(?!`)/g;
/** Alone on its line, in a quotation too. */
const DISPLAY_LINE = /^([ \t>]*)\$\$(?!\$)((?:\\.|[^$\\\n])+)\$\$[ \t]*$/gm;
const DISPLAY = /\\\[([\s\S]+?)\\\]/g;
const INLINE = /\\\(([\s\S]+?)\\\)/g;
/** Pandoc's rule: no space inside the dollars, no digit after the closing one. */
const DOLLAR = /(?<![\\$\w])\$(?![\s$])((?:\\.|[^$\\\n])*?[^\s\\$])\$(?![\d$])/g;
const ANY_MATH = /\$\$|\\\(|\\\[|\$[^\s$]/;

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

/** Whether a text with unified math has a formula that is worth loading the renderer for. */
export function hasMath(source: string): boolean {
  const first = source.indexOf('$$');
  return first !== -1 && source.indexOf('$$', first + 2) !== -1;
}

/** How a stretch of text leaves a display formula that spans blank lines: what must still come to close it. */
export function openFormula(source: string, open: FormulaEnd | null): FormulaEnd | null {
  let end = open;
  for (const [delimiter] of source.matchAll(/\$\$|\\\[|\\\]/g)) {
    if (end === null) end = delimiter === '$$' ? '$$' : delimiter === '\\[' ? '\\]' : null;
    else if (delimiter === end) end = null;
  }
  return end;
}

export type FormulaEnd = '$$' | '\\]';
