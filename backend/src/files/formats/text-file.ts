import { isUtf8 } from 'node:buffer';
import { chardet } from 'jschardet';
import { controlCharacters, isIso2022 } from '../inspection/text-content.js';
import { ExtractionError, type SectionCollector } from './sections.js';

/** Encodings that are looked for, those of the detector that Node decodes, with Node's name. */
const ENCODINGS: Record<string, string> = {
  cp932: 'shift_jis',
  shift_jis: 'shift_jis',
  'euc-jp': 'euc-jp',
  'iso-2022-jp': 'iso-2022-jp',
  gb18030: 'gb18030',
  big5: 'big5',
  big5hkscs: 'big5',
  cp949: 'euc-kr',
  'euc-kr': 'euc-kr',
  'iso-8859-2': 'iso-8859-2',
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  'windows-1252': 'windows-1252',
  'windows-1253': 'windows-1253',
  'windows-1254': 'windows-1254',
  'windows-1255': 'windows-1255',
  'windows-1256': 'windows-1256',
  'windows-1257': 'windows-1257',
  'windows-1258': 'windows-1258',
  cp874: 'windows-874',
  'tis-620': 'windows-874',
  'koi8-r': 'koi8-r',
  'koi8-u': 'koi8-u',
  ibm866: 'ibm866',
  macroman: 'macintosh',
};

/** Names as people know them, where Node's differ. */
const SHOWN: Record<string, string> = {
  shift_jis: 'Shift_JIS',
  'iso-8859-2': 'ISO-8859-2',
  'euc-jp': 'EUC-JP',
  'iso-2022-jp': 'ISO-2022-JP',
  gb18030: 'GB18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
  'koi8-r': 'KOI8-R',
  'koi8-u': 'KOI8-U',
  ibm866: 'IBM866',
  macintosh: 'Mac Roman',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
};

/** Encodings that are named where they give the same letters as the found one. */
const COMMON = ['windows-1252', 'koi8-r'];

/** Encodings of scripts whose letters never stand beside those of ASCII in one word, in one byte each. */
const OTHER_SCRIPTS = [
  'windows-1251',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'koi8-r',
  'koi8-u',
  'ibm866',
];

/** Share of the words with letters outside of ASCII that have letters of ASCII too, from which the script is Latin. */
const LATIN_SHARE = 0.6;

/** Bytes that the detector gets: the lines of a text with letters outside of ASCII. */
const EVIDENCE_BYTES = 64 * 1024;

/** Valid sequences of UTF-8 for each bad byte, from which a text is UTF-8 that was damaged. */
const VALID_FOR_BAD = 2;

const MAX_CONTROL_SHARE = 0.01;

/** A text file in any encoding, decoded. */
export interface DecodedText {
  text: string;
  /** The name of an encoding that was guessed; null for UTF-8 and texts with a mark. */
  guessed: string | null;
}

/** Reads a text file as it is. */
export function readTextFile(bytes: Buffer, out: SectionCollector): void {
  const decoded = decodeAnyText(bytes);
  if (decoded === null) throw new ExtractionError('unknown');
  addText(decoded, out);
}

/** Adds a text, with the encoding that was guessed for it. */
export function addText({ text, guessed }: DecodedText, out: SectionCollector): void {
  if (guessed !== null) out.facts.encoding = guessed;
  out.add(text);
}

/** Decodes a text by its mark, as UTF-8, or by its letters. @returns null for binary content */
export function decodeAnyText(bytes: Buffer): DecodedText | null {
  const marked = markOf(bytes);
  if (marked !== null) return unlessBinary({ text: decode(bytes, marked), guessed: null });
  const wide = unmarkedUtf16(bytes);
  if (wide !== null) return unlessBinary({ text: decode(bytes, wide), guessed: SHOWN[wide]! });
  if (bytes.includes(0)) return null;
  if (isUtf8(bytes) && !isIso2022(bytes)) return { text: decode(bytes, 'utf-8'), guessed: null };
  const mixed = lineByLine(bytes);
  if (mixed !== null) return unlessBinary(mixed);
  if (isDamagedUtf8(bytes)) return unlessBinary({ text: decode(bytes, 'utf-8'), guessed: null });
  const encoding = guessEncoding(bytes);
  return unlessBinary({ text: decode(bytes, encoding), guessed: shownName(encoding) });
}

