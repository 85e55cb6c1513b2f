import { type Letter, letterAt } from './letters.js';
import type { Pdf } from './pdfium.js';
import { raised } from '../text/looks.js';

/** Digits with their signs. */
const DIGITS = /[\d+\-\u2212\u2013]+/g;

/** Numbers of one page that are looked at: each takes a few calls. */
const MAX_NUMBERS = 2_000;

/** Letters above a line have at most this share of its size, and stand higher by this share of it. */
const MOST_SIZE = 0.85;
const LEAST_RISE = 0.15;

/**
 * The text of a page with raised digits where they stand above their line: PDF tells 10⁶ and 106 apart by size and place
 * alone.
 * @param text handle of the text
 * @param read the text as PDFium gives it
 */
export function withRaisedDigits(pdf: Pdf, text: number, read: string): string {
  let shown = '';
  let from = 0;
  let count = 0;
  for (const { 0: digits, index } of read.matchAll(DIGITS)) {
    count += 1;
    if (count > MAX_NUMBERS) break;
    const end = index + digits.length;
    // What stands on the line: the character before the digits, else the first of them.
    const base = /\S/.test(read[index - 1] ?? ' ') ? index - 1 : index;
    const start = end - raisedLength(pdf, text, base, end - 1 - base);
    shown += read.slice(from, start) + raised(read.slice(start, end));
    from = end;
  }
  return shown + read.slice(from);
}

/** How many of the last characters stand above the line of the one before all of them. @param base its place */
function raisedLength(pdf: Pdf, text: number, base: number, count: number): number {
  const line = count === 0 ? null : letterAt(pdf, text, base);
  if (line === null) return 0;
  let length = 0;
  while (length < count) {
    const letter = letterAt(pdf, text, base + count - length);
    if (letter === null || !isAbove(letter, line)) break;
    length += 1;
  }
  return length;
}

function isAbove({ size, x, y }: Letter, line: Letter): boolean {
  const rise = (x - line.x) * line.up[0] + (y - line.y) * line.up[1];
  return size <= line.size * MOST_SIZE && rise >= line.size * LEAST_RISE;
}
