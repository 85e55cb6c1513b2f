/** Properties of paragraphs and characters of Word 97 and later ([MS-DOC] 2.6) that this folder reads. */
export const PROPERTY = {
  deleted: 0x0800,
  listLevel: 0x260a,
  inTable: 0x2416,
  rowEnd: 0x2417,
  list: 0x460b,
  position: 0x2a48,
  symbol: 0x6a09,
  font: 0x4a4f,
} as const;

/** `position` of letters above the line. */
export const ABOVE = 1;

/** Bytes of a value by the last three bits of its property; the others have their length before them. */
const VALUE_BYTES = [1, 1, 2, 4, 2, 2, undefined, 3];

/** Properties whose length has two bytes. */
const TABLE_DEFINITION = 0xd608;

/** Reads properties in their order, up to the first that is cut. */
export function propertiesOf(bytes: Buffer): Map<number, number> {
  const found = new Map<number, number>();
  for (let at = 0; at + 3 <= bytes.length;) {
    const property = bytes.readUInt16LE(at);
    at += 2;
    const fixed = VALUE_BYTES[property >> 13];
    if (fixed === undefined) {
      at += property === TABLE_DEFINITION && at + 2 <= bytes.length ? 1 + bytes.readUInt16LE(at) : 1 + bytes[at]!;
      continue;
    }
    const size = Math.min(fixed, 4);
    if (at + size > bytes.length) break;
    found.set(property, bytes.readUIntLE(at, size));
    at += fixed;
  }
  return found;
}
