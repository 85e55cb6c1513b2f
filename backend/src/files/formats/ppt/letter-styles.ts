/** A property of paragraphs or letters: the bits that say that it is there, and its bytes. */
type Property = readonly [mask: number, bytes: number];

/** Properties of paragraphs in their order ([MS-PPT] 2.9.20), around the tabs. */
const BEFORE_TABS: readonly Property[] = [
  [0x0f, 2],
  [0x80, 2],
  [0x10, 2],
  [0x40, 2],
  [0x20, 4],
  [0x800, 2],
  [0x1000, 2],
  [0x2000, 2],
  [0x4000, 2],
  [0x100, 2],
  [0x400, 2],
  [0x8000, 2],
];
const TABS = 0x10_0000;
const TAB_BYTES = 4;
const AFTER_TABS: readonly Property[] = [
  [0x1_0000, 2],
  [0xe_0000, 2],
  [0x20_0000, 2],
];

/** Whether a paragraph has a number or a bullet: a bit of its properties, and the bit that says that it is there. */
const LISTED = 1;

/** How letters look, with the number of the list of their paragraph in four bits. */
const LOOK = 0x3eb7;
const LIST_BIT = 10;
const LIST_MASK = 0x0f;

/** Properties of letters before their height above the line (2.9.14). */
const BEFORE_POSITION: readonly Property[] = [
  [LOOK, 2],
  [0x1_0000, 2],
  [0x20_0000, 2],
  [0x40_0000, 2],
  [0x80_0000, 2],
  [0x2_0000, 2],
  [0x4_0000, 4],
];
const POSITION = 0x8_0000;

/** Bytes of a run of paragraphs before its properties: its length and level. */
const RUN_HEAD = 6;
const NUMBER_BYTES = 4;

const bytesOf = (properties: readonly Property[], masks: number): number =>
  properties.reduce((total, [mask, bytes]) => total + ((masks & mask) === 0 ? 0 : bytes), 0);

/** Paragraphs that look alike. */
interface ParagraphRun {
  end: number;
  level: number;
  /** Whether they may have a number or a bullet. */
  isListed: boolean;
}

/** Letters that look alike. */
interface LetterRun {
  start: number;
  end: number;
  isRaised: boolean;
  /** Which of the lists of the text their paragraph is in. */
  list: number;
}

/** How the parts of a text look. */
export interface TextStyles {
  paragraphs: ParagraphRun[];
  letters: LetterRun[];
}

/**
 * What follows a text: runs of paragraphs, then those of letters. Styles that are cut keep their beginning.
 * @param length of the text; its end counts as one letter
 */
export function stylesOf(styles: Buffer, length: number): TextStyles {
  const found: TextStyles = { paragraphs: [], letters: [] };
  try {
    readLetters(styles, readParagraphs(styles, length + 1, found.paragraphs), length, found.letters);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

/** @returns the end of the runs of paragraphs */
function readParagraphs(styles: Buffer, length: number, found: ParagraphRun[]): number {
  let at = 0;
  for (let place = 0; place < length;) {
    const [count, masks] = [styles.readUInt32LE(at), styles.readUInt32LE(at + RUN_HEAD)];
    const properties = at + RUN_HEAD + NUMBER_BYTES;
    const isListed = (masks & LISTED) === 0 || (styles.readUInt16LE(properties) & LISTED) !== 0;
    const level = styles.readUInt16LE(at + NUMBER_BYTES);
    at = properties + bytesOf(BEFORE_TABS, masks);
    if ((masks & TABS) !== 0) at += 2 + TAB_BYTES * styles.readUInt16LE(at);
    at += bytesOf(AFTER_TABS, masks);
    if (count === 0) break;
    place += count;
    found.push({ end: place, level, isListed });
  }
  return at;
}

function readLetters(styles: Buffer, start: number, length: number, found: LetterRun[]): void {
  let at = start;
  for (let place = 0; place <= length && at + 2 * NUMBER_BYTES <= styles.length;) {
    const [count, masks] = [styles.readUInt32LE(at), styles.readUInt32LE(at + NUMBER_BYTES)];
    const properties = at + 2 * NUMBER_BYTES;
    const look = (masks & LOOK) === 0 ? 0 : styles.readUInt16LE(properties);
    at = properties + bytesOf(BEFORE_POSITION, masks);
    const position = (masks & POSITION) === 0 ? 0 : styles.readInt16LE(at);
    if ((masks & POSITION) !== 0) at += 2;
    if (count === 0) break;
    const end = Math.min(place + count, length);
    found.push({ start: place, end, isRaised: position > 0, list: (look >> LIST_BIT) & LIST_MASK });
    place += count;
  }
}
