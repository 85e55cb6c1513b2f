import { isUtf8 } from 'node:buffer';
import { decode, encodingNamed } from './encodings.js';

/** Bytes in which a list of contacts or a calendar says what it is. */
const HEAD_BYTES = 256;

const HEAD = /^(?:ï»¿)?\s*BEGIN:(?:VCARD|VCALENDAR)\s/i;

/** Bytes in which the name of a property stands, with its parameters. */
const NAME_BYTES = 1_000;

/** Parameters of a property whose value is quoted, as phones export contacts: `N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE`. */
const QUOTED = /;(?:ENCODING=)?QUOTED-PRINTABLE(?=[;:])/i;
const CHARSET = /;CHARSET=([\w-]+)(?=[;:])/i;

/** A byte of a quoted value. */
const DIGITS = /^[\da-f]{2}$/i;

/** Bytes of UTF-8 for each byte of another encoding, at most. */
const MOST_GROWTH = 3;

const [TAB, LF, CR, SPACE, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d];

/**
 * Contacts (vCard) and calendars (iCalendar) with each property in one line, as it is shown: files fold long lines, some
 * inside of a letter, and quote those that are not in ASCII. Other texts as they are. Works on bytes alone: a file may have
 * millions of lines, and of quoted letters.
 */
export function withWholeLines(bytes: Buffer): Buffer {
  if (!HEAD.test(bytes.toString('latin1', 0, HEAD_BYTES))) return bytes;
  const whole = Buffer.allocUnsafeSlow(MOST_GROWTH * bytes.length + 1);
  let length = 0;
  let start = 0;
  let name = '';
  let isQuoted = false;
  const endProperty = () => {
    if (isQuoted) length = unquote(whole, { start, end: length }, name);
    if (length > start) length += whole.write('\n', length);
    start = length;
  };
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(LF, at);
    const next = found < 0 ? bytes.length : found + 1;
    const last = found < 0 ? next : found;
    const end = bytes[last - 1] === CR ? last - 1 : last;
    const isOpen = length > start;
    if (isOpen && whole[length - 1] === EQUALS && isQuoted) length -= 1;
    else if (isOpen && (bytes[at] === SPACE || bytes[at] === TAB)) at += 1;
    else {
      endProperty();
      const head = bytes.toString('latin1', at, Math.min(end, at + NAME_BYTES));
      name = head.slice(0, head.indexOf(':') + 1);
      isQuoted = QUOTED.test(name);
    }
    length += bytes.copy(whole, length, at, end);
    at = next;
  }
  endProperty();
  return whole.subarray(0, Math.max(0, length - 1));
}

/** Writes a property in place with its value in UTF-8. @returns where it ends then */
function unquote(whole: Buffer, { start, end }: { start: number; end: number }, name: string): number {
  const from = start + name.length;
  let to = from;
  for (let at = from; at < end; at++) {
    let byte = whole[at]!;
    const digits = byte === EQUALS ? whole.toString('latin1', at + 1, Math.min(at + 3, end)) : '';
    if (DIGITS.test(digits)) {
      byte = Number.parseInt(digits, 16);
      at += 2;
    }
    // A value in lines of its own has them behind its name.
    if (byte === LF && whole[to - 1] === CR) to -= 1;
    whole[to++] = byte;
    if (byte === LF) whole[to++] = SPACE;
  }
  const value = whole.subarray(from, to);
  const encoding = encodingNamed(CHARSET.exec(name)?.[1] ?? 'utf-8') ?? 'utf-8';
  const text = encoding === 'utf-8' && isUtf8(value) ? null : decode(value, encoding);
  const shown = whole.write(name.replace(QUOTED, '').replace(CHARSET, ''), start, 'latin1') + start;
  if (text !== null) return shown + whole.write(text, shown);
  whole.copyWithin(shown, from, to);
  return shown + to - from;
}
