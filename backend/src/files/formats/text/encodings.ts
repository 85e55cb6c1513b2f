import '../../../platform/system/windows-1252.js';
import iconv from 'iconv-lite';

/** Names as people know them, where those for `decode` differ. */
const SHOWN: Record<string, string> = {
  shift_jis: 'Shift_JIS',
  ibm866: 'CP866',
  macintosh: 'Mac Roman',
  'x-mac-cyrillic': 'Mac Cyrillic',
  maccenteuro: 'Mac Central European',
  macgreek: 'Mac Greek',
  macturkish: 'Mac Turkish',
  big5: 'Big5',
};

/** Encodings by the numbers of code pages that are not `windows-N`. */
const CODE_PAGES: Record<number, string> = {
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  10000: 'macintosh',
  10001: 'shift_jis',
  10002: 'big5',
  10003: 'euc-kr',
  10006: 'macgreek',
  10007: 'x-mac-cyrillic',
  10008: 'gb18030',
  10029: 'maccenteuro',
  10081: 'macturkish',
  65001: 'utf-8',
};

/** Korean in ASCII, of old mails. Neither Node nor iconv-lite has it. */
export const ISO_2022_KR = 'iso-2022-kr';

/** An encoding as people know it: `Windows-1251`, `CP850`, `Mac Roman`. */
export const shownEncoding = (encoding: string): string =>
  SHOWN[encoding] ?? (encoding.startsWith('w') ? encoding.replace('w', 'W') : encoding.toUpperCase());

/** The name for `decode` of a declared encoding; null for an unknown one. */
export const encodingNamed = (label: string): string | null =>
  decoderOfNode(label)?.encoding ??
  (label.toLowerCase() === ISO_2022_KR ? ISO_2022_KR : iconv.encodingExists(label) ? label : null);

/** The name for `decode` of a code page of Windows, DOS or Macintosh; Windows-1252 for an unknown one. */
export function encodingOfCodePage(number: number): string {
  const names = [CODE_PAGES[number] ?? `windows-${number}`, `cp${number}`];
  return names.map(encodingNamed).find((name) => name !== null) ?? 'windows-1252';
}

/** Node's decoder; null for an encoding that Node does not have. */
export function decoderOfNode(encoding: string, options?: { fatal: boolean }): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(encoding, options);
  } catch {
    return null;
  }
}

/** Decodes a text. Bytes that the encoding does not have give U+FFFD. @param encoding Node's name, or that of iconv-lite */
export const decode = (bytes: Uint8Array, encoding: string): string =>
  encoding === ISO_2022_KR
    ? decode(unshifted(bytes), 'euc-kr')
    : (decoderOfNode(encoding)?.decode(bytes) ??
      iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), encoding));

const [SHIFT_OUT, SHIFT_IN] = [0x0e, 0x0f];

/** A text of ISO-2022-KR as EUC-KR, whose letters have the high bit in place of a shift before and behind them. */
function unshifted(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length);
  let length = 0;
  let high = 0;
  for (const byte of bytes) {
    if (byte === SHIFT_OUT) high = 0x80;
    else if (byte === SHIFT_IN) high = 0;
    // Blanks and line ends are no letters.
    else result[length++] = byte > 0x20 ? byte | high : byte;
  }
  return result.subarray(0, length);
}
