/** Where a text of a table that is written as HTML stands. */
export type Inside = 'table' | 'caption' | 'row' | 'cell';

const STRUCTURE = /<(\/?(?:thead|tbody|tfoot|tr|th|td|colgroup|col|caption))(?:\s[^<>]*)?>/i;
const INSIDE: Record<string, Inside> = {
  caption: 'caption',
  tr: 'row',
  '/td': 'row',
  '/th': 'row',
  td: 'cell',
  th: 'cell',
};
/** What no cell of Markdown can have. */
const UNFIT = /<(?:table|pre)\b|```|^[ \t]*~~~/im;
const COLUMNS_MAX = 100;

interface Part {
  /** The name of the tag before it, with the slash of an end. */
  tag: string;
  text: string;
  inside: Inside;
}

/** The texts between the tags of a table; null if one of them would be lost. */
function partsOf(inside: Inside, html: string): Part[] | null {
  if (UNFIT.test(html)) return null;
  const [first = '', ...others] = html.split(STRUCTURE);
  const parts: Part[] = [{ tag: '', text: first, inside }];
  for (let at = 0; at < others.length; at += 2) {
    const tag = others[at]!.toLowerCase();
    const above = parts.at(-1)!.inside;
    const next = INSIDE[tag] ?? 'table';
    if (next === 'cell' && above !== 'row' && above !== 'cell') return null;
    if (next === 'row' && tag !== 'tr' && above !== 'cell') return null;
    parts.push({ tag, text: others[at + 1]!, inside: next });
  }
  const isLost = (part: Part) => part.inside !== 'cell' && part.inside !== 'caption' && part.text.trim() !== '';
  return parts.some(isLost) ? null : parts;
}

/** Where the text after a line stands; null if the line can be none of a table. */
export const insideAfter = (inside: Inside, line: string): Inside | null =>
  partsOf(inside, line)?.at(-1)!.inside ?? null;

/** The rows of what a table has between its tags, below its caption; null without rows, or with very many columns. */
export function rowsOfHtml(html: string): string | null {
  const parts = partsOf('table', html) ?? [];
  const rows: string[][] = [];
  for (const { tag, text, inside } of parts) {
    if (tag === 'tr') rows.push([]);
    if (inside === 'cell') rows.at(-1)!.push(cellOf(text));
  }
  const count = rows.reduce((most, { length }) => Math.max(most, length), 0);
  if (count === 0 || count > COLUMNS_MAX) return null;
  const [head = [], ...body] = rows.filter(({ length }) => length > 0);
  // Cells that the head lacks would not be shown in the rows below it.
  const wide = Array.from({ length: count }, (_, at) => head[at] ?? '');
  const captions = parts.filter(({ inside }) => inside === 'caption').map(({ text }) => `${lineOf(text)}\n\n`);
  return [`${captions.join('')}${rowOf(wide)}`, `|${'---|'.repeat(count)}`, ...body.map(rowOf)].join('\n');
}

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const lineOf = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** A text in which bars end no cell. */
const cellOf = (text: string): string =>
  lineOf(text).replace(/\\[\\|]|\|/g, (sign) => (sign === '|' ? String.raw`\|` : sign));
