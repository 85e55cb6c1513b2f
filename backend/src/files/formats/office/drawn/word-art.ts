import { innerRecords, type PptRecord, recordAt } from './records.js';

/** Types of records of drawings before 2007 ([MS-ODRAW] 2.2). */
const DRAWING = 0xf002;
export const PROPERTIES = 0xf00b;

const MAX_DEPTH = 20;

/** Of each property: its number, and its value or the length of it. Long values stand behind all properties. */
const PROPERTY_BYTES = 6;
const IS_LONG = 0x8000;
const NUMBER = 0x3fff;

/** The property that has the text of WordArt. */
const TEXT = 0x00c0;

/** The text of WordArt among the properties of a shape; '' for other shapes. */
export function wordArt(stream: Buffer, { start, end, instance }: PptRecord): string {
  let value = start + instance * PROPERTY_BYTES;
  for (let at = start; at + PROPERTY_BYTES <= Math.min(start + instance * PROPERTY_BYTES, end); at += PROPERTY_BYTES) {
    const property = stream.readUInt16LE(at);
    if ((property & IS_LONG) === 0) continue;
    const length = stream.readUInt32LE(at + 2);
    if ((property & NUMBER) === TEXT)
      return stream
        .toString('utf16le', value, Math.min(value + length, end))
        .split('\0', 1)[0]!
        .replace(/\r\n?/g, '\n');
    value += length;
  }
  return '';
}

/** The WordArt of a Word document: of its text, and of its headers, where watermarks are. */
export function wordArtOfWord(drawings: Buffer): { inText: string[]; inHeaders: string[] } {
  const found = { inText: [] as string[], inHeaders: [] as string[] };
  // After what all drawings share, each has a byte that says where it is.
  for (let at = recordAt(drawings, 0)?.end ?? drawings.length; at < drawings.length;) {
    const drawing = recordAt(drawings, at + 1);
    if (drawing?.type !== DRAWING) break;
    const texts = found[drawings[at] === 0 ? 'inText' : 'inHeaders'];
    for (const text of textsIn(drawings, drawing, 0)) texts.push(text);
    at = drawing.end;
  }
  return found;
}

function textsIn(drawings: Buffer, record: PptRecord, depth: number): string[] {
  if (record.type === PROPERTIES) return [wordArt(drawings, record)].filter((text) => text.trim() !== '');
  if (!record.isContainer || depth > MAX_DEPTH) return [];
  return innerRecords(drawings, record).flatMap((inner) => textsIn(drawings, inner, depth + 1));
}
