/** Where data in Base64 begins in texts: addresses of pictures in pages and Markdown, books of FictionBook, photos of contacts. */
const MARK = /;base64,|<binary\b[^<>]{0,200}>|;ENCODING=B(?:ASE64)?\b[^:\r\n]{0,60}:/i;

/** Characters that are searched at once, and those at their end in which a mark may begin. */
const WINDOW = 64 * 1024;
const OVERLAP = 300;

/** Data in Base64, also over several lines, and with the escaped slashes of JSON. */
const DATA = /(?:[\w+/=%-]|\\\/|\r?\n[ \t]*(?=[\w+/=]{60})){1,65536}/y;

/** Characters of data that stay: an icon of a style sheet. */
const MAX_DATA = 500;

/**
 * A text in pieces without pictures and fonts that are written in it as Base64: no model reads these, and one picture has
 * more characters than a book. Some pieces are empty, so that the reader may pause between them.
 */
export function* withoutData(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const mark = MARK.exec(text.slice(at, at + WINDOW));
    if (mark === null) {
      const end = at + WINDOW < text.length ? at + WINDOW - OVERLAP : text.length;
      yield text.slice(at, end);
      at = end;
      continue;
    }
    const start = at + mark.index + mark[0].length;
    let end = start;
    for (let length = 1; length > 0; end += length) {
      DATA.lastIndex = end;
      length = DATA.exec(text)?.[0].length ?? 0;
      yield '';
    }
    const length = end - start;
    yield text.slice(at, start) + (length > MAX_DATA ? `[${length} characters of data]` : text.slice(start, end));
    at = end;
  }
}
