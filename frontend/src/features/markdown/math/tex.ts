const TEXT = /\\(text(?:bf|it|rm|tt|sf|normal)?|mbox|operatorname\*?)\{([^{}$\\]*)\}/g;
const TAG = /\\tag\*?\{([^{}]*)\}/g;

/**
 * Macros of packages that KaTeX does not have, in a new object for each formula: one that defines macros of its own must
 * not change the next one.
 */
export const macros = (): Record<string, string> => ({
  '\\abs': String.raw`\left|#1\right|`,
  '\\norm': String.raw`\left\|#1\right\|`,
  '\\qty': String.raw`\left(#1\right)`,
  '\\dv': String.raw`\frac{d #1}{d #2}`,
  '\\pdv': String.raw`\frac{\partial #1}{\partial #2}`,
  '\\mathds': String.raw`\mathbb{#1}`,
  '\\mathbbm': String.raw`\mathbb{#1}`,
  '\\num': String.raw`#1`,
  '\\si': String.raw`\mathrm{#1}`,
  '\\SI': String.raw`#1\,\mathrm{#2}`,
  '\\celsius': String.raw`{}^\circ\mathrm{C}`,
  '\\meter': 'm',
  '\\second': 's',
  '\\kilogram': 'kg',
  '\\sgn': String.raw`\operatorname{sgn}`,
  '\\tr': String.raw`\operatorname{tr}`,
  '\\Tr': String.raw`\operatorname{Tr}`,
  '\\rank': String.raw`\operatorname{rank}`,
  '\\Var': String.raw`\operatorname{Var}`,
  '\\Cov': String.raw`\operatorname{Cov}`,
  '\\wideparen': String.raw`\overgroup{#1}`,
});

/** The source of a formula as KaTeX reads it: without commands for whole documents, and with text that may have any character. */
export function readableTex(source: string, isDisplay: boolean): string {
  let tex = withArrays(source)
    .replace(/\\(?:label|require|vspace\*?)\{[^{}]*\}/g, '')
    .replace(/\\(begin|end)\{(?:eqnarray|multline)(\*?)\}/g, String.raw`\$1{align$2}`)
    .replace(TEXT, (_, command: string, text: string) => `\\${command}{${readableText(command, text)}}`);
  if (!isDisplay) {
    return tex
      .replace(/\\(?:begin|end)\{equation\*?\}/g, '')
      .replace(/\\(begin|end)\{(align|gather)\*?\}/g, String.raw`\$1{$2ed}`)
      .replace(TAG, String.raw`\qquad(\text{$1})`);
  }
  // An environment within a formula has one number; the one of a whole formula has one for each line.
  if ((tex.match(TAG)?.length ?? 0) > 1) tex = tex.replace(/\\(begin|end)\{(align|gather)ed\}/g, String.raw`\$1{$2}`);
  // Numbers that the text names are tags; others would begin anew in each formula.
  return tex.replace(/\\(begin|end)\{(equation|align|gather|alignat)\}/g, String.raw`\$1{$2*}`);
}

const TABULAR = /\\begin\{tabular\}((?:\{(?:[^{}]|\{[^{}]*\})*\})?)((?:(?!\\begin\{tabular\}).)*?)\\end\{tabular\}/gs;
const RULES = /^(?:\s|\\hline)*/;
/** The end of a row, with the space below it. */
const ROW_END = /\\\\(?:\[\s*-?[\d.]+\s*(?:[a-z]+\s*)?\])?/;
/** Sources with more rows stay as they are. */
const ROWS_MAX = 1_000;

/** A source whose tables, which KaTeX does not have, are arrays of texts. */
function withArrays(source: string): string {
  if (!source.includes('{tabular}') || source.split(ROW_END, ROWS_MAX + 1).length > ROWS_MAX) return source;
  return source.replace(TABULAR, (_, columns: string, body: string) => {
    const rows = body
      .replace(/\\(?:top|mid|bottom)rule\b/g, String.raw`\hline`)
      .replace(/\\cline\{[^{}]*\}/g, '')
      .replace(/\\multicolumn\{[^{}]*\}\{[^{}]*\}/g, '')
      .split(ROW_END)
      .map(textRow);
    const kinds = columns
      .slice(1, -1)
      .replace(/@\{[^{}]*\}/g, '')
      .replace(/[pmbX](?:\{[^{}]*\})?/g, 'l');
    return String.raw`\begin{array}{${kinds || 'l'}}${rows.join(String.raw`\\`)}\end{array}`;
  });
}

function textRow(row: string): string {
  const [rules] = RULES.exec(row)!;
  const cells = row.slice(rules.length);
  if (cells.trim() === '') return rules;
  return `${rules}${cells
    .split(/(?<!\\)&/)
    .map((cell) => String.raw`\text{${cell.trim()}}`)
    .join('&')}`;
}

/** Text in which signs of formulas are characters. A power, as in cm^2, stays one. */
function readableText(command: string, text: string): string {
  return text.replace(/[_&#%]/g, String.raw`\$&`).replace(/\^(\d)/g, (_, digit: string) => `}^{${digit}}\\${command}{`);
}
