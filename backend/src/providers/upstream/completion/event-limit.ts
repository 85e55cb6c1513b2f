import { ESCAPE_LENGTH } from './cut-json.js';

/** Truncates oversized events of a chunked JSON event stream: only the beginning of such an event passes. */
export class EventLimit {
  /** Characters of the current event so far. */
  length = 0;
  /** True if the last call of `pass` cut an event. */
  justCut = false;

  /** Characters of the current event after unescaping. */
  private characters = 0;
  private isCut = false;
  private atLineStart = false;

  /** @param limit characters per event; each escape counts as one */
  constructor(private readonly limit: number) {}

  /**
   * Returns the part of the next chunk to parse. The chunk that exceeds the limit still passes in full.
   *
   * @param text chunk with LF line ends
   */
  pass(text: string): string {
    // An event may end across two chunks.
    const lines = this.atLineStart && text.startsWith('\n') ? `\n${text}` : text;
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

/** Length after unescaping. An escape at a chunk border counts with the longest form. */
function unescapedLength(json: string, from: number): number {
  let length = json.length - from;
  for (let at = json.indexOf('\\', from); at !== -1; at = json.indexOf('\\', at + 2)) {
    const next = json[at + 1];
    length -= next === 'u' || next === undefined ? ESCAPE_LENGTH - 1 : 1;
  }
  return length;
}
