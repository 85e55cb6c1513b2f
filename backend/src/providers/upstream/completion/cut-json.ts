/** Length of the longest JSON escape, \uXXXX. */
export const ESCAPE_LENGTH = 6;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Deepest nesting. Real chunks are far below it, and JSON.parse is ten times slower on deeply nested text. */
const MAX_DEPTH = 100;

/**
 * Closes a truncated JSON text so that JSON.parse accepts it. A string ends at the cut, another incomplete value or
 * property name is dropped, then all open arrays and objects are closed. Text that is not JSON, or is nested too deeply,
 * gives a text that JSON.parse refuses. Own code: JSON repair packages parse the whole text in JavaScript and have no
 * limit of depth, while this scan skips strings with indexOf.
 *
 * @param start beginning of the text, of any length
 */
export function closeCutJson(start: string): string {
  const closers: string[] = [];
  /** The text up to here only lacks its closing brackets. */
  let whole = 0;
  let colon = -1;
  const closed = (text: string): string => text + closers.reverse().join('');
  for (let at = 0; at < start.length; at += 1) {
    switch (start[at]) {
      case '{':
      case '[':
        if (closers.length === MAX_DEPTH) return '';
        closers.push(start[at] === '{' ? '}' : ']');
        whole = at + 1;
        break;
      case '}':
      case ']':
        closers.pop();
        whole = at + 1;
        break;
      case ',':
        whole = at;
        break;
      case ':':
        colon = at;
        break;
      case '"': {
        const end = endOfString(start, at + 1);
        const isName = closers.at(-1) === '}' && colon < whole;
        if (end === -1) return closed(isName ? start.slice(0, whole) : `${withoutCutEscape(start)}"`);
        at = end;
        if (!isName) whole = end + 1;
      }
    }
  }
  return closed(start.slice(0, whole));
}

/** Index of the quote that ends a string; -1 if the string is incomplete. Escaped quotes may be close together. */
function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && isEscaped(text, quote)) {
    quote += 1;
    while (text.charCodeAt(quote) === BACKSLASH) quote += 2;
    if (text.charCodeAt(quote) !== QUOTE) quote = text.indexOf('"', quote);
  }
  return quote;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
  return (at - start) % 2 === 1;
}

function withoutCutEscape(text: string): string {
  const escape = /\\(u[\da-f]{0,3})?$/i.exec(text.slice(1 - ESCAPE_LENGTH));
  if (!escape) return text;
  const at = text.length - escape[0].length;
  return isEscaped(text, at) ? text : text.slice(0, at);
}
