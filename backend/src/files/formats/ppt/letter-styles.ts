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

/** Properties of letters before their height above the line (2.9.14). */
const BEFORE_POSITION: readonly Property[] = [
  [0x3eb7, 2],
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

/**
 * Where letters stand above their line, by what follows a text: runs of paragraphs, then those of letters.
 * @param length of the text; its end counts as one letter
 */
export function raisedRanges(styles: Buffer, length: number): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  try {
    let at = afterParagraphs(styles, length + 1);
    for (let place = 0; place <= length && at + 2 * NUMBER_BYTES <= styles.length;) {
      const [count, masks] = [styles.readUInt32LE(at), styles.readUInt32LE(at + NUMBER_BYTES)];
      at += 2 * NUMBER_BYTES + bytesOf(BEFORE_POSITION, masks);
      const position = (masks & POSITION) === 0 ? 0 : styles.readInt16LE(at);
      if ((masks & POSITION) !== 0) at += 2;
      if (position > 0) ranges.push([place, Math.min(place + count, length)]);
      if (count === 0) break;
      place += count;
    }
  } catch (error) {
    // Styles that are cut keep their beginning.
    if (!(error instanceof RangeError)) throw error;
  }
  return ranges;
}

function afterParagraphs(styles: Buffer, length: number): number {
  let at = 0;
  for (let place = 0; place < length;) {
    const [count, masks] = [styles.readUInt32LE(at), styles.readUInt32LE(at + RUN_HEAD)];
    at += RUN_HEAD + NUMBER_BYTES + bytesOf(BEFORE_TABS, masks);
    if ((masks & TABS) !== 0) at += 2 + TAB_BYTES * styles.readUInt16LE(at);
    at += bytesOf(AFTER_TABS, masks);
    if (count === 0) break;
    place += count;
  }
  return at;
}
