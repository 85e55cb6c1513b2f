/** A picture that decodes to more is refused: a few bytes can claim gigabytes. */
const MAX_PIXELS = 100_000_000;

const MAX_SIDE = 32_767;

/** Markup that makes a picture worth executing in a careless browser; real pictures don't hold it. */
const ACTIVE_CONTENT = /<(?:script|html|!doctype html|iframe|svg|\?php)[\s>/]/i;

interface Dimensions {
  width: number;
  height: number;
}

/** Whether these bytes are a picture of this type, whole as far as its structure tells, of a bearable size, and nothing else. */
export function isSafeImage(bytes: Buffer, type: string): boolean {
  const dimensions = readers[type]?.(bytes) ?? null;
  if (dimensions === null) return false;
  const { width, height } = dimensions;
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) return false;
  return !ACTIVE_CONTENT.test(bytes.toString('latin1'));
}

const readers: Record<string, (bytes: Buffer) => Dimensions | null> = {
  'image/png': readPng,
  'image/gif': readGif,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
};

const isPadding = (bytes: Buffer) => bytes.every((byte) => byte === 0);

function readPng(bytes: Buffer): Dimensions | null {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  for (let at = 8; at + 12 <= bytes.length;) {
    const next = at + 12 + bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') {
      return isPadding(bytes.subarray(next)) ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
    }
    at = next;
  }
  return null;
}

const colourTable = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/** The end of a chain of sub-blocks, each led by its length. */
function afterSubBlocks(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1;
  return at + 1;
}

function readGif(bytes: Buffer): Dimensions | null {
  if (bytes.length < 14) return null;
  let at = 13 + colourTable(bytes[10]!);
  while (at < bytes.length) {
    if (bytes[at] === 0x3b) {
      return isPadding(bytes.subarray(at + 1)) ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) } : null;
    }
    if (bytes[at] === 0x21) at = afterSubBlocks(bytes, at + 2);
    else if (bytes[at] === 0x2c && at + 10 < bytes.length)
      at = afterSubBlocks(bytes, at + 11 + colourTable(bytes[at + 9]!));
    else return null;
  }
  return null;
}

const isFrameHeader = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Cameras put their own data behind a picture's end, so only what leads to the pixels is read. */
function readJpeg(bytes: Buffer): Dimensions | null {
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) at += 1;
    else if (isFrameHeader(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function readWebp(bytes: Buffer): Dimensions | null {
  if (bytes.length < 30) return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
