import { EquationLine } from './equations/office-math.js';
import { numberText } from './number-text.js';
import { raised, withLetters } from '../text/looks.js';
import { withSymbols } from '../text/symbol-fonts.js';
import type { XmlElement } from '../xml.js';

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
interface Numbers {
  type: string;
  start: number;
}

/** The paragraphs of a shape while they are read: letters as they are shown, with the numbers of lists. */
export class ShapeParagraphs {
  private line = '';
  private isInText = false;
  private run: { isRaised: boolean; isStruck: boolean; isNumber: boolean; font: string } | null = null;
  private readonly equation = new EquationLine();
  private level = 0;
  private numbers: Numbers | null = null;
  /** The last number of each level. */
  private counts: (Numbers & { last: number })[] = [];

  /** @param number of the slide, which fields of it show; '' where they keep the one that is stored */
  constructor(private readonly number: string) {}

  /** The numbers of another shape begin anew. */
  restart(): void {
    this.counts = [];
  }

  open({ name, attributes }: XmlElement): void {
    this.equation.open(name, attributes, this.line.length);
    switch (name) {
      case 'p':
        this.level = 0;
        this.numbers = null;
        break;
      case 'pPr':
        this.level = Math.min(Math.max(Math.trunc(Number(attributes.lvl ?? 0)) || 0, 0), LAST_LEVEL);
        break;
      case 'buAutoNum':
        this.numbers = { type: attributes.type ?? '', start: Math.trunc(Number(attributes.startAt ?? 1)) || 1 };
        break;
      case 'r':
      case 'fld':
        this.run = { isRaised: false, isStruck: false, isNumber: attributes.type === 'slidenum', font: '' };
        break;
      case 'rPr':
        if (this.run === null) break;
        this.run.isRaised = Number.parseInt(attributes.baseline ?? '0', 10) > 0;
        this.run.isStruck = /Strike$/.test(attributes.strike ?? '') && attributes.strike !== 'noStrike';
        break;
      case 'latin':
      case 'sym':
        if (this.run !== null) this.run.font = attributes.typeface ?? '';
        break;
      case 't':
        this.isInText = true;
        break;
      case 'br':
        this.line += '\n';
        break;
      case 'tab':
        this.line += '\t';
        break;
    }
  }

  text(text: string): void {
    if (!this.isInText) return;
    const shown = this.run?.isNumber && this.number !== '' ? this.number : withSymbols(text, this.run?.font ?? '');
    this.line = withLetters(this.line, this.run?.isRaised ? raised(shown) : shown, this.run?.isStruck ?? false);
  }

  close(name: string): void {
    this.line = this.equation.close(name, this.line);
    if (name === 't') this.isInText = false;
    else if (name === 'r' || name === 'fld') this.run = null;
  }

  /** The paragraph that ends, with its number. */
  take(): string {
    const { line } = this;
    this.line = '';
    return line.trim() === '' ? line : this.mark() + line;
  }

  private mark(): string {
    const { level, numbers } = this;
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
