import { AppError } from '../../platform/errors/app-error.js';
import { inSlices, textPieces } from '../../platform/system/slices.js';

/**
 * Recorders of browsers write blanks, and before base64 a list of codecs with a comma. No text fits in two ways: time stays
 * linear.
 */
const DATA_URL =
  /^data:([\w.+-]+\/[\w.+-]+)? *((?:; *(?:codecs=(?:"[^"]*" *|[\w.+%' -]*(?:,[\w.,+%' -]*(?=; *base64))?)|(?!codecs=)[\w-]+=(?:"[^"]*" *|(?!")[^;,]*)))*)(; *base64 *)?,/i;

/** Characters before the comma of a data URL. */
const MAX_HEAD = 1_000;

const PERCENT = 0x25;

export const isDataUrl = (text: string): boolean => /^data:/i.test(text);

const malformed = (): AppError => new AppError('invalid', { reason: 'data_url' });

/** @throws AppError `invalid` */
export async function parseDataUrl(text: string): Promise<{ type: string; bytes: Buffer }> {
  const match = DATA_URL.exec(text.slice(0, MAX_HEAD));
  if (match === null) throw malformed();
  const [head, type = '', , base64] = match;
  const payload = text.slice(head.length);
  const bytes = base64 === undefined ? await percentDecoded(payload) : Buffer.from(payload, 'base64');
  return { type: type.toLowerCase(), bytes };
}

/** The bytes of a text with escapes, decoded in several turns of the event loop. */
async function percentDecoded(text: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let rest = '';
  for await (const piece of inSlices(textPieces(text))) {
    const given = rest + piece;
    const cutEscape = given.indexOf('%', Math.max(0, given.length - 2));
    const end = cutEscape < 0 ? given.length : cutEscape;
    pieces.push(withoutEscapes(Buffer.from(given.slice(0, end))));
    rest = given.slice(end);
  }
  if (rest !== '') throw malformed();
  return Buffer.concat(pieces);
}

/** Decodes the escapes in place. @returns the part of the bytes that holds the result */
function withoutEscapes(bytes: Buffer): Buffer {
  let to = bytes.indexOf(PERCENT);
  if (to < 0) return bytes;
  for (let from = to; from < bytes.length; to += 1) {
    if (bytes[from] === PERCENT) {
      bytes[to] = 16 * digitOf(bytes[from + 1]) + digitOf(bytes[from + 2]);
      from += 3;
    } else {
      bytes[to] = bytes[from]!;
      from += 1;
    }
  }
  return bytes.subarray(0, to);
}

function digitOf(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  if (letter >= 0x61 && letter <= 0x66) return letter - 0x57;
  throw malformed();
}
