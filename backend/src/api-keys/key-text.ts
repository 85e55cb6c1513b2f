import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sha256Hex } from '../platform/secrets/sha256.js';

const PREFIX = 'tk_';
const KEY_BYTES = 32;
const KEY = /^tk_[\w-]{43}$/;

export const createKey = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64url');

export const isKey = (text: string): boolean => KEY.test(text);

/** SHA-256 of a key, hex. A key has enough entropy to need no slow hash. */
export const hashOfKey = (key: string): string => sha256Hex(key);

const BEARER = /^Bearer {1,5}([\x21-\x7e]{1,200})$/i;

export const bearerOf = ({ authorization = '' }: IncomingHttpHeaders): string | undefined =>
  BEARER.exec(authorization)?.[1];

/**
 * The bearer token, without one the key of `x-api-key`, or `api-key` as of Azure's clients. Beside these `Authorization` may be
 * the login at a proxy: then only a bearer token that looks like a key is one.
 */
export function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const bearer = bearerOf(headers);
  const apiKey = headers['x-api-key'] ?? headers['api-key'];
  if (apiKey === undefined || bearer?.startsWith(PREFIX)) return bearer;
  return bearerOf({ authorization: `Bearer ${[apiKey].flat().join()}` });
}
