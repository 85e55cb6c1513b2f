import remend from 'remend';

/** A text with its open markers closed. Stars and underscores that nobody takes for the start of an emphasis are text. */
export function closedMarkers(source: string): string {
  const [row = ''] = HEAD_END.exec(source) ?? [];
  const text = source.slice(0, source.length - row.length).trimEnd();
  const rest = source.slice(text.length);
  const code = text.includes(PLACE) ? null : openCode(text);
  if (code === null) return textClosed(text) + rest;
  // The markers before the code are closed behind it.
  const closed = textClosed(text.slice(0, code.start) + PLACE);
  const gap = text.endsWith('`') ? ' ' : '';
  return closed.replace(PLACE, () => text.slice(code.start) + gap + code.ticks) + rest;
}

/** Stands for code, in which no marker is one. */
const PLACE = '\uE0F1';

/** The line that makes a growing line the head of a table. */
const HEAD_END = /\n[ \t]*(?:\|---)+\|$/;

/** A fence in quotations and list items. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/;

/** The code that is open at the end of a text: its ticks and their place. */
function openCode(text: string): { start: number; ticks: string } | null {
  const from = paragraphStart(text);
  if (from === null) return null;
  let open: { start: number; ticks: string } | null = null;
  for (const { index, 0: run } of text.slice(from).matchAll(/`+/g)) {
    if (open !== null) {
      // In code, a backslash is one.
      if (run === open.ticks) open = null;
      continue;
    }
    const ticks = text[from + index - 1] === '\\' ? run.slice(1) : run;
    if (ticks !== '') open = { start: from + index + run.length - ticks.length, ticks };
  }
  const isFence = open !== null && open.ticks.length > 2;
  return open === null || isFence || open.start + open.ticks.length === text.length ? null : open;
}

/** Where the last paragraph of a text begins; null within a fence. */
function paragraphStart(text: string): number | null {
  let from = 0;
  let at = 0;
  let fence = '';
  for (const line of text.split('\n')) {
    const [start = '', ticks = ''] = FENCE.exec(line) ?? [];
    const info = line.slice(start.length);
    const isEnd = fence !== '' && ticks.startsWith(fence) && info.trim() === '';
    if (isEnd || (fence === '' && line === '')) {
      from = at + line.length;
      fence = '';
    } else if (fence === '' && ticks !== '' && !(ticks.startsWith('`') && info.includes('`'))) fence = ticks;
    at += line.length + 1;
  }
  return fence === '' ? from : null;
}

function textClosed(text: string): string {
  const closed = remend(text, { linkMode: 'text-only', katex: false, htmlTags: false });
  if (!closed.startsWith(text)) return closed;
  const added = closed.slice(text.length);
  const [, marks = ''] = /^([*_]+)\s*$/.exec(added) ?? [];
  if (marks !== '' && !opensEmphasis(text, marks[0]!)) return text;
  // With an emphasis in it, bold text is left open.
  return !added.includes('**') && isBoldOpen(text) ? `${closed}**` : closed;
}

function isBoldOpen(text: string): boolean {
  const plain = text.replace(CODE, (code) => '-'.repeat(code.length));
  const marks = [...plain.matchAll(BOLD_MARKS)];
  return marks.length % 2 === 1 && isOpening(plain, marks.at(-1)!);
}

const BOLD_MARKS = /(?<![\\*])\*\*(?!\*)/g;
const CODE = /(?<!`)(`+)(?!`)(?:[^`]|(?!\1)`)*?\1(?!`)/g;

/** No emphasis begins with these: **, or 2 * 3. */
const NO_START = /^$|[\s/,;:)]/;
const WORD = /[A-Za-z0-9]/;
const SIGN = /[!-/:-@[-`{-~]/;

function opensEmphasis(text: string, mark: string): boolean {
  if (mark === '*') return [...text.matchAll(/\*+/g)].some((run) => isOpening(text, run));
  // Underscores within words are none, and one after a word closes what another has opened.
  let open = 0;
  for (const run of text.matchAll(/_+/g)) {
    if (isOpening(text, run)) open += 1;
    else if (open > 0 && !WORD.test(text[run.index + run[0].length] ?? '')) open -= 1;
  }
  return open > 0;
}

function isOpening(text: string, { index, 0: run }: RegExpExecArray): boolean {
  const before = text[index - 1] ?? '';
  const after = text[index + run.length] ?? '';
  // f*(x), C*-algebra, x_{i}
  const isInside = WORD.test(before) && (run.startsWith('_') || SIGN.test(after));
  // *.js, but not **.env**
  const isPattern = run === '*' && after === '.';
  return before !== '\\' && !isInside && !isPattern && !NO_START.test(after);
}
