import { IMAGE_DETAILS, type ImageDetail } from '@tanya/contract';
import { invalidField } from '../../platform/errors/app-error.js';

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
 * lower case, and parameters are dropped.
 * @returns null for any other value
 */
export function imageDataUrl(url: unknown): string | null {
  if (typeof url !== 'string') return null;
  const comma = url.slice(0, MAX_HEAD).indexOf(',');
  const declared = HEAD.exec(url.slice(0, Math.max(comma, 0)))?.[1];
  const type = declared === undefined ? undefined : TYPES[declared.toLowerCase()];
  const content = url.slice(comma + 1);
  if (type === undefined || !BASE64.test(content)) return null;
  const usual = `data:${type};base64,`;
  // A copy of a large image would take as much memory again.
  return url.startsWith(usual) && comma === usual.length - 1 ? url : usual + content;
}

/** @returns undefined for null and an empty text @throws AppError `invalid` naming the field */
export function imageDetail(detail: unknown, param: string): ImageDetail | undefined {
  if (detail === undefined || detail === null || detail === '') return undefined;
  const known = IMAGE_DETAILS.find((one) => one === detail);
  if (known === undefined) throw invalidField(param, `detail must be ${IMAGE_DETAILS.join(', ')}`);
  return known;
}
