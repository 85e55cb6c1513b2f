/**
 * Converts CR and CRLF in a chunked text to LF, also a CRLF across two chunks. eventsource-parser accepts CR too, but its
 * time is quadratic in the length of such a chunk.
 */
export class LineEnds {
  private endedInCr = false;

  pass(text: string): string {
    const rest = this.endedInCr && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.endedInCr = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }
}
