import { Secret, TOTP } from 'otpauth';

/** Seconds of a time step. */
export const STEP_SECONDS = 30;

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

/** New secret in base32. */
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
