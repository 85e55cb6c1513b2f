/**
 * The beginning of a citation: `[1234]`, a list such as `[1, 2]` or `[1-3]` of at most five numbers, or one with its place,
 * as open models of OpenAI write it: `【1†L3-L9】`.
 */
const HELD = /^[[【]\d{0,4}(?:(?<=\d)(?:[,;，、] ?|[-–])\d{0,4}){0,4}[\]】]?$|^【\d{1,4}†[^【】\n]{0,40}】?$/;

const WHOLE = /^[[【](\d{1,4}(?:(?:[,;，、] ?|[-–])\d{1,4}){0,4})[\]】]$/;
const PLACED = /^【(\d{1,4})†[^【】\n]{0,40}】$/;

/** Numbers of a range such as `[1-3]`, at most. A scale such as `[1-5]` or a date is none. */
const MAX_RANGE = 4;

/** Characters before a citation that say what it proves. */
const TAIL = 400;

/**
 * Reads an answer as it arrives and removes citations of unknown numbers. What may become a citation such as `[1]` is held
 * back until it is whole: at most six characters, 30 of a list, 47 of one with its place. All other text passes at once.
 * Lists such as `[1, 2]` and the brackets of East Asian models, `【1】`, become `[1][2]` and `[1]`. Brackets in code,
 * formulas and links stay.
 */
export class CitationFilter {
  private held = '';
  private place: Place = { kind: 'text' };
  /** The mark of which the last characters are a run, such as two of three backticks; empty without a run. */
  private mark = '';
  private runLength = 0;
  /** Whether the line has had only blanks before the present run. */
  private isLineBlank = true;
  private before = '';
  /** The end of the shown text. */
  private tail = '';

  /**
   * @param isKnown whether the answer was given the number
   * @param onCited called for each known number in the text, with the end of the text before it
   */
  constructor(
    private readonly isKnown: (number: number) => boolean,
    private readonly onCited: (number: number, before: string) => void,
  ) {}

  /** @returns the text that may be shown now */
  push(delta: string): string {
    let shown = '';
    for (const character of delta) shown += this.take(character);
    return shown;
  }

  /** The end of the text. @returns what was held back */
  flush(): string {
    return this.settleHeld('');
  }

  private take(character: string): string {
    if (this.held !== '') {
      const longer = this.held + character;
      if (!isWhole(this.held) && HELD.test(longer)) {
        this.held = longer;
        return '';
      }
      return this.settleHeld(character) + this.take(character);
    }
    this.endRun(character);
    if (this.place.kind === 'text' && '[【'.includes(character) && this.before !== '\\' && this.before !== '!') {
      this.held = character;
      return '';
    }
    this.note(character);
    return character;
  }

  /** Decides about the held text by the next character: a link keeps its brackets, an unknown number is removed. */
  private settleHeld(next: string): string {
    const { held } = this;
    this.held = '';
    const numbers = next === '(' ? [] : citedIn(held);
    const known = [...new Set(numbers)].filter((number) => this.isKnown(number));
    // A list of unknown numbers is an interval or an array, and so is a range with one of them.
    const isText =
      numbers.length !== 1 &&
      (known.length === 0 || (isRange(held) && !numbers.every((number) => known.includes(number))));
    if (!isText) for (const number of known) this.onCited(number, this.tail.slice(-TAIL));
    const shown = isText ? held : known.map((number) => `[${number}]`).join('');
    for (const character of shown) this.note(character);
    return shown;
  }

  /** Follows the shown text by one character, which may start or end code, a formula or the address of a link. */
  private note(character: string): void {
    const { place, before } = this;
    if (character === '\n') {
      // A blank line ends inline code, inline formulas and links. Fences and formulas of several lines continue.
      if (this.isLineBlank && (place.kind === 'code' || place.kind === 'dollar' || place.kind === 'address'))
        this.place = { kind: 'text' };
      this.isLineBlank = true;
      if (place.kind === 'fence') place.isOpening = false;
    }
    this.before = character;
    this.tail = this.tail.length < 2 * TAIL ? this.tail + character : this.tail.slice(-TAIL) + character;
    if (character === '`' || character === '~' || character === '$') {
      this.mark = character;
      this.runLength += 1;
      return;
    }
    if (/\S/.test(character)) this.isLineBlank = false;
    if (place.kind === 'text' && before === ']' && character === '(') this.place = { kind: 'address' };
    else if (place.kind === 'address' && character === ')') this.place = { kind: 'text' };
    else if (before === '\\' && '([])'.includes(character)) this.noteTex(character);
  }

  private noteTex(character: string): void {
    const opens = character === '(' || character === '[';
    if (opens && this.place.kind === 'text') this.place = { kind: 'tex', end: character === '(' ? ')' : ']' };
    else if (this.place.kind === 'tex' && this.place.end === character) this.place = { kind: 'text' };
  }

  /** The end of a run of marks, by the character behind it. */
  private endRun(next: string): void {
    const { mark, runLength: length, place, isLineBlank: isAtStart } = this;
    if (mark === '' || mark === next) return;
    this.mark = '';
    this.runLength = 0;
    this.isLineBlank = false;
    if (mark === '$') this.noteDollars(length, next);
    else if (place.kind === 'fence') {
      // A fence of backticks has none behind it on its line: this is code within the line.
      if (place.isOpening && mark === '`' && place.mark === '`')
        this.place = length === place.length ? { kind: 'text' } : { kind: 'code', length: place.length };
      else if (isAtStart && mark === place.mark && length >= place.length) this.place = { kind: 'text' };
    } else if (place.kind === 'text' && isAtStart && length >= 3)
      this.place = { kind: 'fence', mark, length, isOpening: true };
    else if (mark === '`' && place.kind === 'text') this.place = { kind: 'code', length };
    else if (mark === '`' && place.kind === 'code' && place.length === length) this.place = { kind: 'text' };
  }

  /** `$5` is a price: a formula begins with another character than a digit or a blank. */
  private noteDollars(length: number, next: string): void {
    const { place } = this;
    if (place.kind === 'dollars' && length >= 2) this.place = { kind: 'text' };
    else if (place.kind === 'dollar') this.place = { kind: 'text' };
    else if (place.kind === 'text' && length >= 2) this.place = { kind: 'dollars' };
    else if (place.kind === 'text' && /[^\s\d]/.test(next)) this.place = { kind: 'dollar' };
  }
}

const isWhole = (text: string): boolean => WHOLE.test(text) || PLACED.test(text);

const isRange = (text: string): boolean => !PLACED.test(text) && /[-–]/.test(text);

/** The numbers of a citation; none for other text, and for a list with 0, which no citation has. */
function citedIn(text: string): number[] {
  const list = (WHOLE.exec(text) ?? PLACED.exec(text))?.[1] ?? '';
  const numbers = list.split(/[,;，、]/).flatMap(numbersOf);
  return numbers.length > 1 && numbers.includes(0) ? [] : numbers;
}

/** The numbers of one part of a list: a number, or all of a range. 0 for what is neither. */
function numbersOf(part: string): number[] {
  const [first, last, ...more] = part.match(/\d+/g)?.map(Number) ?? [];
  if (first === undefined) return [];
  if (last === undefined) return [first];
  const length = last - first + 1;
  if (more.length > 0 || length < 2 || length > MAX_RANGE) return [0, 0];
  return Array.from({ length }, (_, at) => first + at);
}

type Place =
  | { kind: 'text' | 'dollar' | 'dollars' | 'address' }
  | { kind: 'code'; length: number }
  | { kind: 'fence'; mark: string; length: number; isOpening: boolean }
  | { kind: 'tex'; end: string };
