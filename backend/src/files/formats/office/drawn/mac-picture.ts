import type { DrawnText } from './metafile.js';

/** Opcodes that draw text (Inside Macintosh: Imaging With QuickDraw, appendix A). */
const LONG_TEXT = 0x28;
const MOVED_DOWN = 0x2a;
const MOVED = 0x2b;

const END = 0xff;

/** Bytes before the opcodes: the size and the frame. */
const HEAD_BYTES = 10;

/** Version 2 has opcodes in two bytes and begins with this one, version 1 has them in one byte and a shorter beginning. */
const VERSION_2 = '001102ff';
const VERSION_1_BYTES = 2;

/** Lengths of opcodes up to the text, -1 for those that hold a region or a pattern. */
const LENGTHS = [
  0, -1, 8, 2, 1, 2, 4, 4, 2, 8, 8, 4, 4, 2, 4, 4, 8, 1, -1, -1, -1, 2, 2, 0, 0, 0, 6, 6, 0, 6, 0, 6, 8, 4, 6, 2,
] as const;

/** Lengths of the opcodes of shapes from 0x30 on, for eight each: a new shape, and the one before it again. */
const SHAPES = [8, 0, 8, 0, 8, 0, 12, 4, -1, 0, -1, 0] as const;

/** The texts that a picture of a Macintosh draws, up to its first bitmap. */
export function* macTexts(picture: Buffer): Generator<DrawnText> {
  const isWide = picture.toString('hex', HEAD_BYTES, HEAD_BYTES + 4) === VERSION_2;
  const width = isWide ? 2 : 1;
  let y = 0;
  for (let at = HEAD_BYTES + (isWide ? VERSION_2.length / 2 : VERSION_1_BYTES); at + width <= picture.length;) {
    const opcode = picture.readUIntBE(at, width);
    const body = at + width;
    const length = opcode === END ? null : lengthOf(picture, opcode, body);
    if (length === null || body + length > picture.length) return;
    if (opcode === LONG_TEXT) y = picture.readInt16BE(body);
    else if (opcode === MOVED_DOWN) y += picture[body]!;
    else if (opcode === MOVED) y += picture[body + 1]!;
    if (opcode >= LONG_TEXT && opcode <= MOVED) {
      const start = body + countPlace(opcode);
      yield { y, text: decoder.decode(picture.subarray(start + 1, start + 1 + picture[start]!)) };
    }
    at = body + length;
    if (isWide) at += at % 2;
  }
}

const decoder = new TextDecoder('macintosh');

/** Where the number of letters stands, after the place of the text. */
const countPlace = (opcode: number): number => (opcode === LONG_TEXT ? 4 : opcode === MOVED ? 2 : 1);

/** The bytes of an opcode after its number; null for a bitmap, and beyond the end. */
function lengthOf(picture: Buffer, opcode: number, body: number): number | null {
  const counted = (bytes: 1 | 2 | 4, place = body) =>
    place + bytes > picture.length ? null : picture.readUIntBE(place, bytes);
  const after = (bytes: number, count: number | null) => (count === null ? null : bytes + count);
  if (opcode < LENGTHS.length) return LENGTHS[opcode]! >= 0 ? LENGTHS[opcode]! : opcode === 1 ? counted(2) : null;
  if (opcode < LONG_TEXT) return after(2, counted(2));
  if (opcode <= MOVED) return after(countPlace(opcode) + 1, counted(1, body + countPlace(opcode)));
  if (opcode < 0x30) return after(2, counted(2));
  if (opcode < 0x90) {
    const shape = SHAPES[(opcode - 0x30) >> 3]!;
    return shape >= 0 ? shape : (opcode & 8) === 0 ? counted(2) : 0;
  }
  if (opcode < 0xa0) return null;
  if (opcode === 0xa0) return 2;
  if (opcode === 0xa1) return after(4, counted(2, body + 2));
  if (opcode < 0xb0) return after(2, counted(2));
  if (opcode < 0xd0) return 0;
  if (opcode < 0xff) return after(4, counted(4));
  if (opcode < 0x8000) return (opcode >> 8) * 2;
  return opcode < 0x8100 ? 0 : after(4, counted(4));
}
