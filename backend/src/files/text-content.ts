/** Beyond this share of control characters it is no text that anybody typed. */
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

const isLittleMarked = (bytes: Uint8Array) => bytes[0] === 0xff && bytes[1] === 0xfe;

const isBigMarked = (bytes: Uint8Array) => bytes[0] === 0xfe && bytes[1] === 0xff;

/** Whether these bytes begin with the mark of UTF-16, as Windows programs write it. */
export const hasUtf16Mark = (bytes: Uint8Array): boolean => isLittleMarked(bytes) || isBigMarked(bytes);

const asTyped = (text: string | null): string | null =>
  text !== null && controlCharacters(text) <= text.length * MAX_CONTROL_SHARE ? text : null;

/**
 * The text that these bytes are, in UTF-8, in UTF-16 with its mark, or in the old Western encoding.
 * @returns null for binary content
 */
export function decodeText(bytes: Buffer): string | null {
  if (hasUtf16Mark(bytes)) return asTyped(decode(bytes, isLittleMarked(bytes) ? 'utf-16le' : 'utf-16be'));
  if (bytes.includes(0)) return null;
  const text = decode(bytes, 'utf-8');
  if (text !== null) return asTyped(text);
  const western = decode(bytes, 'windows-1252');
  return western !== null && controlCharacters(western) === 0 ? western : null;
}

/** What Postgres and models take: no NUL, no half of a surrogate pair; one kind of line end. */
export const cleanText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '')
    .toWellFormed()
    .replace(/\n{4,}/g, '\n\n\n')
    .trim();
