import type { PageWord } from '@tanya/contract';
import { Pdf } from './pdfium.js';

/** Characters of a page whose places are looked for. */
const MAX_CHARACTERS = 30_000;

/** Characters of one piece. Scripts without blanks between words are cut, so that a mark covers little beside its passage. */
const MAX_PIECE = 12;

/** Of a page's width and height. */
const UNITS = 10_000;

/** PDFium marks a hyphen at the end of a line, which the text of the page has not. */
const HYPHENS = ['\u0002', '\ufffe'];

const DOUBLE_BYTES = 8;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The words of a page with their places, in the order of its text. Those without a place are left out. */
export function wordsOf(pdf: Pdf, page: number): PageWord[] {
  const { library } = pdf;
  const words: PageWord[] = [];
  let piece = '';
  let place: Box | null = null;
  const close = (): void => {
    if (place !== null) words.push([piece, place.left, place.top, place.right - place.left, place.bottom - place.top]);
    piece = '';
    place = null;
  };
  pdf.withText(page, (text) => {
    const count = Math.min(library.FPDFText_CountChars(text), MAX_CHARACTERS);
    for (let index = 0; index < count; index += 1) {
      const character = String.fromCharCode(library.FPDFText_GetUnicode(text, index));
      if (HYPHENS.includes(character)) continue;
      const box = /\S/.test(character) ? boxOf(pdf, page, text, index) : null;
      if (box === null || (place !== null && (piece.length >= MAX_PIECE || !continues(place, box)))) close();
      if (box === null) continue;
      piece += character;
      place = place === null ? box : around(place, box);
    }
  });
  close();
  return words;
}

/** Whether a character stands in the line of a word, right of it. */
const continues = (word: Box, { left, top, bottom }: Box): boolean =>
  left >= word.left && (top + bottom) / 2 > word.top && (top + bottom) / 2 < word.bottom;

const around = (one: Box, other: Box): Box => ({
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
});

/** The place of a character on the page as it is shown; null for one without. */
function boxOf(pdf: Pdf, page: number, text: number, index: number): Box | null {
  const { library } = pdf;
  return pdf.withMemory(4 * DOUBLE_BYTES, (at) => {
    const edge = (number: number): number => at + number * DOUBLE_BYTES;
    if (!library.FPDFText_GetCharBox(text, index, edge(0), edge(1), edge(2), edge(3))) return null;
    const edges = pdf.memory(at, 4 * DOUBLE_BYTES);
    const [left, right, bottom, top] = [0, 1, 2, 3].map((number) => edges.readDoubleLE(number * DOUBLE_BYTES));
    const [x1, y1] = shownAt(pdf, page, at, left!, top!);
    const [x2, y2] = shownAt(pdf, page, at, right!, bottom!);
    const box = { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) };
    return box.right > box.left && box.bottom > box.top ? box : null;
  });
}

/** A point of the page, which may be rotated or cropped, from its top left corner. @param at memory for two numbers */
function shownAt(pdf: Pdf, page: number, at: number, x: number, y: number): [x: number, y: number] {
  if (!pdf.library.FPDF_PageToDevice(page, 0, 0, UNITS, UNITS, 0, x, y, at, at + DOUBLE_BYTES)) return [0, 0];
  const point = pdf.memory(at, 2 * DOUBLE_BYTES);
  return [point.readInt32LE(0), point.readInt32LE(DOUBLE_BYTES)];
}
