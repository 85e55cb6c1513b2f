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

/** A line that goes on is less than this share of its size higher or lower, and at most its size away. */
const MOST_STEP = 0.7;
const MOST_GAP = 1;

/** The text of a page without the breaks that PDFium puts behind small letters above or below the line. */
export function withoutBreaks(pdf: Pdf, text: number, read: string): string {
  let shown = '';
  let from = 0;
  let count = 0;
  for (const { index } of read.matchAll(/\r\n/g)) {
    count += 1;
    if (count > MAX_NUMBERS) break;
    const next = letterAt(pdf, text, index + 2);
    const last = next === null ? null : letterAt(pdf, text, index - 1);
    if (next === null || last === null || !goesOn(last, next)) continue;
    shown += read.slice(from, index);
    from = index + 2;
  }
  return shown + read.slice(from);
}

function goesOn(last: Letter, { size, x, y, up: [upX, upY] }: Letter): boolean {
  const [right, above] = [(x - last.x) * upY - (y - last.y) * upX, (x - last.x) * upX + (y - last.y) * upY];
  return last.size <= size * MOST_SIZE && Math.abs(above) < size * MOST_STEP && right > 0 && right < size * MOST_GAP;
}
