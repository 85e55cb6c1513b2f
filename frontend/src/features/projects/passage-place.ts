import type { PageWord } from '@tanya/contract';

/** A range of characters. */
export interface Place {
  start: number;
  end: number;
}

const BLANK = /\s/;

const withoutBlanks = (text: string): string => text.replace(/\s+/g, '');

/**
 * Finds a passage in the text of its section. White space is passed over: a passage may join several pieces of the text. One
 * from the middle of a table begins with the table's header, which stands elsewhere.
 * @param quote of the passage; one that was cut ends with an ellipsis
 * @returns null for a text that does not contain it
 */
export function passagePlace(text: string, quote: string): Place | null {
  const whole = quote.replace(/…$/, '');
  const [, ...rows] = whole.split('\n');
  return placeOf(text, withoutBlanks(whole)) ?? placeOf(text, withoutBlanks(rows.join('\n')));
}

function placeOf(text: string, wanted: string): Place | null {
  const first = wanted === '' ? -1 : withoutBlanks(text).indexOf(wanted);
  if (first < 0) return null;
  let at = -1;
  const pass = (count: number): number => {
    for (let left = count; left > 0;) if (!BLANK.test(text[++at]!)) left -= 1;
    return at;
  };
  return { start: pass(first + 1), end: pass(wanted.length - 1) + 1 };
}

/** A rectangle on a page, in ten-thousandths of its width and height. */
export interface PageMark {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Raised digits, which the words of a page have on their line. */
const RAISED = /[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]/g;

/** Alef before lam: what a font draws as one letter stands in either order. */
const REVERSED_PAIR = /([\u0622\u0623\u0625\u0627])\u0644/g;

/**
 * A text without what its words on the page write in another way: raised digits, brackets and bullets. Each character keeps
 * its place.
 */
const comparable = (text: string): string =>
  text
    .replace(RAISED, (digit) => digit.normalize('NFKC'))
    .replace(REVERSED_PAIR, '\u0644$1')
    .replace(/[^\p{L}\p{N}\s…]/gu, (sign) => '·'.repeat(sign.length));

/** The rectangles of a passage on its page, one for each line. */
export function passageMarks(words: readonly PageWord[], quote: string): PageMark[] {
  const place = passagePlace(comparable(words.map(([text]) => text).join(' ')), comparable(quote));
  if (place === null) return [];
  const marks: PageMark[] = [];
  let at = 0;
  for (const [text, left, top, width, height] of words) {
    const from = Math.max(place.start - at, 0);
    const to = Math.min(place.end - at, text.length);
    at += text.length + 1;
    if (from >= to) continue;
    // A passage may begin and end within a piece of a text without blanks.
    const part = { left: left + (width * from) / text.length, top, width: (width * (to - from)) / text.length, height };
    const last = marks.at(-1);
    if (last !== undefined && isSameLine(last, part)) marks[marks.length - 1] = around(last, part);
    else marks.push(part);
  }
  return marks;
}

const isSameLine = (line: PageMark, { left, top, height }: PageMark): boolean =>
  left >= line.left && top + height / 2 > line.top && top + height / 2 < line.top + line.height;

function around(line: PageMark, part: PageMark): PageMark {
  const top = Math.min(line.top, part.top);
  const height = Math.max(line.top + line.height, part.top + part.height) - top;
  return { left: line.left, top, width: Math.max(line.width, part.left + part.width - line.left), height };
}