const shownName = (encoding: string): string => SHOWN[encoding] ?? encoding.replace(/^w/, 'W');

/** A text of which some lines are UTF-8, and others are not, as programs that append to a file leave it; null for others. */
function lineByLine(bytes: Buffer): DecodedText | null {
  let special = 0;
  const others: Buffer[] = [];
  for (const line of linesOf(bytes)) {
    if (!line.some((byte) => byte > 0x7f)) continue;
    special += 1;
    if (isUtf8(line)) continue;
    // A line of UTF-8 in which single bytes are bad is damaged.
    if (isDamagedUtf8(line)) return null;
    others.push(line);
  }
  if (others.length === 0 || others.length > special / 2) return null;
  const encoding = guessEncoding(Buffer.concat(others));
  let text = '';
  for (const line of linesOf(bytes)) text += decode(line, isUtf8(line) ? 'utf-8' : encoding);
  return { text, guessed: shownName(encoding) };
}

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at);
    const next = end < 0 ? bytes.length : end + 1;
    yield bytes.subarray(at, next);
    at = next;
  }
}

const decode = (bytes: Uint8Array, encoding: string): string => new TextDecoder(encoding).decode(bytes);

function unlessBinary(decoded: DecodedText): DecodedText | null {
  return controlCharacters(decoded.text) > decoded.text.length * MAX_CONTROL_SHARE ? null : decoded;
}

function markOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : null;
}

/** UTF-16 without a mark: line ends and spaces have their zeros on one side alone. */
function unmarkedUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes.length % 2 !== 0 || !bytes.includes(0)) return null;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < bytes.length; at += 2) {
    if (bytes[at] === 0) even += 1;
    if (bytes[at + 1] === 0) odd += 1;
  }
  if (even > 0 && odd > 0) return null;
  const encoding = even === 0 ? 'utf-16le' : 'utf-16be';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return /[\p{Cn}\p{Co}]/u.test(text) ? null : encoding;
  } catch {
    return null;
  }
}

/** Whether a text is UTF-8 with single bad bytes: in other encodings, sequences that are valid by chance are rare. */
function isDamagedUtf8(bytes: Buffer): boolean {
  let valid = 0;
  let bad = 0;
  for (const character of bytes.toString('utf8')) {
    if (character === '\ufffd') bad += 1;
    else if (character > '\x7f') valid += 1;
  }
  return bad > 0 && valid >= VALID_FOR_BAD * bad;
}

/** The most likely encoding, as Node names it. */
export function guessEncoding(bytes: Buffer): string {
  const evidence = evidenceOf(bytes);
  const isLatin = hasLatinWords(evidence);
  const found = chardet
    .detectAll(evidence, { includeEncodings: Object.keys(ENCODINGS), noMatchEncoding: 'windows-1252' })
    .map(({ encoding }) => ENCODINGS[encoding?.toLowerCase() ?? ''])
    .filter((encoding) => encoding !== undefined && !(isLatin && OTHER_SCRIPTS.includes(encoding)))
    .find((encoding) => isComplete(evidence, encoding!));
  if (found === undefined) return 'windows-1252';
  const text = decode(evidence, found);
  return COMMON.find((encoding) => decode(evidence, encoding) === text) ?? found;
}

/** Whether most words with letters outside of ASCII have some of ASCII too. */
function hasLatinWords(bytes: Buffer): boolean {
  const all = bytes.toString('latin1').match(/[a-z\x80-\xff]+/gi) ?? [];
  const words = all.filter((word) => /[\x80-\xff]/.test(word));
  const mixed = words.filter((word) => /[a-z]/i.test(word));
  return words.length > 0 && mixed.length >= words.length * LATIN_SHARE;
}

function isComplete(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The lines, or pieces of long ones, that have letters outside of ASCII, or escapes. */
function evidenceOf(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < bytes.length && size < EVIDENCE_BYTES;) {
    const end = bytes.indexOf(0x0a, at);
    const next = Math.min(end < 0 ? bytes.length : end + 1, at + EVIDENCE_BYTES);
    const line = bytes.subarray(at, next);
    if (line.some((byte) => byte > 0x7f || byte === 0x1b)) {
      lines.push(line);
      size += line.length;
    }
    at = next;
  }
  return Buffer.concat(lines);
}
