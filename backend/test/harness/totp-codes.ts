import { Secret, TOTP } from 'otpauth';

const STEP_MS = 30_000;

export const currentStep = (): number => Math.floor(Date.now() / STEP_MS);

/** The code of an authenticator app whose clock differs by this many steps. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });

/** A code that is valid at no step near the current one. */
export function wrongCode(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!;
}
