import { isUtf8 } from 'node:buffer';
import {
  controlCharacters,
  isIso2022,
  isIso2022Kr,
  KOREAN,
  withoutEndOfFile,
  withoutPadding,
} from '../../inspection/text-content.js';
import { markedEncoding, unmarkedEncoding } from '../../inspection/wide-text.js';
import { ExtractionError, type SectionCollector } from '../sections.js';
import { withoutData } from './embedded-data.js';
import { decode, encodingNamed, ISO_2022_KR, shownEncoding } from './encodings.js';
import { withWholeLines } from './folded-lines.js';
import { guessEncoding } from './guess-encoding.js';

/** Valid sequences of UTF-8 for each bad byte, from which a text is UTF-8 that was damaged. */
const VALID_FOR_BAD = 2;

const MAX_CONTROL_SHARE = 0.01;

/** A text file in any encoding, decoded. */
export interface DecodedText {
  text: string;
  /** The name of an encoding that was guessed; null for UTF-8 and texts with a mark. */
  guessed: string | null;
}

export function readTextFile(bytes: Buffer, out: SectionCollector): void {
  const decoded = decodeAnyText(withWholeLines(bytes));
  if (decoded === null) throw new ExtractionError('unknown');
  addText(decoded, out);
}

/** Adds a text, with the encoding that was guessed for it. */
export function addText({ text, guessed }: DecodedText, out: SectionCollector): void {
  if (guessed !== null) out.facts.encoding = guessed;
  for (const piece of withoutData(text)) out.add(piece);
}

/** Decodes a text by its mark, as UTF-8, or by its letters. @returns null for binary content */
export function decodeAnyText(file: Buffer): DecodedText | null {
  const bytes = withoutPadding(withoutEndOfFile(file));
  const marked = markedEncoding(bytes);
  if (marked !== null) return unlessBinary({ text: decode(bytes, marked), guessed: null });
  const unmarked = unmarkedEncoding(bytes);
  if (unmarked !== null)
    return unlessBinary({ text: decode(bytes, unmarked), guessed: unmarked.slice(0, 'utf-16'.length).toUpperCase() });
  if (isIso2022Kr(bytes)) {
    const text = decode(bytes, ISO_2022_KR).replace(KOREAN, '');
    return unlessBinary({ text, guessed: shownEncoding(ISO_2022_KR) });
  }
  if (isUtf8(bytes) && !isIso2022(bytes)) return unlessBinary({ text: decode(bytes, 'utf-8'), guessed: null });
  if (bytes.includes(0)) return null;
  const declared = declaredText(bytes);
  if (declared !== null) return declared;
  const mixed = lineByLine(bytes);
  if (mixed !== null) return unlessBinary(mixed);
  if (isDamagedUtf8(bytes)) return unlessBinary({ text: decode(bytes, 'utf-8'), guessed: null });
  const encoding = guessEncoding(bytes);
  return unlessBinary({ text: decode(bytes, encoding), guessed: shownEncoding(encoding) });
}

/** Bytes in which a text says its encoding. */
const HEAD_BYTES = 1024;

/** How XML, pages, style sheets and source code say their encoding. */
const DECLARATIONS: readonly RegExp[] = [
  /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i,
  /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]+)/i,
  /^@charset "([\w.:-]+)"/i,
  /^(?:#[^\n]*\n)?[ \t]*(?:#|;|\/\/|\/\*)[^\n]*coding[:=][ \t]*([\w.-]+)/,
];

/** A text in the encoding that it says; null for one that says none, or another one than it is in. */
function declaredText(bytes: Buffer): DecodedText | null {
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  const name = DECLARATIONS.map((pattern) => pattern.exec(head)?.[1]).find((found) => found !== undefined);
  const encoding = name === undefined ? null : encodingNamed(name);
  if (encoding === null) return null;
  const text = decode(bytes, encoding);
  return text.includes('\ufffd') ? null : unlessBinary({ text, guessed: null });
}

/** A text of which some lines are UTF-8, and others are not, as programs that append to a file leave it; null for others. */
function lineByLine(bytes: Buffer): DecodedText | null {
  let special = 0;
  let count = 0;
  for (const line of linesOf(bytes)) {
    if (!line.some((byte) => byte > 0x7f)) continue;
    special += 1;
    if (isUtf8(line)) continue;
    // A line of UTF-8 in which single bytes are bad is damaged.
    if (isDamagedUtf8(line)) return null;
    count += 1;
  }
  if (count === 0 || count > special / 2) return null;
  const encoding = guessEncoding(Buffer.concat([...linesOf(bytes)].filter((line) => !isUtf8(line))));
  let text = '';
  for (const line of linesOf(bytes)) text += decode(line, isUtf8(line) ? 'utf-8' : encoding);
  return { text, guessed: shownEncoding(encoding) };
}

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at);
    const next = end < 0 ? bytes.length : end + 1;
    yield bytes.subarray(at, next);
    at = next;
  }
}

function unlessBinary(decoded: DecodedText): DecodedText | null {
  return controlCharacters(decoded.text) > decoded.text.length * MAX_CONTROL_SHARE ? null : decoded;
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
