import { chardet } from 'jschardet';
import { decode, decoderOfNode } from './encodings.js';

/**
 * Encodings that are looked for: the detector's name, and the name for `decode`, which is Node's or, for code pages of DOS
 * and Macintosh, that of iconv-lite.
 */
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
  'iso-8859-2': 'iso-8859-2',
  'iso-8859-5': 'iso-8859-5',
  'iso-8859-6': 'iso-8859-6',
  'iso-8859-7': 'iso-8859-7',
  'iso-8859-8': 'iso-8859-8',
  'iso8859-15': 'iso-8859-15',
  cp437: 'cp437',
  cp737: 'cp737',
  cp775: 'cp775',
  cp850: 'cp850',
  cp852: 'cp852',
  ibm855: 'cp855',
  cp857: 'cp857',
  cp860: 'cp860',
  cp862: 'cp862',
  cp865: 'cp865',
  ibm866: 'ibm866',
  cp1125: 'cp1125',
  macroman: 'macintosh',
  maccyrillic: 'x-mac-cyrillic',
  maclatin2: 'maccenteuro',
  macgreek: 'macgreek',
  macturkish: 'macturkish',
};

/** Encodings that are named where they give the same letters as the found one. */
const COMMON = ['windows-1252', 'windows-1251', 'koi8-r', 'cp850', 'ibm866'];

/** Encodings of scripts whose letters never stand beside those of ASCII in one word, in one byte each. */
const OTHER_SCRIPTS = new Set([
  'windows-1251',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-874',
  'koi8-r',
  'koi8-u',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'cp737',
  'cp855',
  'cp862',
  'ibm866',
  'cp1125',
  'x-mac-cyrillic',
  'macgreek',
]);

/** Share of the words with letters outside of ASCII that have letters of ASCII too, from which the script is Latin. */
const LATIN_SHARE = 0.6;

/** Encodings in which a letter has two bytes, of which the second one may be in ASCII. */
const EAST_ASIAN = new Set(['shift_jis', 'euc-jp', 'iso-2022-jp', 'gb18030', 'big5', 'euc-kr']);

/** What words do not have, but those that are read in a wrong encoding. */
const ODD: readonly RegExp[] = [
  // A sign inside of a word, or a capital letter that ASCII does not have: `M¸ller`, `lÞve`.
  /\p{L}[\p{Sk}\p{Sm}\p{So}\p{Sc}\p{No}\u02c6\u02dc]\p{Ll}/gu,
  /\p{Ll}(?![A-Z])\p{Lu}\p{Ll}/gu,
  // Letters of two scripts, as in `lТйtй`, and the superscript of CP437, as in `Menⁿ`.
  /[a-z][\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\u207f]/giu,
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\u207f][a-z]/giu,
  // A shade beside a letter or a digit: `20 ░C`.
  /[\u2591-\u2593][\p{L}\p{N}]/gu,
];
const BETWEEN_WORDS = /[\s,;]+/;
const FOREIGN = /[\u0080-\u{10ffff}]/u;

/** Share of the words with letters outside of ASCII that may be odd. */
const ODD_SHARE = 0.2;

/** Bytes that the detector gets: the lines of a text with letters outside of ASCII. */
const EVIDENCE_BYTES = 64 * 1024;

/** The most likely encoding of a text that is not in Unicode, as a name for `decode`. */
export function guessEncoding(bytes: Buffer): string {
  const evidence = evidenceOf(bytes);
  const isLatin = hasLatinWords(evidence);
  const likely = chardet
    .detectAll(evidence, { includeEncodings: Object.keys(ENCODINGS), noMatchEncoding: 'windows-1252' })
    .map(({ encoding }) => ENCODINGS[encoding?.toLowerCase() ?? ''])
    .filter((encoding) => encoding !== undefined && !(isLatin && OTHER_SCRIPTS.has(encoding))) as string[];
  const found = likely.find((encoding) => isComplete(evidence, encoding) && !isOdd(decode(evidence, encoding)));
  if (!EAST_ASIAN.has(likely[0] ?? '') && isLatin9(evidence, isLatin, found)) return 'iso-8859-15';
  if (found === undefined) return likely.find((encoding) => isComplete(evidence, encoding)) ?? 'windows-1252';
  const text = decode(evidence, found);
  return COMMON.find((encoding) => decode(evidence, encoding) === text) ?? found;
}

/** Bytes that are letters and signs in Windows-1252, and controls in ISO-8859. */
const CONTROLS = /[\x80-\x9f]/;

/** The euro and the ligature of ISO-8859-15 as the older ISO-8859-1 shows them: `5 ¤`, `c½ur`. */
const OLD_EURO = /\d[\s\xa0]?¤(?![@-~\x80-\xff])|(?<![@-~\x80-\xff])¤[\s\xa0]?\d/;
const OLD_LIGATURE = /[a-z]½[a-z]/i;

/** What is no letter of ASCII, no euro and no blank. */
const OTHER_LETTER = /[\x80-\x9f\xa1-\xa3\xa5-\xff]/;

/** Whether a text in a Latin script has letters that only ISO-8859-15 gives a sense. Short texts say no more. */
function isLatin9(bytes: Buffer, isLatin: boolean, found: string | undefined): boolean {
  const text = bytes.toString('latin1');
  if (CONTROLS.test(text)) return false;
  if (isLatin && OLD_LIGATURE.test(text)) return true;
  return (isLatin || found === 'windows-1252' || !OTHER_LETTER.test(text)) && OLD_EURO.test(text);
}

function isOdd(text: string): boolean {
  const words = text.split(BETWEEN_WORDS).filter((word) => FOREIGN.test(word)).length;
  const odd = ODD.reduce((count, pattern) => count + (text.match(pattern)?.length ?? 0), 0);
  return odd > 0 && odd >= words * ODD_SHARE;
}

/** Whether most words with letters outside of ASCII have some of ASCII too. A sign that stands alone is no word. */
function hasLatinWords(bytes: Buffer): boolean {
  const all = bytes.toString('latin1').match(/[a-z\x80-\xff]{2,}/gi) ?? [];
  const words = all.filter((word) => /[\x80-\xff]/.test(word));
  const mixed = words.filter((word) => /[a-z]/i.test(word));
  return words.length > 0 && mixed.length >= words.length * LATIN_SHARE;
}

function isComplete(bytes: Buffer, encoding: string): boolean {
  const decoder = decoderOfNode(encoding, { fatal: true });
  if (decoder === null) return !decode(bytes, encoding).includes('\ufffd');
  try {
    decoder.decode(bytes, { stream: true });
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
