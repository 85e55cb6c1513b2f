/** Unicode in units of two or four bytes. */
export type WideEncoding = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** Bytes that are judged: the first letters show how the whole is written. */
const SAMPLE_BYTES = 64 * 1024;

/** Share of characters that texts do not have, from which content is binary. */
const MAX_BAD_SHARE = 0.01;

/** Marks at the start of a text in hexadecimal, the longer ones first. */
const MARKS: readonly [mark: string, encoding: WideEncoding | 'utf-8'][] = [
  ['fffe0000', 'utf-32le'],
  ['0000feff', 'utf-32be'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
  ['efbbbf', 'utf-8'],
];

/** The encoding that the mark at the start of a text says; null for a text without one. */
export function markedEncoding(bytes: Buffer): WideEncoding | 'utf-8' | null {
  const start = bytes.toString('hex', 0, 4);
  return MARKS.find(([mark]) => start.startsWith(mark))?.[1] ?? null;
}

/** Both orders of bytes. Nearly all characters of UTF-16 are none of UTF-32, which is tried first. */
const PAIRS: readonly WideEncoding[][] = [
  ['utf-32le', 'utf-32be'],
  ['utf-16le', 'utf-16be'],
];

/**
 * The encoding of a text in UTF-16 or UTF-32 without a mark; null for other content. The right order of bytes gives
 * characters that exist and, of both orders, more of ASCII: texts of all languages have its spaces and line ends.
 */
export function unmarkedEncoding(bytes: Buffer): WideEncoding | null {
  const first = bytes.indexOf(0);
  if (first < 0 || bytes.indexOf(0, first + 1) < 0) return null;
  for (const pair of PAIRS) {
    const [best] = pair
      .map((encoding) => ({ encoding, count: asciiOf(bytes, encoding) ?? 0 }))
      .sort((one, other) => other.count - one.count);
    if (best!.count > 0) return best!.encoding;
  }
  return null;
}

/** Whether content can be a text in an encoding, by its first characters. */
export const canBeWide = (bytes: Buffer, encoding: WideEncoding): boolean => asciiOf(bytes, encoding) !== null;

/** The number of characters of ASCII at the start of a text; null for content that is no text in this encoding. */
function asciiOf(bytes: Buffer, encoding: WideEncoding): number | null {
  const text = sampleOf(bytes, encoding);
  const bad = text.match(BAD)?.length ?? 0;
  return bad > text.length * MAX_BAD_SHARE ? null : (text.match(/[\t\n\r -~]/g)?.length ?? 0);
}

/** Characters that texts do not have: controls, unassigned and private ones, halves of pairs, the replacement of others. */
const BAD = /(?!\s)[\p{Cc}\p{Cn}\p{Co}\p{Cs}\ufffd]/gu;

function sampleOf(bytes: Buffer, encoding: WideEncoding): string {
  const isBigEndian = encoding.endsWith('be');
  const width = encoding.startsWith('utf-32') ? 4 : 2;
  const sample = Buffer.from(bytes.subarray(0, Math.min(SAMPLE_BYTES, bytes.length - (bytes.length % width))));
  if (width === 2) return (isBigEndian ? sample.swap16() : sample).toString('utf16le').replace(/[\ud800-\udbff]$/, '');
  if (isBigEndian) sample.swap32();
  let text = '';
  for (let at = 0; at < sample.length; at += width) {
    const code = sample.readUInt32LE(at);
    text += code > MAX_CODE_POINT ? '\ufffd' : String.fromCodePoint(code);
  }
  return text;
}

const MAX_CODE_POINT = 0x10ffff;
