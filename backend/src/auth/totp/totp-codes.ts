import { Secret, TOTP } from 'otpauth';
import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../../platform/secrets/sha256.js';

/** Seconds of a time step. */
const STEP_SECONDS = 30;

/** Steps by which the clock of a device may differ, either side. */
const DRIFT_STEPS = 1;

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

const CODE = /^\d{6}$/;

/** The parameters that every authenticator app supports. otpauth: no other dependency than noble-hashes, maintained. */
const totpOf = (secret: string, issuer = '', label = '') =>
  new TOTP({
    issuer,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
  });

export const createTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** `otpauth://` URI that authenticator apps read from a QR code. */
export const totpUri = (secret: string, issuer: string, username: string): string =>
  // A colon separates issuer and name in the label.
  totpOf(secret, issuer.replaceAll(':', ' '), username.replaceAll(':', ' ')).toString();

/** Whether the text has the form of a TOTP code; other texts are compared with the recovery codes. */
export const isTotpCode = (code: string): boolean => CODE.test(withoutSpaces(code));

/** Time step of the code, or null when the code is of no step near `timestamp` (ms since 1970). */
export function stepOfCode(secret: string, code: string, timestamp: number): number | null {
  const token = withoutSpaces(code);
  if (!CODE.test(token)) return null;
  const distance = totpOf(secret).validate({ token, timestamp, window: DRIFT_STEPS });
  return distance === null ? null : Math.floor(timestamp / 1000 / STEP_SECONDS) + distance;
}

function withoutSpaces(code: string): string {
  return code.replace(/[\s-]/g, '');
}

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
