/** The most values and levels of nesting that some JSON may have. */
export interface JsonBounds {
  /** Objects, lists, texts, numbers and literals; keys do not count. */
  values: number;
  depth: number;
  /** Characters of one text, where it has a bound. */
  text?: number;
}

/** Bounds of what clients of the page send, and of texts in it that are parsed again. */
export const CLIENT_JSON: JsonBounds = { values: 20_000, depth: 32 };

/** Bounds of what programs and search services send. Embeddings of token lists need the most values. */
export const PROGRAM_JSON: JsonBounds = { values: 200_000, depth: 64 };

/** Bounds of one event of a provider's stream: those of its characters allow no more values. */
export const EVENT_JSON: JsonBounds = { values: 250_000, depth: 64 };

/** Bounds of whole answers of other servers: a list of 10,000 models with 50 values each. */
export const ANSWER_JSON: JsonBounds = { values: 500_000, depth: 64 };

/** JSON beyond a bound. The input filters answer it with `too_large`, which names the bound. */
export class JsonTooLarge extends Error {
  constructor(
    readonly limit: number,
    readonly unit: 'bytes' | 'values' | 'levels' | 'fields' | 'characters' | 'digits' | 'escapes',
  ) {
    super(`The JSON exceeds ${limit} ${unit}`);
  }
}

/** Fields of one object: code that copies or lists them takes more than the time of a turn for 200,000. */
const MOST_FIELDS = 20_000;

/** Bytes of the name of a field. Answers name the fields that they refuse. */
const MOST_NAME = 1_000;

/** Characters of one number. The digits of the longest double are 768; a parser keeps all that it gets. */
const MOST_DIGITS = 1_000;

/** Escapes such as `\\u00e9`. A parser that reads in slices takes 1 s for these. Other escapes cost a tenth. */
const MOST_ESCAPES = 1_000_000;

/** Characters of a text that is worth not copying. */
const LONG_TEXT = 64 * 1024;

/** Characters after an escape within which the next one is near. */
const NEAR = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const COMMA = 0x2c;
/** The last character that a number begins with. */
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** The last character that can be white space. */
const SPACE = 0x20;

/**
 * Counts the values and levels of JSON as it arrives, so that `JSON.parse` never sees a text whose objects would cost more
 * than its bytes. It reads any text: the parser refuses what is not JSON. Own code: tokenizers of libraries
 * decode every text and number, which is the work that the count has to precede.
 */
export class JsonScan {
  values = 0;
  /** Long texts without escapes so far: where each begins and ends between its quotation marks. */
  readonly longTexts: { start: number; end: number }[] = [];
  /** Characters of earlier pieces. */
  private offset = 0;
  private textStart = 0;
  private hasEscapes = false;
  private depth = 0;
  private isInText = false;
  private textLength = 0;
  private escapes = 0;
  private isEscaped = false;
  /** Characters of the number or the literal so far; 0 outside of one. */
  private wordLength = 0;
  /** Whether it can be a number: any other word ends the parsing. */
  private isNumber = false;
  /** Fields of the open object of each level. */
  private readonly fields: number[] = [0];

  constructor(private readonly bounds: JsonBounds) {}

  /** @param bytes a piece of UTF-8, cut anywhere @throws JsonTooLarge */
  writeBytes(bytes: Buffer): void {
    // One character a byte: the bytes of other characters are above those of the syntax.
    this.write(bytes.toString('latin1'));
  }

  /** @param text a piece of the JSON, cut anywhere @throws JsonTooLarge */
  write(text: string): void {
    const marks = new TextMarks(text);
    let at = 0;
    while (at < text.length) {
      if (this.isInText) {
        at = this.skipText(marks, at);
        continue;
      }
      const code = text.charCodeAt(at);
      at += 1;
      if (code <= SPACE || code === COMMA) this.wordLength = 0;
      else if (code === QUOTE) this.openText(at);
      else this.readSyntax(code);
    }
    this.offset += text.length;
  }

  private openText(at: number): void {
    this.wordLength = 0;
    this.isInText = true;
    this.textLength = 0;
    this.textStart = this.offset + at;
    this.hasEscapes = false;
    this.count();
  }

  /** @returns where the text within quotation marks ends, or the piece */
  private skipText(marks: TextMarks, from: number): number {
    const end = this.textEnd(marks, from);
    this.textLength += end - from;
    const { text = Infinity } = this.bounds;
    // The closing mark counts too.
    if (this.textLength > text + 1) throw new JsonTooLarge(text, 'characters');
    if (!this.isInText && !this.hasEscapes && this.textLength > LONG_TEXT)
      this.longTexts.push({ start: this.textStart, end: this.offset + end - 1 });
    return end;
  }

