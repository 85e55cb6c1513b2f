/** Content with a larger share of control characters is binary. */
const MAX_CONTROL_SHARE = 0.01;

const isControl = (code: number) => code < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(code);

function controlCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at))) count += 1;
  return count;
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const hasLittleEndianBom = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === 0xfe;

const hasBigEndianBom = (bytes: Uint8Array) => bytes[0] === 0xfe && bytes[1] === 0xff;

/** Whether the content begins with a UTF-16 byte order mark, as Windows programs write it. */
export const hasUtf16Bom = (bytes: Uint8Array): boolean => hasLittleEndianBom(bytes) || hasBigEndianBom(bytes);

const unlessBinary = (text: string | null): string | null =>
  text !== null && controlCharacters(text) <= text.length * MAX_CONTROL_SHARE ? text : null;

/**
 * Decodes text in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252.
 * @returns null for binary content
 */
export function decodeText(bytes: Buffer): string | null {
  if (hasUtf16Bom(bytes)) return unlessBinary(decode(bytes, hasLittleEndianBom(bytes) ? 'utf-16le' : 'utf-16be'));
  if (bytes.includes(0)) return null;
  const text = decode(bytes, 'utf-8');
  if (text !== null) return unlessBinary(text);
  const windows1252 = decode(bytes, 'windows-1252');
  return windows1252 !== null && controlCharacters(windows1252) === 0 ? windows1252 : null;
}

/** Normalises text for Postgres and models: no NUL, no lone surrogates, LF line ends, at most two empty lines in a row. */
export const cleanText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '')
    .toWellFormed()
    .replace(/\n{4,}/g, '\n\n\n')
    .trim();
