import { EquationLine } from './equations/office-math.js';
import { type Numbers, SlideNumbers } from './lists/slide-numbers.js';
import { OpenLinks } from '../text/links.js';
import { raised, withLetters } from '../text/looks.js';
import { withSymbols } from '../text/symbol-fonts.js';
import type { XmlElement } from '../xml.js';

/** The paragraphs of a shape while they are read: letters as they are shown, with the numbers of lists. */
export class ShapeParagraphs {
  private line = '';
  private isInText = false;
  private run: { isRaised: boolean; isStruck: boolean; isNumber: boolean; font: string; address: string } | null = null;
  private readonly links = new OpenLinks();
  /** Where the letters before the next ones lead to; '' for nowhere. */
  private address = '';
  private readonly equation = new EquationLine();
  private level = 0;
  private numbers: Numbers | null = null;
  private counts = new SlideNumbers();

  /**
   * @param number of the slide, which fields of it show; '' where they keep the one that is stored
   * @param addressOf the address behind a link by its id
   */
  constructor(
    private readonly number: string,
    private readonly addressOf: (id: string | undefined) => string | undefined,
  ) {}

  /** Whether letters are open, to which a link belongs. */
  get isInRun(): boolean {
    return this.run !== null;
  }

  /** The numbers of another shape begin anew. */
  restart(): void {
    this.counts = new SlideNumbers();
  }

  open({ name, attributes }: XmlElement): void {
    this.equation.open(name, attributes, this.line.length);
    switch (name) {
      case 'p':
        this.level = 0;
        this.numbers = null;
        break;
      case 'pPr':
        this.level = Math.trunc(Number(attributes.lvl ?? 0)) || 0;
        break;
      case 'buAutoNum':
        this.numbers = { type: attributes.type ?? '', start: Math.trunc(Number(attributes.startAt ?? 1)) || 1 };
        break;
      case 'r':
      case 'fld':
        this.run = {
          isRaised: false,
          isStruck: false,
          isNumber: attributes.type === 'slidenum',
          font: '',
          address: '',
        };
        break;
      case 'rPr':
        if (this.run === null) break;
        this.run.isRaised = Number.parseInt(attributes.baseline ?? '0', 10) > 0;
        this.run.isStruck = /Strike$/.test(attributes.strike ?? '') && attributes.strike !== 'noStrike';
        break;
      case 'hlinkClick':
        if (this.run !== null) this.run.address = this.addressOf(attributes.id) ?? '';
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
    this.follow(this.run?.address ?? '');
    this.links.add(text);
    const shown = this.run?.isNumber && this.number !== '' ? this.number : withSymbols(text, this.run?.font ?? '');
    this.line = withLetters(this.line, this.run?.isRaised ? raised(shown) : shown, this.run?.isStruck ?? false);
  }

  close(name: string): void {
    this.line = this.equation.close(name, this.line);
    if (name === 't') this.isInText = false;
    else if (name === 'r' || name === 'fld') this.run = null;
  }

  /** Letters of one link may stand in several runs, as programs for spelling leave them. */
  private follow(address: string): void {
    if (address === this.address) return;
    if (this.address !== '') this.line += this.links.end();
    if (address !== '') this.links.start(address);
    this.address = address;
  }

  /** The paragraph that ends, with its number. */
  take(): string {
    this.follow('');
    const { line } = this;
    this.line = '';
    return line.trim() === '' ? line : this.counts.next(this.level, this.numbers) + line;
  }
}
