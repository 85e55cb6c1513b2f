import { mayHaveMath } from './math-text';

/** A single pair of dollars further apart than this is not a formula but two prices. */
const FORMULA_MAX = 1_000;

/** The rule of Pandoc: no space inside the dollars, no digit after the closing one. Models write a space on both sides too. */
const DOLLAR = new RegExp(String.raw`(?<![\\$\w])\$(?!\$)((?:\\.|[^$\\\n]){1,${FORMULA_MAX}}?)\$(?![\d$])`, 'y');
/** What only a formula has, or one without words. */
const TEX = /\\[A-Za-z]|\^/;
const SHORT_TEX = /^(?!.*[A-Za-z]{3})(?:.*[_=]| *[A-Za-z] *$|.*[A-Za-z)] ?[-+<>] ?[\dA-Za-z(])/;
/** A price before a word of a script without spaces. */
const PRICE = /^\d[\d.,]*[，。、；：！？（）\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]/u;
/** What follows the dollars of two prices: $ 5k - 7k or $ 9k. */
const SPACED_NUMBER = /^ \d/;
/** What separates two names of shells or of shares: $HOME/$USER. */
const SEPARATED = /[/:,;|–—-]$/;
/** The environments that stand without delimiters. */
const ENVIRONMENTS = String.raw`\{(?:equation|align(?:at|ed)?|gather(?:ed)?|multline|eqnarray|split|array|tabular|cases|[pbvBV]?matrix)\*?\}`;
/** An opening delimiter, whose backslash models write twice at times; or characters that open nothing. */
const OPENER = new RegExp(String.raw`\\{1,2}[([]|\\begin${ENVIRONMENTS}|\\(?:boxed|ce)\{|\\[^]|\$+`, 'g');
/** What models write without delimiters: a result in a box, and chemistry. */
const BARE = /\\(?:boxed|ce)\{(?:[^{}\n$\\]|\\.|\{(?:[^{}\n$\\]|\\.|\{(?:[^{}\n$\\]|\\.)*\})*\}){1,1000}\}/y;
/** So many environments inside of another one are looked through. */
const INNER_MAX = 20;
const END = new RegExp(String.raw`\\end${ENVIRONMENTS}`, 'g');
/** What may stand before a formula that is alone on its line: the markers of quotations and of list items. */
const LINE_START = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*$/;
/** Longer starts of lines are text. */
const LINE_START_MAX = 200;
const LINE_BREAK = /\n/g;
const LINE_END = /\n/g;
const BLANK_LINE = /\n[ \t>]*\n/g;
const REST_OF_LINE = /[ \t.,;]*(?:\n|$)/y;

/**
 * Writes all formulas in one form: $$ for those in a line, $$$ for display, each in one line of text. So prices are no
 * formulas, and the lines of a formula cannot end the list item, the quotation or the table cell that it is in. Code
 * keeps its dollars.
 * @param isOpen whether more text may follow: a dollar at the end may then be a price
 */
export function unifyMath(source: string, isOpen = false): string {
  return mayHaveMath(source) ? new FormulaReader(source, isOpen).unified() : source;
}

const UNIFIED = /\${3} (?:(?!\${3}).)*(?<= )\${3}|\$\$(?!\$).*?\$\$(?!\$)/g;
const PLACE = '\uE0F0';

/** Changes the text around the formulas of a text that `unifyMath` has written. */
export function betweenFormulas(unified: string, change: (text: string) => string): string {
  if (!hasMath(unified) || unified.includes(PLACE)) return change(unified);
  const formulas = unified.match(UNIFIED) ?? [];
  let index = 0;
  return change(unified.replace(UNIFIED, PLACE)).replaceAll(PLACE, () => formulas[index++] ?? '');
}

/**
 * A text that `unifyMath` has written, with its formulas as code: what is shown until they can be rendered. Code that has
 * dollars stays.
 */
