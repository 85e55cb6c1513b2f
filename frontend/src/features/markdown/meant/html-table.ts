/** Where a text of a table that is written as HTML stands. */
type Inside = 'table' | 'caption' | 'row' | 'cell';

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
const UNFIT = /<(?:table|pre)\b|```|~~~/i;
const COLUMNS_MAX = 100;

interface Part {
  /** The name of the tag before it, with the slash of an end. */
  tag: string;
  text: string;
  inside: Inside;
}

/** The texts between the tags of a table; null if one of them would be lost. */
function partsIn(inside: Inside, html: string): Part[] | null {
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
const insideAfter = (inside: Inside, line: string): Inside | null => partsIn(inside, line)?.at(-1)!.inside ?? null;

/** The rows of what a table has between its tags, below its caption; null without rows, or with very many columns. */
function rowsOfHtml(html: string): string | null {
  const parts = partsIn('table', html) ?? [];
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

export const HTML_TABLE = /^ {0,3}<table(?:\s[^<>]*)?>/i;
const HTML_TABLE_END = /<\/table>/i;
/** The end of a line in a table, whose tag grows. */
const GROWING_TAG = /<[^<>]*$/;
/** Longer tables are text. */
const SOURCE_MAX = 50_000;

/** A table up to where it was read. */
export interface TableStart {
  /** What was read, as it was written. */
  source: string;
  inside: Inside;
}

export const NO_TABLE: TableStart = { source: '', inside: 'table' };

/** A whole table as rows of Markdown, and what follows it on its last line. */
interface WholeTable {
  rows: string;
  rest: string;
}

/** A table with one more line, or with what is known of it; null if it is text. */
export function readTable(start: TableStart, line: string, isComplete: boolean): TableStart | WholeTable | null {
  const { source, inside } = start;
  if (source.length + line.length > SOURCE_MAX) return null;
  const end = HTML_TABLE_END.exec(line);
  const text = end ? line.slice(0, end.index) : line;
  const known = isComplete || end ? text : text.replace(GROWING_TAG, '');
  const after = insideAfter(inside, source === '' ? known.replace(HTML_TABLE, '') : known);
  if (after === null) return null;
  if (!end) return { source: `${source}${line}\n`, inside: after };
  const rows = rowsOfHtml((source + text).replace(HTML_TABLE, ''));
  return rows === null ? null : { rows, rest: line.slice(end.index + end[0].length).trimStart() };
}
