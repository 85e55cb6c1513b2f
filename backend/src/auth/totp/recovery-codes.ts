import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../../platform/secrets/sha256.js';

const COUNT = 10;
/** 80 random bits, so that a hash without salt and stretching is enough. */
const CODE_BYTES = 10;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Ten random codes such as `k3vd-7qpa-…`: 16 characters of base32 in groups of four. */
export const createRecoveryCodes = (): string[] => Array.from({ length: COUNT }, createCode);

/** SHA-256 of a code, whatever its case and separators. */
export const recoveryCodeHash = (code: string): string => sha256Hex(code.toLowerCase().replace(/[^a-z2-7]/g, ''));

function createCode(): string {
  const bits = [...randomBytes(CODE_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const characters = bits.match(/.{5}/g)!.map((five) => ALPHABET[parseInt(five, 2)]!);
  return characters.join('').match(/.{4}/g)!.join('-');
}
