/** A single pair of dollars further apart than this is not a formula but two prices. */
export const FORMULA_MAX = 1_000;

/** A formula alone on its line, in a quotation too. */
const DISPLAY_LINE = /^([ \t>]*)\$\$(?!\$)((?:\\.|[^$\\\n])+)\$\$[ \t]*$/gm;
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
  for (const { start, end } of codeSpans(source)) {
    result += unify(source.slice(from, start)) + source.slice(start, end);
    from = end;
  }
  return result + unify(source.slice(from));
}

/**
 * The code spans and fenced blocks of a text: from a run of backticks to the next run that is at least as long, if it has
 * the same length. Linear time.
 */
function codeSpans(source: string): { start: number; end: number }[] {
  const runs = [...source.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
    length,
  }));
  const closers = closersOf(runs.map(({ length }) => length));
  const spans: { start: number; end: number }[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    const closer = closers[at] ?? at;
    if (closer === at || runs[closer]!.length !== runs[at]!.length) continue;
    spans.push({ start: runs[at]!.start, end: runs[closer]!.end });
    at = closer;
  }
  return spans;
}

/** For each length the place of the next one that is not shorter. */
function closersOf(lengths: readonly number[]): (number | undefined)[] {
  const closers = new Array<number | undefined>(lengths.length);
  /** Places whose lengths decrease. */
  const later: number[] = [];
  for (let at = lengths.length - 1; at >= 0; at -= 1) {
    while (later.length > 0 && lengths[later.at(-1)!]! < lengths[at]!) later.pop();
    closers[at] = later.at(-1);
    later.push(at);
  }
  return closers;
}

/** Replaces texts between two delimiters. Linear time: without a further closing delimiter the search ends. */
function replaceDelimited(text: string, [open, close]: [string, string], write: (inner: string) => string): string {
  let result = '';
  let from = 0;
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, from)) {
    const inner = start + open.length;
    const end = text.indexOf(close, inner + 1);
    if (end === -1) break;
    result += text.slice(from, start) + write(text.slice(inner, end));
    from = end + close.length;
  }
  return result + text.slice(from);
}

function unify(text: string): string {
  const withLines = text.replace(
    DISPLAY_LINE,
    (_, margin: string, formula: string) => `${margin}$$\n${margin}${formula.trim()}\n${margin}$$`,
  );
  const withDisplay = replaceDelimited(withLines, ['\\[', '\\]'], (formula) => `\n$$\n${formula.trim()}\n$$\n`);
  const withInline = replaceDelimited(withDisplay, ['\\(', '\\)'], (formula) => `$$${formula.trim()}$$`);
  return withInline.replace(DOLLAR, (_, formula: string) => `$$${formula}$$`);
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
