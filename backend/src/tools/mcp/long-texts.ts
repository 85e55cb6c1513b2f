import { MAX_RESULT_BYTES } from '../cut-text.js';

/** Of the longest escape, such as `\u0001` for one byte. */
const ESCAPE_LENGTH = 6;

/** Characters of one text that are kept: more than a result may have when each is an escape, so that its cut is marked. */
export const KEPT_TEXT = ESCAPE_LENGTH * (MAX_RESULT_BYTES + 1);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const U = 0x75;

/** Where the reading stands within an escape such as `\n` or `\u00e9`: characters that are left of it. */
const NO_ESCAPE = 0;
/** After the backslash, before the character that says how long the escape is. */
const ESCAPE_BEGUN = 5;

/**
 * Cuts the long texts out of JSON, or out of events of it, while it arrives: a picture in base64 beside a text is skipped
 * instead of kept. The JSON stays whole. Own code: parsers of libraries decode a text before they give it.
 */
export class LongTexts {
  private isInText = false;
  private isSkipping = false;
  private length = 0;
  private escape = NO_ESCAPE;

  /** @param bytes a piece of UTF-8, cut anywhere @returns the piece without the rest of long texts */
  cut(bytes: Buffer): Buffer {
    const kept: Buffer[] = [];
    let from = this.isSkipping ? bytes.length : 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (!this.isInText) {
        if (byte === QUOTE) this.enterText();
        continue;
      }
      if (!this.isSkipping && this.length >= KEPT_TEXT && this.isBetweenCharacters(byte)) {
        this.isSkipping = true;
        kept.push(bytes.subarray(from, at));
        from = bytes.length;
      }
      this.length += 1;
      if (!this.endsText(byte)) continue;
      this.isInText = false;
      if (this.isSkipping) from = at;
      this.isSkipping = false;
    }
    kept.push(bytes.subarray(from));
    return kept.length === 1 ? kept[0]! : Buffer.concat(kept);
  }

  private enterText(): void {
    this.isInText = true;
    this.length = 0;
    this.escape = NO_ESCAPE;
  }

  /** Reads a byte of a text. JSON has no raw line end within a text: a line that has one was no JSON. */
  private endsText(byte: number): boolean {
    if (this.escape === ESCAPE_BEGUN) this.escape = byte === U ? 4 : NO_ESCAPE;
    else if (this.escape > 0) this.escape -= 1;
    else if (byte === BACKSLASH) this.escape = ESCAPE_BEGUN;
    else return byte === QUOTE || byte === LINE_FEED || byte === RETURN;
    return false;
  }

  /** Whether a text may end before a byte. */
  private isBetweenCharacters(byte: number): boolean {
    return this.escape === NO_ESCAPE && (byte & 0xc0) !== 0x80;
  }
}
