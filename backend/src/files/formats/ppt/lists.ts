import type { TextStyles } from './letter-styles.js';
import { innerRecords, type PptRecord, recordsBelow } from '../office/drawn/records.js';
import { type Numbers, SlideNumbers } from '../office/lists/slide-numbers.js';

/** Types of records ([MS-PPT] 2.13.24), from PowerPoint 2000 on inside of a part for each program. */
const RECORD = {
  shapeData: 0xf011,
  documentData: 2000,
  tags: 5000,
  tag: 5002,
  tagData: 5003,
  outlines: 4014,
  outline: 4015,
  lists: 4012,
} as const;

/** What PPTX calls the numbers, by their value in PPT ([MS-PPT] 2.13.33). */
const SCHEMES = [
  'alphaLcPeriod',
  'alphaUcPeriod',
  'arabicParenR',
  'arabicPeriod',
  'romanLcParenBoth',
  'romanLcParenR',
  'romanLcPeriod',
  'romanUcPeriod',
  'alphaLcParenBoth',
  'alphaLcParenR',
  'alphaUcParenBoth',
  'alphaUcParenR',
  'arabicParenBoth',
  'arabicPlain',
  'romanUcParenBoth',
  'romanUcParenR',
  'ea1ChsPlain',
  'ea1ChsPeriod',
  'circleNumDbPlain',
  'circleNumWdWhitePlain',
  'circleNumWdBlackPlain',
  'ea1ChtPlain',
  'ea1ChtPeriod',
  'arabic1Minus',
  'arabic2Minus',
  'hebrew2Minus',
  'ea1JpnKorPlain',
  'ea1JpnKorPeriod',
  'arabicDbPlain',
  'arabicDbPeriod',
  'thaiAlphaPeriod',
  'thaiAlphaParenR',
  'thaiAlphaParenBoth',
  'thaiNumPeriod',
  'thaiNumParenR',
  'thaiNumParenBoth',
  'hindiAlphaPeriod',
  'hindiNumPeriod',
  'ea1JpnChsDbPeriod',
  'hindiNumParenR',
  'hindiAlpha1Period',
];
const USUAL: Numbers = { type: 'arabicPeriod', start: 1 };

/** The numbers of lists, which paragraphs refer to by their place; null for one without numbers. */
export type Lists = readonly (Numbers | null)[];

/** The lists of the text of a shape. @param inner of the shape */
export const listsOfShape = (stream: Buffer, inner: readonly PptRecord[]): Lists =>
  listsIn(
    stream,
    recordsBelow(
      stream,
      inner.filter(({ type }) => type === RECORD.shapeData),
      RECORD.tags,
      RECORD.tag,
      RECORD.tagData,
      RECORD.lists,
    )[0],
  );

/** The lists of the texts in the outline, by the id of their slide and the kind of the text. */
export function listsOfOutline(stream: Buffer, document: PptRecord): ReadonlyMap<string, Lists> {
  const lists = new Map<string, Lists>();
  const path = [RECORD.documentData, RECORD.tags, RECORD.tag, RECORD.tagData, RECORD.outlines];
  for (const outlines of recordsBelow(stream, [document], ...path)) {
    let key = '';
    for (const record of innerRecords(stream, outlines)) {
      if (record.type === RECORD.lists) lists.set(key, listsIn(stream, record));
      else if (record.type === RECORD.outline && record.end - record.start >= 8)
        key = outlineKey(stream.readUInt32LE(record.start), stream.readUInt32LE(record.start + 4));
    }
  }
  return lists;
}

export const outlineKey = (slide: number, kind: number): string => `${slide} ${kind}`;

/** Numbers of the paragraphs of a text, before each of them. */
export function numbersOf(
  text: string,
  { paragraphs, letters }: TextStyles,
  lists: Lists,
): [place: number, mark: string][] {
  if (lists.every((list) => list === null)) return [];
  const counts = new SlideNumbers();
  const marks: [number, string][] = [];
  let [place, paragraph, letter] = [0, 0, 0];
  for (const line of text.split('\r')) {
    while ((paragraphs[paragraph]?.end ?? Infinity) <= place) paragraph += 1;
    while ((letters[letter]?.end ?? Infinity) <= place) letter += 1;
    const { level = 0, isListed = false } = paragraphs[paragraph] ?? {};
    const numbers = isListed ? lists[letters[letter]?.list ?? 0] : null;
    if (line.trim() !== '') marks.push([place, counts.next(level, numbers ?? null)]);
    place += line.length + 1;
  }
  return marks;
}

/** Properties of paragraphs that PowerPoint 2000 added ([MS-PPT] 2.9.69 to 2.9.71), each with its bit. */
const PICTURE = 0x80_0000;
const IS_NUMBERED = 0x200_0000;
const SCHEME = 0x100_0000;
/** Of letters, and of the language of a text, whose bits follow. */
const EXTENSION = 0x400_0000;
const LANGUAGES: readonly (readonly [bit: number, bytes: number])[] = [
  [0x01, 2],
  [0x02, 2],
  [0x04, 2],
  [0x40, 2],
  [0x20, 4],
];
const TAGS = 0x200;

/** Lists of one text: letters name them in four bits. */
const MAX_LISTS = 16;

function listsIn(stream: Buffer, record: PptRecord | undefined): Lists {
  const lists: (Numbers | null)[] = [];
  if (record === undefined) return lists;
  const bytes = stream.subarray(record.start, record.end);
  let at = 0;
  const take = (size: 2 | 4): number => {
    at += size;
    return bytes.readUIntLE(at - size, size);
  };
  try {
    while (at < bytes.length && lists.length < MAX_LISTS) {
      const masks = take(4);
      if ((masks & PICTURE) !== 0) take(2);
      const isNumbered = (masks & IS_NUMBERED) !== 0 && take(2) !== 0;
      const given = (masks & SCHEME) === 0 ? USUAL : { type: SCHEMES[take(2)] ?? USUAL.type, start: take(2) };
      if ((take(4) & EXTENSION) !== 0) take(4);
      const languages = take(4);
      for (const [bit, size] of LANGUAGES) if ((languages & bit) !== 0) at += size;
      if ((languages & TAGS) !== 0) {
        const tags = take(4);
        at += 4 * tags;
      }
      lists.push(isNumbered ? given : null);
    }
  } catch (error) {
    // Lists that are cut keep their beginning.
    if (!(error instanceof RangeError)) throw error;
  }
  return lists;
}
