/** An open `[`, or an open run of `*`, `_` or `~~`. */
export interface Delimiter {
  char: string;
  length: number;
  /** True for a run that can open and close. */
  isBoth: boolean;
}

const SPACE = /\s/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;
const SURROGATE = /[\ud800-\udfff]/;
const MARKER = /[*_~]/;

/**
 * Applies a run of `*`, `_` or `~` to the open delimiters, by the rules of CommonMark for emphasis.
 * @returns the position after the run; null if more text may change the run, or the result depends on rare rules
 */
export function scanDelimiterRun(source: string, at: number, open: Delimiter[]): number | null {
  const char = source[at] ?? '';
  let end = at;
  while (source[end] === char) end += 1;
  const after = source[end];
  const before = source[at - 1] ?? ' ';
  if (after === undefined || SURROGATE.test(before + after)) return null;
  // A single tilde is text.
  if (char === '~' && end - at !== 2) return end;
  const { canOpen, canClose } = flanking(char, before, after);
  const isBoth = canOpen && canClose;
  const rest = canClose ? closeDelimiters(open, char, end - at, isBoth) : end - at;
  if (rest === null) return null;
  if (rest > 0 && canOpen) open.push({ char, length: rest, isBoth });
  return end;
}

function flanking(char: string, before: string, after: string): { canOpen: boolean; canClose: boolean } {
  const isPunctuatedBefore = PUNCTUATION.test(before);
  const isPunctuatedAfter = PUNCTUATION.test(after);
  const isLeft = !SPACE.test(after) && (!isPunctuatedAfter || SPACE.test(before) || isPunctuatedBefore);
  const isRight = !SPACE.test(before) && (!isPunctuatedBefore || SPACE.test(after) || isPunctuatedAfter);
  // The renderer lets a run open before, and close after, a run of another marker.
  const canOpen = isLeft || MARKER.test(after);
  const canClose = isRight || MARKER.test(before);
  if (char !== '_') return { canOpen, canClose };
  return {
    canOpen: canOpen && (!canClose || isPunctuatedBefore),
    canClose: canClose && (!canOpen || isPunctuatedAfter),
  };
}

/** Closes open runs of the character; returns the length that is left of the closing run, null if undecided. */
function closeDelimiters(open: Delimiter[], char: string, length: number, isBoth: boolean): number | null {
  let rest = length;
  for (let last = open.at(-1); rest > 0 && last?.char === char; last = open.at(-1)) {
    const sum = last.length + rest;
    // The "rule of three" of CommonMark.
    if (last.length !== rest && (isBoth || last.isBoth) && sum % 3 === 0) return null;
    const used = Math.min(last.length, rest);
    rest -= used;
    last.length -= used;
    if (last.length === 0) open.pop();
  }
  return rest > 0 && open.some((delimiter) => delimiter.char === char) ? null : rest;
}
