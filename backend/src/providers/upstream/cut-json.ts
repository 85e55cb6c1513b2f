/** What JSON takes for a character at most: \uXXXX. */
export const ESCAPE_LENGTH = 6;

/** Nothing honest is nested deeper, and JSON.parse is ten times slower there. */
const MAX_DEPTH = 100;

/**
 * Closes a JSON text that was cut: a text in it ends where the cut fell, any other value and a name that the cut left
 * incomplete is dropped, then every list and object around it ends. What never was JSON, or is nested too deep, becomes
 * something that JSON.parse refuses.
 *
 * @param start the beginning of the text, in any length
 */
export function closeCutJson(start: string): string {
  const closers: string[] = [];
  /** So far the text only lacks its closers. */
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

/** Where the quote is that ends a string, -1 where none does. */
function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

function withoutCutEscape(text: string): string {
  const escape = /\\(u[\da-f]{0,3})?$/i.exec(text.slice(1 - ESCAPE_LENGTH));
  if (!escape) return text;
  const at = text.length - escape[0].length;
  return isEscaped(text, at) ? text : text.slice(0, at);
}
