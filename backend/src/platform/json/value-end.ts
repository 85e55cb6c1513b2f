/** Finds the end of a JSON object or list in a chunked text. */
export class ValueEnd {
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  hasEnded = false;

  /** Number of characters of the next piece that belong to the value. Another kind of value has no end. */
  lengthIn(piece: string): number {
    for (let at = 0; at < piece.length; at += 1) {
      if (this.hasEnded) return at;
      this.read(piece[at]!);
    }
    return piece.length;
  }

  private read(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (this.isInString) {
      this.isEscaped = character === '\\';
      this.isInString = character !== '"';
    } else if (character === '"') this.isInString = true;
    else if (character === '{' || character === '[') this.depth += 1;
    else if (character === '}' || character === ']') {
      this.depth -= 1;
      this.hasEnded = this.depth <= 0;
    }
  }
}
