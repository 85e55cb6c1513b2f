import { raised } from '../../text/looks.js';

/** Elements of equations (Office Math) whose text says less without a mark. */
const PARTS: ReadonlySet<string> = new Set(['num', 'den', 'sup', 'sub', 'rad', 'deg', 'd']);

/** What is drawn before sums and the like that do not name their sign. */
const INTEGRAL = '∫';

/** Writes the equations of one line as text: `a/b`, `x²`, `e^(x+1)`, `√(2)`, `∑_(i=1)^n`. */
export class EquationLine {
  /** Where the open parts begin in the line. */
  private readonly starts: number[] = [];
  private readonly brackets: [left: string, right: string][] = [];
  private sign: string | null = null;

  /** @param length of the line so far */
  open(name: string, { val }: Record<string, string>, length: number): void {
    if (PARTS.has(name)) this.starts.push(length);
    if (name === 'd') this.brackets.push(['(', ')']);
    else if (name === 'begChr') this.setBracket(0, val);
    else if (name === 'endChr') this.setBracket(1, val);
    else if (name === 'naryPr') this.sign = INTEGRAL;
    else if (name === 'chr' && this.sign !== null) this.sign = val ?? this.sign;
  }

  /** The line after an element has ended. */
  close(name: string, line: string): string {
    if (name === 'naryPr') {
      const sign = this.sign ?? '';
      this.sign = null;
      return line + sign;
    }
    if (!PARTS.has(name)) return line;
    const start = Math.min(this.starts.pop() ?? line.length, line.length);
    return line.slice(0, start) + this.shown(name, line.slice(start));
  }

  private setBracket(side: 0 | 1, sign = ''): void {
    const last = this.brackets.at(-1);
    if (last !== undefined) last[side] = sign;
  }

  private shown(name: string, text: string): string {
    const [left, right] = (name === 'd' ? this.brackets.pop() : undefined) ?? ['(', ')'];
    if (text.trim() === '') return text;
    switch (name) {
      case 'num':
        return `${bracketed(text)}/`;
      case 'den':
        return bracketed(text);
      case 'sup':
        return raised(text) === text ? `^${bracketed(text)}` : raised(text);
      case 'sub':
        return `_${bracketed(text)}`;
      case 'deg':
        return `${text}; `;
      case 'rad':
        return `√(${text})`;
      default:
        return left + text + right;
    }
  }
}

/** Several terms, which need brackets beside an operator. */
const SEVERAL = /[^\p{L}\p{Nd}.,]/u;

const isBracketed = (text: string): boolean => /^\([^()]*\)$/.test(text);

const bracketed = (text: string): string => (SEVERAL.test(text) && !isBracketed(text) ? `(${text})` : text);