  private textEnd(marks: TextMarks, from: number): number {
    let at = from;
    if (this.isEscaped) {
      this.isEscaped = false;
      at += 1;
    }
    for (;;) {
      at = marks.escapesEnd(at);
      this.countEscapes(marks);
      if (at > marks.length) {
        this.isEscaped = true;
        return marks.length;
      }
      const quote = marks.quoteFrom(at);
      const backslash = marks.backslashFrom(at);
      if (quote < backslash) {
        this.isInText = false;
        return quote + 1;
      }
      if (backslash >= marks.length) return marks.length;
      at = backslash;
    }
  }

  private readSyntax(code: number): void {
    const { wordLength } = this;
    this.wordLength = 0;
    switch (code) {
      case OPEN_OBJECT:
      case OPEN_LIST:
        this.count();
        this.depth += 1;
        if (this.depth > this.bounds.depth) throw new JsonTooLarge(this.bounds.depth, 'levels');
        this.fields[this.depth] = 0;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        this.depth = Math.max(0, this.depth - 1);
        break;
      case COLON:
        this.countField();
        break;
      default:
        this.wordLength = wordLength + 1;
        if (wordLength === 0) {
          this.count();
          this.isNumber = code <= NINE;
        }
        if (this.isNumber && wordLength >= MOST_DIGITS) throw new JsonTooLarge(MOST_DIGITS, 'digits');
    }
  }

  /** The text before a colon was a key. */
  private countField(): void {
    this.values -= 1;
    if (this.textLength > MOST_NAME + 1) throw new JsonTooLarge(MOST_NAME, 'characters');
    const fields = (this.fields[this.depth] ?? 0) + 1;
    this.fields[this.depth] = fields;
    if (fields > MOST_FIELDS) throw new JsonTooLarge(MOST_FIELDS, 'fields');
  }

  /** A line of an event stream ends: no text of JSON goes on in the next one. */
  endLine(): void {
    this.isInText = false;
    this.isEscaped = false;
    this.wordLength = 0;
  }

  private countEscapes(marks: TextMarks): void {
    if (marks.escapes > 0) this.hasEscapes = true;
    this.escapes += marks.unicodeEscapes;
    if (this.escapes > MOST_ESCAPES) throw new JsonTooLarge(MOST_ESCAPES, 'escapes');
  }

  private count(): void {
    this.values += 1;
    if (this.values > this.bounds.values) throw new JsonTooLarge(this.bounds.values, 'values');
  }
}

/** The next quotation mark and backslash of a text. Each is searched once, however often it is asked for. */
class TextMarks {
  readonly length: number;
  /** Escapes that `escapesEnd` passed last, and those such as `\\u00e9`. */
  escapes = 0;
  unicodeEscapes = 0;
  private quote = -1;
  private backslash = -1;

  constructor(private readonly text: string) {
    this.length = text.length;
  }

  /** @returns the length when none follows */
  quoteFrom(at: number): number {
    if (this.quote < at) this.quote = this.find('"', at);
    return this.quote;
  }

  /** @returns the length when none follows */
  backslashFrom(at: number): number {
    if (this.backslash < at) this.backslash = this.find('\\', at);
    return this.backslash;
  }

  /**
   * Passes escapes that are close together, one character after the other: a search takes as long as 40 of them.
   * @returns where none is near; above the length when the next piece has the character of an escape
   */
  escapesEnd(from: number): number {
    const { text, length } = this;
    let [at, end, escapes, unicode] = [from, from + NEAR, 0, 0];
    while (at < end && at < length) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      at += 1;
      if (code !== BACKSLASH) continue;
      // An escape that is cut here does not count.
      if (text.charCodeAt(at) === LETTER_U) unicode += 1;
      escapes += 1;
      at += 1;
      end = at + NEAR;
    }
    this.escapes = escapes;
    this.unicodeEscapes = unicode;
    return at;
  }

  private find(mark: string, at: number): number {
    const found = this.text.indexOf(mark, at);
    return found === -1 ? this.length : found;
  }
}

/** Parses JSON within bounds. @throws JsonTooLarge, or SyntaxError for a text that is not JSON */
export function parseWithin(text: string, bounds: JsonBounds): unknown {
  new JsonScan(bounds).write(text);
  return JSON.parse(text) as unknown;
}
