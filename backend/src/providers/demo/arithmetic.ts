/** Characters of a question that are read. */
const MAX_LENGTH = 500;

const ASKED = /what(?:'s| is)|how much|calculate|compute|solve|berapa|hitung|= ?(?:\? ?)?$/i;
const WORDS: [RegExp, string][] = [
  [/(?<=\d ?)(?:times|kali|[x×])(?= ?[\d(])/gi, '*'],
  [/(?<=\d ?)(?:divided by|dibagi|bagi|÷)(?= ?[\d(])/gi, '/'],
  [/(?<=\d ?)(?:plus|ditambah|tambah)(?= ?[\d(])/gi, '+'],
  [/(?<=\d ?)(?:minus|dikurangi|kurang)(?= ?[\d(])/gi, '-'],
  [/% ?(?:of|dari) ?/gi, '/100*'],
  [/(?<=\d),(?=\d{3}\b)/g, ''],
];
const EXPRESSION = /(?<![-(])[-(]*\d[\d .+\-*/^()]*[\d)]/;
/** Dates and telephone numbers, which are not subtractions. */
const DASHED = /^\d+(-\d+){2,}$/;
const TOKEN = / ?(\d+(?:\.\d+)?|[-+*/^()])/y;

/** Finds and solves the arithmetic expression that a text asks for. Null for other texts, such as `open 24/7`. */
export function solveArithmetic(text: string): { expression: string; value: number } | null {
  const question = text.slice(0, MAX_LENGTH).replace(/\s+/g, ' ');
  const plain = WORDS.reduce((rest, [word, sign]) => rest.replace(word, sign), question);
  const expression = EXPRESSION.exec(plain)?.[0].trim();
  if (!expression || DASHED.test(expression) || !/[-+*/^]/.test(expression.slice(1))) return null;
  if (!ASKED.test(question) && expression !== plain.trim()) return null;
  const value = new Calculation(tokensOf(expression)).result();
  return value === null ? null : { expression: expression.replace(/ ?([+*/]) ?/g, ' $1 '), value };
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(expression); match; match = TOKEN.exec(expression)) tokens.push(match[1] ?? '');
  return tokens;
}

/** Recursive-descent parser of sums, products, powers and brackets. NaN marks a syntax error. */
class Calculation {
  private position = 0;

  constructor(private readonly tokens: string[]) {}

  result(): number | null {
    const value = this.sum();
    return this.position === this.tokens.length && Number.isFinite(value) ? value : null;
  }

  private sum(): number {
    let value = this.product();
    for (;;) {
      if (this.take('+')) value += this.product();
      else if (this.take('-')) value -= this.product();
      else return value;
    }
  }

  private product(): number {
    let value = this.power();
    for (;;) {
      if (this.take('*')) value *= this.power();
      else if (this.take('/')) value /= this.power();
      else return value;
    }
  }

  private power(): number {
    if (this.take('-')) return -this.power();
    const base = this.atom();
    return this.take('^') ? base ** this.power() : base;
  }

  private atom(): number {
    if (this.take('(')) {
      const value = this.sum();
      return this.take(')') ? value : Number.NaN;
    }
    const token = this.tokens[this.position];
    this.position += 1;
    return token !== undefined && /^\d/.test(token) ? Number(token) : Number.NaN;
  }

  private take(token: string): boolean {
    if (this.tokens[this.position] !== token) return false;
    this.position += 1;
    return true;
  }
}
