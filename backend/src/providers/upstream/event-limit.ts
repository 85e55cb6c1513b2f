import { ESCAPE_LENGTH } from './cut-json.js';

/** Bounds the events of a stream of JSON that comes in pieces: of an event that is too long only the beginning passes. */
export class EventLimit {
  /** Of the event that is being read, all that came. */
  length = 0;
  /** The beginning of an event that is too long has just passed. */
  justCut = false;

  /** For how many characters the event stands, once its escapes are read. */
  private characters = 0;
  private isCut = false;
  private atLineStart = false;

  /** @param limit characters of an event, each escape counted as one */
  constructor(private readonly limit: number) {}

  /**
   * What of the next piece is to be read. The piece that goes beyond the limit still passes whole.
   *
   * @param text with LF at the end of every line
   */
  pass(text: string): string {
    const lines = this.atLineStart ? `\n${text}` : text;
    const lastEnd = lines.lastIndexOf('\n\n');
    const from = lastEnd === -1 ? 0 : lastEnd + 2;
    let rest = text;
    if (this.isCut) rest = lastEnd === -1 ? '' : lines.slice(lines.indexOf('\n\n') + 2);
    if (lastEnd !== -1) {
      this.length = 0;
      this.characters = 0;
      this.isCut = false;
    }
    this.length += lines.length - from;
    this.characters += unescapedLength(lines, from);
    this.justCut = !this.isCut && this.characters > this.limit;
    this.isCut ||= this.justCut;
    if (text !== '') this.atLineStart = text.endsWith('\n');
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
