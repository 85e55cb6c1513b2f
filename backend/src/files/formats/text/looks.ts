const RAISED: Record<string, string> = {
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
  '+': '⁺',
  '-': '⁻',
  '\u2212': '⁻',
  '\u2013': '⁻',
  n: 'ⁿ',
  i: 'ⁱ',
  ' ': ' ',
  '\n': '\n',
  '\r': '\r',
};

/**
 * A text that stands above its line, such as an exponent: without it, 10⁶ would be read as 106. Texts with letters that
 * have no raised form stay as they are, as `1st` does.
 */
export function raised(text: string): string {
  let whole = '';
  for (const character of text) {
    const one = RAISED[character];
    if (one === undefined) return text;
    whole += one;
  }
  return whole;
}

/** Marks of letters with a line through them, as in Markdown: what they say does not count any more. */
const STRUCK = '~~';

/** A line with further letters. @param isStruck whether a line goes through them */
export function withLetters(line: string, letters: string, isStruck: boolean): string {
  if (!isStruck || letters.trim() === '') return line + letters;
  const before = line.endsWith(STRUCK) ? line.slice(0, -STRUCK.length) : line + STRUCK;
  return before + letters + STRUCK;
}
