import { numberText } from './number-text.js';

/** Formats of numbers as DOCX names them, by the beginnings of their names here. */
const FORMATS: readonly [RegExp, string][] = [
  [/^alphaLc/, 'lowerLetter'],
  [/^alphaUc/, 'upperLetter'],
  [/^romanLc/, 'lowerRoman'],
  [/^romanUc/, 'upperRoman'],
  [/^arabicDb/, 'decimalFullWidth'],
  [/^circleNum/, 'decimalEnclosedCircle'],
  [/^ea1JpnKor/, 'japaneseCounting'],
  [/^ea1/, 'chineseCounting'],
  [/^hebrew2/, 'hebrew2'],
  [/^hindiNum/, 'hindiNumbers'],
  [/^thaiNum/, 'thaiNumbers'],
];

const LAST_LEVEL = 8;

/** The numbers of a paragraph, which PowerPoint counts itself. */
export interface Numbers {
  /** As in PPTX: `alphaLcParenR`. */
  type: string;
  start: number;
}

/** Counts the paragraphs of one shape. */
export class SlideNumbers {
  /** The last number of each level. */
  private readonly counts: (Numbers & { last: number })[] = [];

  /** The mark of the next paragraph: `2. `; '' for one without a number. */
  next(given: number, numbers: Numbers | null): string {
    const level = Math.min(Math.max(given, 0), LAST_LEVEL);
    this.counts.length = Math.min(this.counts.length, level + 1);
    const before = this.counts[level];
    if (numbers === null) {
      this.counts.length = Math.min(this.counts.length, level);
      return '';
    }
    const isNext = before?.type === numbers.type && before.start === numbers.start;
    const last = isNext ? before.last + 1 : numbers.start;
    this.counts[level] = { ...numbers, last };
    return `${numberAs(numbers.type, last)} `;
  }
}

/** A number as a list of a slide shows it. @param type such as `alphaLcParenR` */
function numberAs(type: string, number: number): string {
  const text = numberText(number, FORMATS.find(([pattern]) => pattern.test(type))?.[1] ?? 'decimal');
  if (type.endsWith('ParenBoth')) return `(${text})`;
  if (type.endsWith('ParenR')) return `${text})`;
  return type.endsWith('Period') ? `${text}.` : text;
}
