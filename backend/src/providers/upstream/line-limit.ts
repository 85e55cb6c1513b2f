/** What JSON takes for a character at most: \uXXXX. */
export const ESCAPE_LENGTH = 6;

/** Bounds the lines of a stream of JSON that comes in pieces: of a line that is too long only the beginning passes. */
export class LineLimit {
  /** Of the line that is being read, all that came. */
  length = 0;
  /** The beginning of a line that is too long has just passed. */
  justCut = false;

  /** For how many characters the line stands, once its escapes are read. */
  private characters = 0;
  private isCut = false;

  /** @param limit characters of a line, each escape counted as one */
  constructor(private readonly limit: number) {}

  /** What of the next piece is to be read. The piece that goes beyond the limit still passes whole. */
  pass(text: string): string {
    const lineEnd = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    const rest = this.isCut ? text.slice(lineEnd === -1 ? text.length : text.search(/[\r\n]/)) : text;
    if (lineEnd !== -1) {
      this.length = 0;
      this.characters = 0;
      this.isCut = false;
    }
    this.length += text.length - lineEnd - 1;
    this.characters += unescapedLength(text, lineEnd + 1);
    this.justCut = !this.isCut && this.characters > this.limit;
    this.isCut ||= this.justCut;
    return rest;
  }
}

/** An escape that two pieces share counts as the longest. */
function unescapedLength(json: string, from: number): number {
  let length = json.length - from;
  for (let at = json.indexOf('\\', from); at !== -1; at = json.indexOf('\\', at + 2)) {
    const next = json[at + 1];
    length -= next === 'u' || next === undefined ? ESCAPE_LENGTH - 1 : 1;
  }
  return length;
}
