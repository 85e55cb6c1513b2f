/** Gives every line of a text that comes in pieces LF for its CR or CRLF, also for one that two pieces share. */
export class LineEnds {
  private endedInCr = false;

  pass(text: string): string {
    const rest = this.endedInCr && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.endedInCr = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }
}
