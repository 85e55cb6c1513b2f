import { decode, encodingNamed } from './encodings.js';

/** Bytes in which a list of contacts or a calendar says what it is. */
const HEAD_BYTES = 256;

const HEAD = /^(?:ï»¿)?\s*BEGIN:(?:VCARD|VCALENDAR)\s/i;

/** Lines of one property: those of a photo. */
const MAX_PIECES = 50_000;

/** Parameters of a property whose value is quoted, as phones export contacts: `N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE`. */
const QUOTED = /;(?:ENCODING=)?QUOTED-PRINTABLE(?=[;:])/i;
const CHARSET = /;CHARSET=([\w-]+)(?=[;:])/i;

/**
 * Contacts (vCard) and calendars (iCalendar) with each property in one line, as it is shown: files fold long lines, some
 * inside of a letter, and quote those that are not in ASCII. Other texts as they are.
 */
export function withWholeLines(bytes: Buffer): Buffer {
  if (!HEAD.test(bytes.toString('latin1', 0, HEAD_BYTES))) return bytes;
  const whole: string[] = [];
  let pieces: string[] = [];
  let isQuoted = false;
  const endProperty = () => {
    const line = pieces.join('');
    if (line !== '') whole.push(isQuoted ? unquoted(line) : line);
    pieces = [];
  };
  for (const line of linesOf(bytes.toString('latin1'))) {
    const last = pieces.length < MAX_PIECES ? pieces.at(-1) : undefined;
    if (isQuoted && last?.endsWith('=')) pieces.splice(-1, 1, last.slice(0, -1), line);
    else if (last !== undefined && /^[ \t]/.test(line)) pieces.push(line.slice(1));
    else {
      endProperty();
      pieces.push(line);
      isQuoted = QUOTED.test(nameOf(line));
    }
  }
  endProperty();
  return Buffer.from(whole.join('\n'), 'latin1');
}

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    yield text.slice(at, text[end - 1] === '\r' ? end - 1 : end);
    at = end + 1;
  }
}

const nameOf = (line: string): string => line.slice(0, line.indexOf(':') + 1);

/** A line with its value in UTF-8, each byte as a character. */
function unquoted(line: string): string {
  const name = nameOf(line);
  const value = line
    .slice(name.length)
    .replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const encoding = encodingNamed(CHARSET.exec(name)?.[1] ?? 'utf-8') ?? 'utf-8';
  const text = decode(Buffer.from(value, 'latin1'), encoding);
  // A value in lines of its own has them behind its name.
  const shown = text.replace(/\r?\n/g, '\n ');
  return name.replace(QUOTED, '').replace(CHARSET, '') + Buffer.from(shown).toString('latin1');
}
