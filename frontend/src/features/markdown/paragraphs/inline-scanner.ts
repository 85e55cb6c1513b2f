import { trimEndOf } from '@tanya/contract';
import { FORMULA_MAX } from '../math/math-text';
import { type Delimiter, scanDelimiterRun } from './delimiter-run';

/** Position after the construct at a position; null if more text may change the construct. */
type Scanned = number | null;

const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>()[\]]*/iy;
const TAG =
  /<(?:\/[a-z][\w-]*\s*|[a-z][\w-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?|[a-z][a-z\d+.-]{1,31}:[^\s<>]*)>/iy;
const LINK_TAIL =
  /\(\s*(?:(?:<[^<>\n]*>|(?![\s)])[^\s()<]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*)?\)/y;
/** Characters that the math delimiters and code spans of `unifyMath` react to, regardless of links and tags. */
const RAW_MARKUP = /[$`\\]/;

/**
 * Scans the inline markup of a paragraph from left to right. `isOutside` is true where no code span, link, tag, formula
 * or emphasis is open, so that more text cannot change the rendering of what was scanned. The scanner stops at a
 * construct that more text may change, and at rare ones that it does not decide.
 */
export class InlineScanner {
  private readonly open: Delimiter[] = [];

  constructor(
    private readonly source: string,
    /** The next character to scan; the scanner starts outside of all markup. */
    public at: number,
  ) {}

  get isOutside(): boolean {
    return this.open.length === 0;
  }

  /** Scans one character or construct; returns false at the end of the text and where the scan stops. */
  advance(): boolean {
    if (this.at >= this.source.length) return false;
    const next = this.scan();
    if (next === null) return false;
    this.at = next;
    return true;
  }

  private scan(): Scanned {
    const { source, at, open } = this;
    switch (source[at]) {
      case '\\':
        return scanBackslash(source, at);
      case '`':
        return scanCodeSpan(source, at);
      case '$':
        return source[at + 1] === '$' ? scanDoubleDollar(source, at) : scanDollar(source, at);
      case '<':
        return scanTag(source, at);
      case '[':
        open.push({ char: '[', length: 1, isBoth: false });
        return at + 1;
      case ']':
        return scanBracketEnd(source, at, open);
      case '*':
      case '_':
      case '~':
        return scanDelimiterRun(source, at, open);
      case '@':
        // An underscore before may belong to an email address.
        return open.some(({ char }) => char === '_') ? null : at + 1;
      case 'h':
      case 'H':
      case 'w':
      case 'W':
        return scanUrl(source, at);
      default:
        return at + 1;
    }
  }
}

function scanBackslash(source: string, at: number): Scanned {
  const [, next, afterNext] = source.slice(at, at + 3);
  if (next === undefined || next === '[' || next === '`') return null;
  if (next === '(') {
    const end = source.indexOf('\\)', at + 3);
    return end === -1 || /[$`]/.test(source.slice(at, end)) ? null : end + 2;
  }
  if (next === '\\' && (afterNext === '(' || afterNext === '[')) return null;
  if (next === '$' && afterNext === '$') return null;
  return at + 2;
}

function scanCodeSpan(source: string, at: number): Scanned {
  const length = runLength(source, at);
  const end = source.indexOf('`', at + length);
  if (end === -1 || runLength(source, end) !== length) return null;
  return end + length === source.length ? null : end + length;
}

function runLength(source: string, at: number): number {
  let end = at;
  while (source[end] === source[at]) end += 1;
  return end - at;
}

function scanDoubleDollar(source: string, at: number): Scanned {
  const end = source.indexOf('$$', at + 2);
  if (end === -1 || source[at + 2] === '$' || source.length <= end + 2 || source[end + 2] === '$') return null;
  // At the beginning of a line it may be a display formula.
  if (/(?:^|\n)[ \t>]*$/.test(source.slice(Math.max(0, at - 20), at))) return null;
  return source.slice(at, end).includes('`') ? null : end + 2;
}

/** Follows the pattern of `unifyMath`: a formula within one line, without spaces inside its dollars. */
function scanDollar(source: string, at: number): Scanned {
  const next = source[at + 1];
  if (next === undefined) return null;
  if (/[\s$]/.test(next) || /[\w$]/.test(source[at - 1] ?? ' ')) return at + 1;
  let end = at + 1;
  let isEscaped = false;
  // The pattern takes one character more than its maximum.
  for (let count = 0; count <= FORMULA_MAX + 1; count += 1) {
    const char = source[end];
    if (char === undefined) return null;
    if (char === '\n') return at + 1;
    // A formula does not span code.
    if (char === '`') return scanCodeSpan(source, end) === null ? null : at + 1;
    if (char === '$') return isEscaped ? at + 1 : scanClosingDollar(source, at, end);
    if (char === '\\' && /[([\n]|^$/.test(source[end + 1] ?? '')) return null;
    isEscaped = char === '\\';
    end += isEscaped ? 2 : 1;
  }
  return source.length > end + 1 ? at + 1 : null;
}

function scanClosingDollar(source: string, at: number, end: number): Scanned {
  if (/\s/.test(source[end - 1] ?? '')) return at + 1;
  const after = source[end + 1];
  if (after === undefined) return null;
  return /[\d$]/.test(after) ? at + 1 : end + 1;
}

function scanTag(source: string, at: number): Scanned {
  const next = source[at + 1];
  if (next === undefined) return null;
  if (!/[a-z/!?]/i.test(next)) return at + 1;
  const tag = matchAt(TAG, source, at);
  return tag === null || RAW_MARKUP.test(tag) ? null : at + tag.length;
}

function scanBracketEnd(source: string, at: number, open: Delimiter[]): Scanned {
  if (!open.some(({ char }) => char === '[')) return at + 1;
  if (open.at(-1)?.char !== '[') return null;
  open.pop();
  const next = source[at + 1];
  if (next === undefined) return null;
  if (next !== '(') return at + 1;
  const tail = matchAt(LINK_TAIL, source, at + 1);
  if (tail !== null) return RAW_MARKUP.test(tail) ? null : at + 1 + tail.length;
  // Not a link, if its parenthesis closes without a quotation mark or another bracket.
  const end = source.indexOf(')', at);
  return end === -1 || /["'<(\\`]/.test(source.slice(at + 2, end)) ? null : at + 1;
}

function scanUrl(source: string, at: number): Scanned {
  const url = /\w/.test(source[at - 1] ?? ' ') ? null : matchAt(ADDRESS, source, at);
  if (url === null) return at + 1;
  const next = source[at + url.length];
  if (next === undefined || next === '(' || next === '[') return null;
  const address = trimEndOf(url, `?!.,:*_~'"`);
  return RAW_MARKUP.test(url) || /[*~]|\W_|_\W/.test(address) ? null : at + address.length;
}

function matchAt(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? null;
}
