import type { Pdf } from './pdfium.js';
import { raised } from '../text/looks.js';

/** Digits with their signs that stand directly behind another character. */
const CANDIDATE = /(?<=\S)[\d+\-\u2212\u2013]*\d(?!\d)/g;

/** Candidates of one page that are looked at: each takes a few calls. */
const MAX_CANDIDATES = 2_000;

/** Letters above a line have at most this share of its size, and stand higher by this share of it. */
const MOST_SIZE = 0.85;
const LEAST_RISE = 0.15;

const FLOAT_BYTES = 4;
const DOUBLE_BYTES = 8;
const MATRIX_FLOATS = 6;

const SURROGATE = /[\ud800-\udfff]/;

interface Letter {
  size: number;
  /** Where its line stands, and where up is, on the page. */
  x: number;
  y: number;
  up: readonly [x: number, y: number];
}

/**
 * The text of a page with raised digits where they stand above their line: PDF tells 10⁶ and 106 apart by size and place
 * alone.
 * @param text handle of the text
 * @param read the text as PDFium gives it
 */
export function withRaisedDigits(pdf: Pdf, text: number, read: string): string {
  // PDFium counts a character of two units once.
  if (SURROGATE.test(read)) return read;
  let shown = '';
  let from = 0;
  let count = 0;
  for (const { 0: digits, index } of read.matchAll(CANDIDATE)) {
    count += 1;
    if (count > MAX_CANDIDATES) break;
    const start = index + digits.length - raisedLength(pdf, text, index - 1, digits);
    shown += read.slice(from, start) + raised(read.slice(start, index + digits.length));
    from = index + digits.length;
  }
  return shown + read.slice(from);
}

/** How many of the last digits stand above the line of the character before all of them. @param base its place */
function raisedLength(pdf: Pdf, text: number, base: number, digits: string): number {
  const line = letterAt(pdf, text, base);
  if (line === null) return 0;
  let length = 0;
  while (length < digits.length) {
    const letter = letterAt(pdf, text, base + digits.length - length);
    if (letter === null || !isAbove(letter, line)) break;
    length += 1;
  }
  return length;
}

function isAbove({ size, x, y }: Letter, line: Letter): boolean {
  const rise = (x - line.x) * line.up[0] + (y - line.y) * line.up[1];
  return size <= line.size * MOST_SIZE && rise >= line.size * LEAST_RISE;
}

/** @returns null for one without a place on the page */
function letterAt(pdf: Pdf, text: number, place: number): Letter | null {
  const { library } = pdf;
  const index = library.FPDFText_GetCharIndexFromTextIndex(text, place);
  if (index < 0) return null;
  return pdf.withMemory(2 * DOUBLE_BYTES + MATRIX_FLOATS * FLOAT_BYTES, (at) => {
    const matrix = at + 2 * DOUBLE_BYTES;
    const hasPlace = library.FPDFText_GetCharOrigin(text, index, at, at + DOUBLE_BYTES);
    if (!hasPlace || !library.FPDFText_GetMatrix(text, index, matrix)) return null;
    const fontSize = library.FPDFText_GetFontSize(text, index);
    const bytes = pdf.memory(at, 2 * DOUBLE_BYTES + MATRIX_FLOATS * FLOAT_BYTES);
    const float = (number: number) => bytes.readFloatLE(2 * DOUBLE_BYTES + number * FLOAT_BYTES);
    const [upX, upY] = [float(2), float(3)];
    const scale = Math.hypot(upX, upY);
    if (scale === 0) return null;
    const [x, y] = [bytes.readDoubleLE(0), bytes.readDoubleLE(DOUBLE_BYTES)];
    return { size: fontSize * scale, x, y, up: [upX / scale, upY / scale] };
  });
}
