import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../platform/secrets/sha256.js';

const PREFIX = 'tk_';
const KEY_BYTES = 32;
const KEY = /^tk_[\w-]{43}$/;

/** A new API key: 256 random bits. */
export const createKey = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64url');

/** SHA-256 of a key, hex. A key has enough entropy to need no slow hash. */
export const hashOfKey = (key: string): string => sha256Hex(key);

/** Whether a text has the form of a key. */
export const isKey = (text: string): boolean => KEY.test(text);
