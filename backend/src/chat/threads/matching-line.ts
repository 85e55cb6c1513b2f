/** Characters of a line before the first match, and of the whole excerpt. */
const BEFORE = 40;
const LENGTH = 200;

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;

const wordsOf = (text: string): string[] => [...new Set(text.toLowerCase().match(WORD))];

/** Finds words at the beginning of a word. Lower case must keep the length of the text, as for all but a few letters. */
function firstAt(line: string, words: readonly string[]): { found: number; at: number } {
  let found = 0;
  let at = Number.MAX_SAFE_INTEGER;
  for (const { 0: word, index } of line.toLowerCase().matchAll(WORD)) {
    const matches = words.filter((wanted) => word.startsWith(wanted)).length;
    if (matches === 0) continue;
    found += matches;
    at = Math.min(at, index);
  }
  return { found, at };
}

/**
 * The line of a text that contains the most words of a query, cut around the first of them. Postgres splits some words in
 * another way, so a text that it found may contain none: its first line that is not empty is returned.
 */
export function matchingLine(text: string, query: string): string {
  const words = wordsOf(query);
  let best = { line: '', found: -1, at: 0 };
  for (const line of text.split('\n').map((each) => each.replace(/\s+/g, ' ').trim())) {
    if (line === '') continue;
    const { found, at } = firstAt(line, words);
    if (found > best.found) best = { line, found, at: found > 0 ? at : 0 };
  }
  return excerpt(best.line, best.at);
}

/** A text without the marks of Markdown that would clutter one line of it. */
export const withoutMarks = (text: string): string =>
  text.replace(/^[ \t]*(?:#{1,6}|[-*+>]|\d+[.)])[ \t]+/gm, '').replace(/\*\*|__|`+/g, '');

function excerpt(line: string, at: number): string {
  if (line.length <= LENGTH) return line;
  const earliest = Math.max(0, Math.min(at - BEFORE, line.length - LENGTH));
  const start = earliest + lengthOfPartialWord(line, earliest, at);
  const cut = line.slice(start, start + LENGTH).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${start > 0 ? '…' : ''}${cut.trim()}${start + LENGTH < line.length ? '…' : ''}`;
}

/** A longer run of letters is a script without spaces, which is cut anywhere. */
const LONGEST_WORD = 24;

/** Characters from `start` to the next word before the match; 0 at the start of a word. */
function lengthOfPartialWord(line: string, start: number, at: number): number {
  if (start === 0 || line[start - 1] === ' ') return 0;
  const length = line.slice(start, at).indexOf(' ') + 1;
  return length > LONGEST_WORD ? 0 : length;
}
