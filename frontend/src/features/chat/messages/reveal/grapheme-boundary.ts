let segmenter: Intl.Segmenter | undefined;

/** Created on the first use, because it loads language data; undefined in Firefox before 125, which lacks it. */
function graphemeSegmenter(): Intl.Segmenter | undefined {
  if ('Segmenter' in Intl) segmenter ??= new Intl.Segmenter();
  return segmenter;
}

/** Code units below this one, the first combining mark, never extend the grapheme before them. */
const FIRST_COMBINING_MARK = 0x300;

/**
 * The last position up to `end` that splits no grapheme, such as an emoji of several code points.
 * @param start an earlier boundary; only the text after it is searched
 * @param end a position before the end of the text
 */
export function lastGraphemeBoundary(text: string, start: number, end: number): number {
  if (end <= start) return start;
  if (text.charCodeAt(end) < FIRST_COMBINING_MARK) return end;
  const graphemes = graphemeSegmenter();
  if (!graphemes) return isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
  // The grapheme at `end` may begin before it. Its end is of no interest, so one code point after `end` is enough.
  const segment = graphemes.segment(text.slice(start, end + 2)).containing(end - start);
  return segment ? start + segment.index : end;
}

function isLowSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xdc00 && codeUnit <= 0xdfff;
}
