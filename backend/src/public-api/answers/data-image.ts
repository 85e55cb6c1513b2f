import { IMAGE_DETAILS, type ImageDetail } from '@tanya/contract';
import { invalidField } from '../../platform/errors/app-error.js';
import { inSlices, type Slices, textPieces } from '../../platform/system/slices.js';
import { pictureAddress } from './remote-pictures.js';

/** The types that models read, by the names that clients give them. */
const TYPES: Record<string, string> = {
  'image/png': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/gif': 'image/gif',
  'image/webp': 'image/webp',
};

/** A type, its parameters and the encoding. */
const HEAD = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w.+-]+=[^;,]*)*;base64$/i;

const BASE64 = /^[A-Za-z0-9+/=]+$/;

/** Characters of the part before the content. */
const MAX_HEAD = 200;

/**
 * A data URL of a PNG, JPEG, GIF or WebP image in its usual form: `image/jpg` becomes `image/jpeg`, upper case becomes
 * lower case, and parameters are dropped. A picture of 23 MB is looked at in slices: it would hold the event loop for 50 ms.
 * @returns null for any other value
 */
export async function imageDataUrl(url: unknown, slices: Slices): Promise<string | null> {
  if (typeof url !== 'string') return null;
  const comma = url.slice(0, MAX_HEAD).indexOf(',');
  const declared = HEAD.exec(url.slice(0, Math.max(comma, 0)))?.[1];
  const type = declared === undefined ? undefined : TYPES[declared.toLowerCase()];
  if (type === undefined) return null;
  const given = url.slice(comma + 1);
  const content = await base64In(given, slices);
  if (content === null) return null;
  const usual = `data:${type};base64,`;
  // A copy of a large image would take as much memory again.
  return url.startsWith(usual) && comma === usual.length - 1 && content === given ? url : usual + content;
}

/** The base64 of a text, without line ends. @returns null for another text, or an empty one */
export async function base64In(text: string, slices: Slices): Promise<string | null> {
  const pieces: string[] = [];
  let length = 0;
  for await (const piece of inSlices(base64Pieces(text), slices)) {
    if (piece !== '' && !BASE64.test(piece)) return null;
    pieces.push(piece);
    length += piece.length;
  }
  return (length === text.length ? text : pieces.join('')) || null;
}

export const IMAGE_RULE = 'Images must be https addresses or data URLs of PNG, JPEG, GIF or WebP files';

/**
 * The image of a request: a data URL as `imageDataUrl` makes it, or an https address that is fetched later.
 * @returns null for any other value @throws AppError `invalid` for an address that is not fetched
 */
export const imageUrl = async (url: unknown, param: string, slices: Slices): Promise<string | null> =>
  pictureAddress(url, param) ?? (await imageDataUrl(url, slices));

/** @returns undefined for null and an empty text @throws AppError `invalid` naming the field */
export function imageDetail(detail: unknown, param: string): ImageDetail | undefined {
  if (detail === undefined || detail === null || detail === '') return undefined;
  const known = IMAGE_DETAILS.find((one) => one === detail);
  if (known === undefined) throw invalidField(param, `detail must be ${IMAGE_DETAILS.join(', ')}`);
  return known;
}

const LINE_ENDS = /[\r\n]+[ \t]*/g;
const ENDS_LINE = /[\r\n][ \t]*$/;
const INDENTATION = /^[ \t]+/;

/**
 * Pieces of a text that is base64, without the line ends that the command `base64`, Python and mail programs write, and without
 * the blanks behind them.
 */
export function* base64Pieces(text: string): Generator<string> {
  let isLineStart = false;
  for (const piece of textPieces(text)) {
    const rest: string = isLineStart ? piece.replace(INDENTATION, '') : piece;
    isLineStart = rest === '' || ENDS_LINE.test(rest);
    yield rest.replace(LINE_ENDS, '');
  }
}
