import { isUtf8 } from 'node:buffer';
import { Slices } from '../../platform/system/slices.js';

/** Content with a larger share of control characters is binary. */
const MAX_CONTROL_SHARE = 0.01;

const isControl = (code: number) => code < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(code);

function controlCharacters(text: string): number {
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

const hasLittleEndianBom = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === 0xfe;

const hasBigEndianBom = (bytes: Uint8Array) => bytes[0] === 0xfe && bytes[1] === 0xff;

/** Whether the content begins with a UTF-16 byte order mark, as Windows programs write it. */
export const hasUtf16Bom = (bytes: Uint8Array): boolean => hasLittleEndianBom(bytes) || hasBigEndianBom(bytes);

const unlessBinary = (decoded: Decoded | null): string | null =>
  decoded !== null && decoded.controls <= decoded.text.length * MAX_CONTROL_SHARE ? decoded.text : null;

/**
 * Decodes text in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252, in slices.
 * @returns null for binary content
 */
export async function decodeText(bytes: Buffer): Promise<string | null> {
  if (hasUtf16Bom(bytes)) {
    return unlessBinary(await decode(bytes, hasLittleEndianBom(bytes) ? 'utf-16le' : 'utf-16be'));
  }
  if (bytes.includes(0)) return null;
  if (isUtf8(bytes)) return unlessBinary(await decode(bytes, 'utf-8'));
  const windows1252 = await decode(bytes, 'windows-1252');
  return windows1252?.controls === 0 ? windows1252.text : null;
}

/** Normalises text for Postgres and models: no NUL, no lone surrogates, LF line ends, at most two empty lines in a row. */
export const cleanText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '')
    .toWellFormed()
    .replace(/\n{4,}/g, '\n\n\n')
    .trim();
