import remend from 'remend';

/** A text with its open markers closed. Stars and underscores that nobody takes for the start of an emphasis are text. */
export function closedMarkers(source: string): string {
  const [row = ''] = HEAD_END.exec(source) ?? [];
  const text = source.slice(0, source.length - row.length).trimEnd();
  const closed = remend(text, { linkMode: 'text-only', katex: false, htmlTags: false });
  const rest = source.slice(text.length);
  if (!closed.startsWith(text)) return closed + rest;
  const [, marks = ''] = /^([*_]+)\s*$/.exec(closed.slice(text.length)) ?? [];
  return marks !== '' && !opensEmphasis(text, marks[0]!) ? source : closed + rest;
}

/** The line that makes a growing line the head of a table. */
const HEAD_END = /\n[ \t]*(?:\|---)+\|$/;

/** No emphasis begins with these: **, or 2 * 3. */
const NO_START = /^$|[\s/,;:)]/;
const WORD = /[A-Za-z0-9]/;
const SIGN = /[!-/:-@[-`{-~]/;

function opensEmphasis(source: string, mark: string): boolean {
  for (const { index, 0: run } of source.matchAll(mark === '_' ? /_+/g : /\*+/g)) {
    const before = source[index - 1] ?? '';
    const after = source[index + run.length] ?? '';
    // f*(x), C*-algebra, x_{i}
    const isInside = WORD.test(before) && (mark === '_' || SIGN.test(after));
    // *.js, but not **.env**
    const isPattern = run === '*' && after === '.';
    if (before !== '\\' && !isInside && !isPattern && !NO_START.test(after)) return true;
  }
  return false;
}