export const formulasAsCode = (unified: string): string =>
  unified.replace(UNIFIED, (formula) => {
    const delimiter = formula.startsWith('$$$') ? 3 : 2;
    const tex = formula.slice(delimiter, -delimiter).trim();
    return tex.includes('`') ? formula : `\`${tex}\``;
  });

/** A text that was cut off in a formula, with what there is of the formula as code. */
export function cutAsCode(source: string): string {
  const opener = lastOpener(source);
  if (!opener) return source;
  const before = source.slice(0, opener.index);
  const tex = source
    .slice(opener.index + opener[0].length)
    .trim()
    .replace(/\n[ \t]*/g, ' ');
  const isInCode = /`|~~~/.test(before.replace(CODE_SPAN, '') + tex);
  // Two dollars may be of a shell, too.
  return /[\\^_=]/.test(tex) && !isInCode ? `${before}\`${tex}\`` : source;
}

const CODE_SPAN = /(?<!`)`[^`\n]+`(?!`)/g;
const DELIMITER = new RegExp(String.raw`\$+|\\{1,2}[()[\]]|\\[^]|${CODE_SPAN.source}`, 'g');

/** The delimiter of the formula that is open at the end of a text. In a formula, \\[6pt] is a line break. */
function lastOpener(source: string): RegExpExecArray | null {
  let open: RegExpExecArray | null = null;
  let closer: string | null = null;
  for (const match of source.matchAll(DELIMITER)) {
    const [delimiter] = match;
    if (delimiter === closer) open = closer = null;
    // One that opens a formula in a line may be an escaped bracket.
    else if (delimiter in ENDS && (!open || (open[0].endsWith('(') && !delimiter.startsWith('\\\\')))) {
      open = match;
      closer = ENDS[delimiter]!;
    }
  }
  return open;
}

const ENDS: Record<string, string> = { $$: '$$', '\\[': '\\]', '\\(': '\\)', '\\\\[': '\\\\]', '\\\\(': '\\\\)' };

interface Formula {
  text: string;
  end: number;
}

/** Reads a text once from its start to its end. All searches go on from the last one, so that they take linear time. */
class FormulaReader {
  private readonly found = new Map<RegExp, number>();
  private lineStart = 0;
  /** Whether a delimiter is open at the end of a growing text: what follows it is a part of its formula. */
  private isInside = false;
  private readonly lastBreak: number;

  constructor(
    private readonly source: string,
    private readonly isOpen: boolean,
  ) {
    this.lastBreak = source.lastIndexOf('\n');
  }

  unified(): string {
    const { source } = this;
    const opener = new RegExp(OPENER);
    const spans = codeSpans(source, this.isOpen);
    let result = '';
    let last = '';
    let from = 0;
    let span = 0;
    for (let match = opener.exec(source); match; match = opener.exec(source)) {
      while (spans[span] && spans[span]!.end <= match.index) span += 1;
      const code = spans[span];
      if (code && code.start <= match.index) {
        opener.lastIndex = code.end;
        continue;
      }
      const formula = this.formulaAt(match.index, match[0], code?.start ?? Infinity);
      if (!formula) continue;
      const between = source.slice(from, match.index);
      // Without a space, the dollars of two formulas would be one delimiter. To look at the end of the result would copy it.
      const gap = between === '' && last.endsWith('$') ? ' ' : '';
      last = formula.text;
      result += between + gap + last;
      from = formula.end;
      opener.lastIndex = from;
    }
    return result + source.slice(from);
  }

  /** The formula that a delimiter opens, in the unified form. One that does not end before `limit` is none. */
  private formulaAt(start: number, opener: string, limit: number): Formula | null {
    const { source } = this;
    // Three dollars are a range of prices.
    if (/^\$\$\$/.test(opener)) return { text: String.raw`\$`.repeat(opener.length), end: start + opener.length };
    if (opener === '$') {
      DOLLAR.lastIndex = start;
      const [raw, inner = ''] = DOLLAR.exec(source) ?? [];
      this.isInside ||= this.isOpen && start > this.lastBreak && (!raw || start + raw.length === source.length);
      if (!raw || start + raw.length > limit) return null;
      const end = start + raw.length;
      if ((this.isOpen && end === source.length) || !isFormula(inner, source.slice(end, end + 2))) return null;
      return { text: inCell(inline(withPercents(inner.trim())), this.lineBefore(start)), end };
    }
    const closer = CLOSERS[opener];
    if (!closer && this.isInside) return null;
    if (opener.endsWith('{')) {
      BARE.lastIndex = start;
      const [formula] = BARE.exec(source) ?? [];
      const end = start + (formula?.length ?? 0);
      if (!formula || end > limit || source[start - 1] === '$' || source[end] === '$') return null;
      return { text: inCell(inline(withPercents(formula)), this.lineBefore(start)), end };
    }
    if (opener.startsWith('\\begin')) return this.environmentAt(start, opener, limit);
    const from = start + opener.length;
    const close = closer ? this.next(closer, from + 1) : null;
    this.isInside ||= this.isOpen && closer !== undefined && close === null;
    if (close === null || close >= limit) return null;
    const inside = source.slice(from, close);
    if (isProse(inside, opener)) return null;
    const before = this.lineBefore(start);
    const isFirst = LINE_START.test(before);
    const hasLines = isBefore(this.next(LINE_BREAK, from), close);
    const isDisplay = opener.endsWith('[') || (opener === '$$' && (hasLines || (isFirst && this.endsLine(close + 2))));
    const mayHaveBlankLines = opener.endsWith('[') || (opener === '$$' && isFirst);
    if (!mayHaveBlankLines && isBefore(this.next(BLANK_LINE, from), close)) return null;
    // A model that doubles the backslashes of the delimiters doubles all.
    const isDoubled = opener.startsWith('\\\\') && !SINGLE_BACKSLASH.test(inside);
    const formula = oneLine(isDoubled ? inside.replaceAll('\\\\', '\\') : inside, before);
    const end = close + opener.length;
    // Lines of comments are skipped whole, with the delimiters in them.
    if (!formula) return hasLines ? { text: source.slice(start, end), end } : null;
    const text = isDisplay ? `$$$ ${formula} $$$` : inline(formula);
    return { text: inCell(text, before), end };
  }

  /** An environment on lines of its own, whose delimiters models forget. */
  private environmentAt(start: number, opener: string, limit: number): Formula | null {
    const before = this.lineBefore(start);
    if (!LINE_START.test(before)) return null;
    const closer = opener.replace('begin', 'end');
    let close = this.next(END, start);
    for (let inner = 0; close !== null && inner < INNER_MAX && !this.source.startsWith(closer, close); inner += 1)
      close = this.next(END, close + 1);
    if (close === null || close >= limit || !this.source.startsWith(closer, close)) return null;
    const end = close + closer.length;
    if (!this.endsLine(end) || isBefore(this.next(BLANK_LINE, start), close)) return null;
    return { text: inCell(`$$$ ${oneLine(this.source.slice(start, end), before)} $$$`, before), end };
  }

  private next(pattern: RegExp, from: number): number | null {
    const last = this.found.get(pattern);
    if (last !== undefined && last >= from) return last === Infinity ? null : last;
    pattern.lastIndex = from;
    const found = pattern.exec(this.source)?.index ?? Infinity;
    this.found.set(pattern, found);
    return found === Infinity ? null : found;
  }

  /** The line before a delimiter, or nothing of a line that is too long to be the start of a formula. */
  private lineBefore(start: number): string {
    for (let end = this.lineEnd(); end < start; end = this.lineEnd()) this.lineStart = end + 1;
    return this.source.slice(this.lineStart, Math.min(start, this.lineStart + LINE_START_MAX));
  }

  private lineEnd(): number {
    return this.next(LINE_END, this.lineStart) ?? Infinity;
  }

  private endsLine(from: number): boolean {
    REST_OF_LINE.lastIndex = from;
    return REST_OF_LINE.test(this.source);
  }
}

/**
 * Whether the text between two dollars is a formula, and not what is between two prices or names.
 * @param after the two characters after the second dollar
 */
function isFormula(inner: string, after: string): boolean {
  const isSpaced = /^\s/.test(inner) || /\s$/.test(inner);
  const isPrices = SPACED_NUMBER.test(inner) && SPACED_NUMBER.test(after);
  if (isSpaced) return /^ .*\S $/.test(inner) && (TEX.test(inner) || (SHORT_TEX.test(inner) && !isPrices));
  return !PRICE.test(inner) && !(SEPARATED.test(inner) && /^\p{L}/u.test(after));
}

/** An odd number of backslashes before a letter. */
const SINGLE_BACKSLASH = /(?<!\\)(?:\\\\){0,9}\\[A-Za-z]/;
/** Numbers of sources, boxes of tasks and words: brackets that a model escapes, such as those of `\[Your Name\]`. */
const BRACKETED = /^(?:\d{1,3}|[xX]|[\p{L}’'-]{3,}(?:[ ,/&.]{1,3}[\p{L}’'-]{2,}){0,9})$/u;
const PARENTHESISED = /^[\p{L}’'-]{3,}(?:[ ,/&.]{1,3}[\p{L}’'-]{2,}){1,9}$/u;

/** Whether escaped brackets are around words, and not around a formula. */
const isProse = (inside: string, opener: string): boolean =>
  (opener === '\\[' && BRACKETED.test(inside)) || (opener === '\\(' && PARENTHESISED.test(inside));

/** A formula with its percents, which begin comments in TeX. */
const withPercents = (formula: string): string => formula.replace(/(?<!\\)%/g, String.raw`\%`);

const isBefore = (place: number | null, end: number) => place !== null && place < end;

const CLOSERS: Record<string, RegExp> = {
  '\\[': /(?<!\\)\\\]/g,
  '\\(': /(?<!\\)\\\)/g,
  '\\\\[': /\\\\\]/g,
  '\\\\(': /\\\\\)/g,
  $$: /(?<![\\$])\$\$(?!\$)/g,
};

/**
 * A formula as one line, without comments and without the marks of the quotation that it is in. After a number, and in a
 * formula of one line, a percent is no comment.
 */
function oneLine(formula: string, before: string): string {
  if (!formula.includes('\n')) return withPercents(formula.trim());
  const depth = before.split('>').length - 1;
  const marks = new RegExp(String.raw`^(?:[ \t]*>){0,${depth}}`);
  return formula
    .split('\n')
    .map((line, index) => (index === 0 ? line : line.replace(marks, '')).split(/(?<![\\\d])%/, 1)[0]!.trim())
    .map(withPercents)
    .filter(Boolean)
    .join(' ');
}

/** A dollar at the end would be one of the delimiter. */
const inline = (formula: string): string => `$$${formula}${formula.endsWith('$') ? ' ' : ''}$$`;

/** In a row of a table, a bar would end the cell. One that is escaped for the table is a bar too. */
const inCell = (formula: string, before: string): string =>
  /^[ \t>]*\|/.test(before) ? formula.replace(/(?<!\\)\\?\|/g, String.raw`\vert `) : formula;

/**
 * The code spans and fenced blocks of a text: from a run of backticks to the next run that is at least as long, if it has
 * the same length. One that is open at the end of a growing text may end later. Linear time.
 */
function codeSpans(source: string, isOpen: boolean): { start: number; end: number }[] {
  const runs = [...source.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
    length,
  }));
  const closers = closersOf(runs.map(({ length }) => length));
  const spans: { start: number; end: number }[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    const closer = closers[at] ?? at;
    if (isOpen && closer === at && !source.includes('\n\n', runs[at]!.end)) {
      spans.push({ start: runs[at]!.start, end: source.length });
      break;
    }
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

/** Whether a text with unified delimiters contains a formula, so that the renderer must be loaded. */
export function hasMath(source: string): boolean {
  const first = source.indexOf('$$');
  return first !== -1 && source.indexOf('$$', first + 2) !== -1;
}
