import { MAX_RESULT_BYTES } from '../cut-text.js';

/** Length of the longest escape, such as `\u0001` for one byte. */
const ESCAPE_LENGTH = 6;

/** Characters of one text that are kept: more than a result may have when each is an escape, so that its cut is marked. */
export const KEPT_TEXT = ESCAPE_LENGTH * (MAX_RESULT_BYTES + 1);

/** Bytes of all texts, after which less of each is kept: pictures beside pictures would take long to parse. */
const KEPT_TEXTS = 1024 * 1024;
const KEPT_LATER_TEXT = MAX_RESULT_BYTES + 1;

/** Bytes of a text that count towards the size of its part: a long text costs little to parse. */
const COUNTED_TEXT = 1_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const D = 0x64;
const U = 0x75;

/** Where the reading stands within an escape such as `\n` or `\u00e9`: characters that are left of it. */
const NO_ESCAPE = 0;
/** After the backslash, before the character that says how long the escape is. */
const ESCAPE_BEGUN = 5;

const TOO_DEEP = Buffer.from('"[nested too deeply: not shown]"');
const CLOSE = { list: Buffer.from(']'), object: Buffer.from('}') };

export interface TrimBounds {
  /** Levels that are kept. A value below them is replaced by a text. */
  depth: number;
  /** Level of the values that are bounded by themselves: of the result 1 is the message, 2 its result, 3 a field of it. */
  level: number;
  /** Bytes of such a value, after which it ends at its next comma. */
  bytes: number;
}

/**
 * Trims JSON while it arrives, or events of JSON: skips the rest of long texts, values that are nested too deeply and the
 * rest of large values. What is left is JSON, so one large part does not take the others along. Own code: parsers of
 * libraries decode a text before they give it.
 */
export class JsonTrim {
  private isInText = false;
  private textLength = 0;
  private keptTexts = 0;
  private escape = NO_ESCAPE;
  private isSkippingText = false;
  private depth = 0;
  private readonly isObject: boolean[] = [];
  /** The level to which the reading has to return before anything is kept again; -1 while all is kept. */
  private skipsTo = -1;
  private counted = 0;
  private isAtLineStart = true;
  /** Within a line of an event stream that has no data. */
  private isOtherLine = false;
  private isBeforeData = false;
  private isAfterReturn = false;

  /** @param isStream whether the JSON stands in the data of events */
  constructor(
    private readonly bounds: TrimBounds,
    private readonly isStream: boolean,
  ) {}

  /** @param bytes a piece of UTF-8, cut anywhere @returns what is left of the piece */
  trim(bytes: Buffer): Buffer {
    const kept: Buffer[] = [];
    // Where the part begins that is kept; the length while nothing is.
    let from = this.isSkipping && !this.isOutsideOfData ? bytes.length : 0;
    const stopAt = (at: number, ...instead: Buffer[]): void => {
      if (from < at) kept.push(bytes.subarray(from, at));
      kept.push(...instead);
      from = bytes.length;
    };
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.isStream && this.readLine(byte)) {
        if (byte === LINE_FEED || byte === RETURN) from = Math.min(from, at);
        else if (this.isSkipping && !this.isOutsideOfData) stopAt(at + 1);
        continue;
      }
      if (this.isInText) {
        if (!this.isSkipping && this.textLength >= this.keptLength && this.isBetweenCharacters(byte)) {
          this.isSkippingText = true;
          stopAt(at);
        }
        this.textLength += 1;
        if (!this.endsText(byte)) continue;
        this.isInText = false;
        this.counted += Math.min(this.textLength, COUNTED_TEXT);
        this.keptTexts += Math.min(this.textLength, this.keptLength);
        if (this.isSkippingText && this.skipsTo === -1) from = at;
        this.isSkippingText = false;
        continue;
      }
      this.counted += 1;
      if (byte === QUOTE) this.enterText();
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (this.depth >= this.bounds.depth && this.skipsTo === -1) {
          stopAt(at, TOO_DEEP);
          this.skipsTo = this.depth;
        }
        if (this.depth === this.bounds.level) this.counted = 0;
        this.isObject[this.depth] = byte === OPEN_OBJECT;
        this.depth += 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        this.depth = Math.max(0, this.depth - 1);
        if (this.depth !== this.skipsTo) continue;
        this.skipsTo = -1;
        from = at + 1;
      } else if (byte === COMMA && this.isTooLarge) {
        stopAt(at, ...this.closersTo(this.bounds.level));
        this.skipsTo = this.bounds.level;
      }
    }
    if (from < bytes.length) kept.push(bytes.subarray(from));
    return kept.length === 1 ? kept[0]! : Buffer.concat(kept);
  }

  private get keptLength(): number {
    return this.keptTexts > KEPT_TEXTS ? KEPT_LATER_TEXT : KEPT_TEXT;
  }

  private get isOutsideOfData(): boolean {
    return this.isStream && (this.isAtLineStart || this.isBeforeData || this.isOtherLine);
  }

  private get isSkipping(): boolean {
    return this.isSkippingText || this.skipsTo !== -1;
  }

  private get isTooLarge(): boolean {
    return this.skipsTo === -1 && this.depth > this.bounds.level && this.counted > this.bounds.bytes;
  }

  private closersTo(level: number): Buffer[] {
    return this.isObject
      .slice(level, this.depth)
      .toReversed()
      .map((isObject) => (isObject ? CLOSE.object : CLOSE.list));
  }

  /** Follows the lines of a stream. @returns whether the byte is none of the data */
  private readLine(byte: number): boolean {
    const isSecondOfTwo = byte === LINE_FEED && this.isAfterReturn;
    this.isAfterReturn = byte === RETURN;
    if (isSecondOfTwo) return true;
    if (byte === LINE_FEED || byte === RETURN) {
      // A blank line ends the event, and JSON has no line end within a text.
      if (this.isAtLineStart || this.isInText) this.reset();
      this.isAtLineStart = true;
      this.isOtherLine = false;
      this.isBeforeData = false;
      return true;
    }
    if (this.isAtLineStart) {
      this.isAtLineStart = false;
      this.isBeforeData = byte === D;
      this.isOtherLine = !this.isBeforeData;
      return true;
    }
    if (this.isBeforeData) {
      this.isBeforeData = byte !== COLON;
      return true;
    }
    return this.isOtherLine;
  }

  private reset(): void {
    this.isInText = false;
    this.isSkippingText = false;
    this.escape = NO_ESCAPE;
    this.depth = 0;
    this.skipsTo = -1;
    this.counted = 0;
  }

  private enterText(): void {
    this.isInText = true;
    this.textLength = 0;
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
