/** Records of an Enhanced Metafile that draw text ([MS-EMF] 2.3.5). */
const EMF = { bytes: 83, text: 84, small: 108 } as const;

/** Options of a short text: without a rectangle, and with one byte for a character. */
const NO_RECTANGLE = 0x100;
const ONE_BYTE = 0x200;

/** Records of a Windows Metafile that draw text ([MS-WMF] 2.3.3). */
const WMF = { text: 0x0521, extended: 0x0a32 } as const;

/** Start of a Windows Metafile with a place. */
const PLACEABLE = 0x9ac6cdd7;

/** Characters of one picture. */
const MAX_TEXT = 20_000;

export interface DrawnText {
  /** Height on the picture: texts of one height stand in one line. */
  y: number;
  text: string;
}

/** The text that a vector picture of Windows draws, such as a chart; '' for other pictures and damaged ones. */
export function metafileText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isEnhanced = buffer.length > 44 && buffer.readUInt32LE(0) === 1 && buffer.toString('latin1', 40, 44) === ' EMF';
  return linesOf(isEnhanced ? enhancedTexts(buffer) : windowsTexts(buffer));
}

/** Texts that are drawn in their order, with a line for each height. */
export function linesOf(texts: Iterable<DrawnText>): string {
  let text = '';
  let last: number | undefined;
  for (const drawn of texts) {
    if (drawn.text.trim() === '') continue;
    if (text.length > MAX_TEXT) break;
    text += (last === undefined ? '' : last === drawn.y ? ' ' : '\n') + drawn.text.trim();
    last = drawn.y;
  }
  return text;
}

function* enhancedTexts(buffer: Buffer): Generator<DrawnText> {
  for (let at = 0; at + 8 <= buffer.length;) {
    const size = buffer.readUInt32LE(at + 4);
    if (size < 8) return;
    const record = buffer.subarray(at, at + size);
    const type = record.readUInt32LE(0);
    if ((type === EMF.text || type === EMF.bytes) && record.length >= 52) {
      const start = record.readUInt32LE(48);
      const bytes = record.subarray(start, start + record.readUInt32LE(44) * (type === EMF.text ? 2 : 1));
      yield { y: record.readInt32LE(40), text: bytes.toString(type === EMF.text ? 'utf16le' : 'latin1') };
    } else if (type === EMF.small && record.length >= 36) {
      const options = record.readUInt32LE(20);
      const start = options & NO_RECTANGLE ? 36 : 52;
      const isShort = (options & ONE_BYTE) !== 0;
      const bytes = record.subarray(start, start + record.readUInt32LE(16) * (isShort ? 1 : 2));
      yield { y: record.readInt32LE(12), text: bytes.toString(isShort ? 'latin1' : 'utf16le') };
    }
    at += size;
  }
}

function* windowsTexts(buffer: Buffer): Generator<DrawnText> {
  const start = buffer.length > 22 && buffer.readUInt32LE(0) === PLACEABLE ? 22 : 0;
  if (buffer.length < start + 18 || buffer.readUInt16LE(start + 2) !== 9) return;
  for (let at = start + 18; at + 6 <= buffer.length;) {
    const size = buffer.readUInt32LE(at) * 2;
    if (size < 6) return;
    const record = buffer.subarray(at, at + size);
    const type = record.readUInt16LE(4);
    if (type === WMF.text && record.length >= 8) {
      const length = record.readUInt16LE(6);
      const end = 8 + length + (length % 2);
      if (end + 2 <= record.length)
        yield { y: record.readInt16LE(end), text: record.toString('latin1', 8, 8 + length) };
    } else if (type === WMF.extended && record.length >= 14) {
      const first = record.readUInt16LE(12) & 6 ? 22 : 14;
      yield { y: record.readInt16LE(6), text: record.toString('latin1', first, first + record.readUInt16LE(10)) };
    }
    at += size;
  }
}
