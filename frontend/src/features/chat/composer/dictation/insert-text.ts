/** A text with a caret position. */
interface Insertion {
  text: string;
  caret: number;
}

/**
 * Puts dictated words into a text in place of its selection, apart from what stands around them. The caret follows them.
 * @param start of the selection, in UTF-16 units, like `end`
 */
export function insertText(text: string, start: number, end: number, words: string): Insertion {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const left = /[^\s([{«“"'‘¿¡]$/u.test(before) ? ' ' : '';
  const right = /^[^\s.,;:!?)\]}»”"'’…]/u.test(after) ? ' ' : '';
  const head = before + left + words;
  return { text: head + right + after, caret: head.length };
}
