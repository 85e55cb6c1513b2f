import { letterAt } from './letters.js';
import type { Pdf } from './pdfium.js';

/** Letters of scripts that run from right to left. */
const LETTERS = /[\u0590-\u08ff]/;

/** Two letters of Arabic that fonts draw as one, in the order in which PDFium gives them. */
const REVERSED_PAIR = /[\u0622\u0623\u0625\u0627]\u0644/g;

/** Pairs of one page that are looked at: each takes a few calls. */
const MAX_PAIRS = 2_000;

const MIRRORED: Record<string, string> = { '(': ')', ')': '(', '[': ']', ']': '[' };

/**
 * The text of a page whose lines run from right to left as people write it: PDFium reverses the letters that a font draws
 * as one, and brackets that a file has in their logical form already.
 * @param text handle of the text
 */
export function inWritingOrder(pdf: Pdf, text: number, read: string): string {
  if (!LETTERS.test(read)) return read;
  let shown = '';
  let from = 0;
  let count = 0;
  for (const { 0: pair, index } of read.matchAll(REVERSED_PAIR)) {
    count += 1;
    if (count > MAX_PAIRS) break;
    const [one, other] = [letterAt(pdf, text, index), letterAt(pdf, text, index + 1)];
    if (one === null || other === null || one.x !== other.x || one.y !== other.y) continue;
    shown += read.slice(from, index) + pair[1]! + pair[0]!;
    from = index + pair.length;
  }
  return (shown + read.slice(from))
    .split('\n')
    .map((line) => (LETTERS.test(line) && isInsideOut(line) ? mirrored(line) : line))
    .join('\n');
}

/** Whether brackets close before they open, and are whole the other way round. */
const isInsideOut = (line: string): boolean => !isBalanced(line) && isBalanced(mirrored(line));

const mirrored = (line: string): string => line.replace(/[()[\]]/g, (bracket) => MIRRORED[bracket]!);

function isBalanced(line: string): boolean {
  let depth = 0;
  for (const character of line) {
    if ('(['.includes(character)) depth += 1;
    else if (')]'.includes(character)) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
