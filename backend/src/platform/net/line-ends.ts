/**
 * A line that ends an object, before a line of data that begins another one: no JSON has both in one event. Some servers
 * leave the name of the field out.
 */
const NEXT_EVENT = /\}\n(?=\{|data: ?(?:\{|\[DONE\]))/g;
/** The beginning of such a place at the end of a chunk. */
const MAY_BE_NEXT = /(?<=\})\n(?:d(?:a(?:t(?:a(?:: ?(?:\[(?:D(?:O(?:NE?)?)?)?)?)?)?)?)?)?$/;

/**
 * Converts the line ends of a chunked event stream to those that the parser reads. CR and CRLF become LF, also a CRLF across
 * two chunks: eventsource-parser accepts CR too, but its time is quadratic in the length of such a chunk. Events that only
 * one line end separates get the blank line between them.
 */
export class LineEnds {
  private endedInCr = false;
  private held = '';
  private endedInBrace = false;

  pass(text: string): string {
    const rest = this.endedInCr && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.endedInCr = text.endsWith('\r');
    return this.separated(rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest);
  }

  private separated(text: string): string {
    if (text === '') return text;
    // The brace before the place may have passed with the last chunk.
    const before = this.endedInBrace ? '}' : '';
    let lines = before + this.held + text;
    if (lines.includes('}\ndata:') || lines.includes('}\n{')) lines = lines.replace(NEXT_EVENT, '}\n\n');
    const at = lines.endsWith('\n\n') ? -1 : lines.search(MAY_BE_NEXT);
    this.held = at === -1 ? '' : lines.slice(at);
    const passed = at === -1 ? lines : lines.slice(0, at);
    this.endedInBrace = passed.endsWith('}');
    return passed.slice(before.length);
  }

  /** What is held back at the end of the stream. */
  end(): string {
    return this.held;
  }
}
