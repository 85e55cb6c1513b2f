import { isAscii, isUtf8 } from 'node:buffer';
import { inSlices, Slices, textPieces } from '../../platform/system/slices.js';
import { canBeWide, markedEncoding, unmarkedEncoding } from './wide-text.js';

/** Content with a larger share of control characters is binary. */
const MAX_CONTROL_SHARE = 0.01;

const isControl = (code: number) => code < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(code);

/** Number of control characters that texts do not have. */
export function controlCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at))) count += 1;
  return count;
}

/** Bytes that are decoded in one piece. */
const PIECE_BYTES = 256 * 1024;

interface Decoded {
  text: string;
  controls: number;
}

/** @returns null for bytes that the encoding does not have */
async function decode(bytes: Uint8Array, encoding: string): Promise<Decoded | null> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const slices = new Slices();
  const decoded = { text: '', controls: 0 };
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const end = at + PIECE_BYTES;
      const piece = decoder.decode(bytes.subarray(at, end), { stream: end < bytes.length });
      decoded.text += piece;
      decoded.controls += controlCharacters(piece);
      await slices.pause();
    }
    return decoded;
  } catch {
    return null;
  }
}

/** Copies ASCII at once, 10 MB in 10 ms: joined pieces take their memory twice when they are read. */
async function copyAscii(bytes: Buffer): Promise<Decoded> {
  const text = bytes.toString('latin1');
  let controls = 0;
  for await (const piece of inSlices(textPieces(text))) controls += controlCharacters(piece);
  return { text, controls };
}

/** Whether the content begins with a UTF-16 byte order mark, as Windows programs write it. */
export const hasUtf16Bom = (bytes: Buffer): boolean => /^(?:fffe|feff)/.test(bytes.toString('hex', 0, 2));

const unlessBinary = (decoded: Decoded | null): string | null =>
  decoded !== null && decoded.controls <= decoded.text.length * MAX_CONTROL_SHARE ? decoded.text : null;

/** A text file as far as it can be judged without its reader. */
export interface TextContent {
  /** Null for a text whose encoding its reader finds out. */
  text: string | null;
}

/** The end of a file in DOS, of which programs write one or fill up with them. */
const END_OF_FILE = 0x1a;

export function withoutEndOfFile(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (bytes[end - 1] === END_OF_FILE) end -= 1;
  return bytes.subarray(0, end);
}

/** Windows writes keys of BitLocker with a zero behind the text. */
const withoutFinalZero = (bytes: Buffer): Buffer =>
  bytes.length % 2 === 0 && bytes.readUInt16LE(bytes.length - 2) === 0 ? bytes.subarray(0, -2) : bytes;

/** What a computer that lost its power, or a log that was emptied while it was written, has in place of text. */
const PADDING = Buffer.alloc(16);

/** Gaps of one file that are left out. A file with more of them is none that was a text. */
const MAX_GAPS = 1_000;

/** A text without long runs of NUL. */
export function withoutPadding(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  let width = 1;
  for (let at = bytes.indexOf(PADDING); at >= 0; at = bytes.indexOf(PADDING, from)) {
    if (pieces.length > MAX_GAPS) return bytes;
    if (pieces.length === 0) width = unitBytes(bytes, at);
    // Letters of UTF-16 and UTF-32 beside the gap have zeros of their own.
    pieces.push(bytes.subarray(from, Math.ceil(at / width) * width));
    from = at + PADDING.length;
    while (bytes[from] === 0) from += 1;
    from -= from % width;
  }
  return pieces.length === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(from)]);
}

/** Bytes of a unit of a text, by its mark or by what stands before a gap. */
function unitBytes(bytes: Buffer, gap: number): number {
  const encoding = markedEncoding(bytes) ?? unmarkedEncoding(bytes.subarray(0, gap)) ?? 'utf-8';
  return encoding === 'utf-8' ? 1 : encoding.startsWith('utf-32') ? 4 : 2;
}

/**
 * Decodes text in UTF-8, or in UTF-16 with a byte order mark, in slices. Text in other encodings is recognised by its
 * characters, or by its lack of control characters.
 * @returns null for binary content
 */
export async function decodeText(file: Buffer): Promise<TextContent | null> {
  const bytes = withoutPadding(withoutEndOfFile(file));
  const marked = markedEncoding(bytes);
  if (marked !== null && marked !== 'utf-8') {
    const text = marked.startsWith('utf-16') ? unlessBinary(await decode(withoutFinalZero(bytes), marked)) : null;
    if (text !== null) return { text };
    return canBeWide(bytes, marked) ? { text: null } : null;
  }
  if (unmarkedEncoding(bytes) !== null) return { text: null };
  if (isIso2022Kr(bytes)) return { text: null };
  if (isUtf8(bytes) && !isIso2022(bytes)) {
    const text = unlessBinary(await (isAscii(bytes) ? copyAscii(bytes) : decode(bytes, 'utf-8')));
    return text === null ? null : { text };
  }
  if (bytes.includes(0)) return null;
  return unlessBinary(await decode(bytes, 'windows-1252')) === null ? null : { text: null };
}

/** Whether a text is in ISO-2022-JP, all of whose bytes are ASCII: escapes change its characters. */
export const isIso2022 = (bytes: Buffer): boolean =>
  (bytes.includes('\x1b$B') || bytes.includes('\x1b$@')) && isAscii(bytes);

/** What a text in ISO-2022-KR has before its first letter. */
export const KOREAN = '\x1b$)C';

/** Whether a text is in ISO-2022-KR, all of whose bytes are ASCII: control characters shift to Korean and back. */
export const isIso2022Kr = (bytes: Buffer): boolean => bytes.includes(KOREAN) && isAscii(bytes) && !bytes.includes(0);

/** Colours and movements of a terminal. */
const ESCAPES = /(?!\s)\p{Cc}\[[\d;?]*[A-Za-z]/gu;

/** The text that a terminal shows, whose logs have its colours. */
export const withoutColours = (text: string): string => (text.includes('\u001b') ? text.replace(ESCAPES, '') : text);

/** Most line ends in a row. */
const MAX_LINE_ENDS = 3;

const normalised = (text: string): string =>
  withoutColours(text)
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '')
    .toWellFormed()
    .replace(/\n{4,}/g, '\n'.repeat(MAX_LINE_ENDS));

/** A text without blanks around it, but with the tabs of its first line: the row of a table may begin with empty cells. */
const withoutBlankEnds = (text: string): string => text.trimEnd().replace(/^(?:\s*\n)? */, '');

/** Normalises text for Postgres and models: no NUL, no lone surrogates, LF line ends, at most two empty lines in a row. */
export const cleanText = (text: string): string => withoutBlankEnds(normalised(text));

/** Gives the same as `cleanText`, in slices. */
export async function cleanTextInSlices(text: string): Promise<string> {
  const slices = new Slices();
  let clean = '';
  /** Line ends of the last piece: those of the next one may continue them. */
  let ends = '';
  for (const piece of textPieces(text)) {
    const given = ends + piece;
    const half = given.endsWith('\r') ? '\r' : '';
    const whole = normalised(given.slice(0, given.length - half.length));
    let count = 0;
    while (count < MAX_LINE_ENDS && whole.at(-1 - count) === '\n') count += 1;
    clean += whole.slice(0, whole.length - count);
    ends = '\n'.repeat(count) + half;
    await slices.pause();
  }
  return withoutBlankEnds(clean.concat(normalised(ends)));
}
