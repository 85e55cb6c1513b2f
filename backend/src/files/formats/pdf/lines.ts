import { type Letter, letterAt } from './letters.js';
import type { Pdf } from './pdfium.js';

/** Lines of one page that are looked at: each takes a few calls. */
const MAX_LINES = 2_000;

/** Small letters above or below a line have at most this share of its size. */
const SMALL_SIZE = 0.85;

/** Small letters are less than this share of the size higher or lower than their line, and at most its size away. */
const SMALL_STEP = 0.7;
const SMALL_GAP = 1;

/** Texts on one line differ by less than this share of their size. */
const SAME_STEP = 0.15;

const BREAK = '\r\n';

/** Scripts whose lines PDFium gives from their end. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

/** Letters of East Asia, which stand upright in vertical lines too. */
const UPRIGHT = /[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]/;

interface Line {
  text: string;
  first: Letter | null;
  last: Letter | null;
}

/**
 * The text of a page in lines as people read them. PDFium breaks a line behind small letters above or below it, and before
 * a single character far to the right, such as a quantity in a table. Lines that run up or down the screen it gives from
 * left to right, as they are, on pages that are turned and in Japanese, mostly from right to left.
 * @param text handle of the text
 * @param read the text with each character at its place
 */
export function inLines(pdf: Pdf, page: number, text: number, read: string): string {
  const lines: Line[] = [];
  const pieces = read.split(BREAK);
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const isLooked = index < MAX_LINES && pieces.length > 1 && piece !== '';
    const line: Line = {
      text: piece,
      first: isLooked ? letterAt(pdf, text, at) : null,
      last: isLooked ? letterAt(pdf, text, at + piece.length - 1) : null,
    };
    at += piece.length + BREAK.length;
    const before = lines.at(-1);
    const between = before === undefined ? null : blankBetween(before, line);
    if (before === undefined || between === null) lines.push(line);
    else lines[lines.length - 1] = { ...line, text: before.text + between + line.text, first: before.first };
  }
  const rotation = pdf.library.FPDFPage_GetRotation(page);
  return inReadingOrder(lines, rotation)
    .map((line) => line.text)
    .join(BREAK);
}

/** What stands between two pieces of one line; null for two lines. */
function blankBetween({ text, last }: Line, { first: next }: Line): string | null {
  if (last === null || next === null) return null;
  const [upX, upY] = next.up;
  const right = (next.x - last.x) * upY - (next.y - last.y) * upX;
  const step = Math.abs((next.x - last.x) * upX + (next.y - last.y) * upY);
  if (right <= 0) return null;
  const isBehindSmall = last.size <= next.size * SMALL_SIZE && step < next.size * SMALL_STEP;
  if (isBehindSmall && right < next.size * SMALL_GAP) return '';
  if (step >= Math.min(last.size, next.size) * SAME_STEP) return null;
  return text.endsWith(' ') ? '' : ' ';
}

type Vector = readonly [x: number, y: number];

const dot = ([x, y]: Vector, [otherX, otherY]: Vector): number => x * otherX + y * otherY;

/** A vector a quarter turned, as a clock runs. */
const turned = ([x, y]: Vector): Vector => [y, -x];

/** Sorts lines that begin beside one another and run up or down the screen. @param rotation of the page, in quarters */
function inReadingOrder(lines: readonly Line[], rotation: number): Line[] {
  const sorted: Line[] = [];
  let group: { line: Line; depth: number }[] = [];
  let around: { way: Vector; start: number; size: number } | null = null;
  const endGroup = () => {
    sorted.push(...group.toSorted((one, other) => one.depth - other.depth).map(({ line }) => line));
    group = [];
  };
  for (const line of lines) {
    const way = wayOf(line);
    let shown = way;
    for (let turn = 0; shown !== null && turn < rotation; turn++) shown = turned(shown);
    const isUpright = shown !== null && Math.abs(shown[1]) > Math.abs(shown[0]) && !RIGHT_TO_LEFT.test(line.text);
    const { first } = line;
    if (!isUpright || way === null || first === null) {
      endGroup();
      around = null;
      sorted.push(line);
      continue;
    }
    const place: Vector = [first.x, first.y];
    const start = dot(place, way);
    const isBeside =
      around !== null && dot(around.way, way) > 1 - SAME_STEP && Math.abs(around.start - start) < around.size;
    if (!isBeside) endGroup();
    around = { way, start, size: first.size };
    group.push({ line, depth: dot(place, turned(way)) });
  }
  endGroup();
  return sorted;
}

/** Where the letters of a line go on, as a vector of length 1; null for a line of one letter, or of two lines. */
function wayOf({ text, first, last }: Line): Vector | null {
  if (first === null || last === null) return null;
  const [x, y] = [last.x - first.x, last.y - first.y];
  const length = Math.hypot(x, y);
  if (length === 0) return null;
  const way: Vector = [x / length, y / length];
  return Math.abs(dot(way, first.up)) < SAME_STEP || UPRIGHT.test(text) ? way : null;
}
