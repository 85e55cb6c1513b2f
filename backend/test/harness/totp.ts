import type { TotpEnrollment, TotpRecoveryCodes } from '@tanya/contract';
import { Secret, TOTP } from 'otpauth';
import type { HttpClient } from './http-client.js';
import { type Member, PASSWORD, type TestApp } from './test-app.js';

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

export interface EnrolledMember extends Member, TotpRecoveryCodes {
  secret: string;
}

/** Enrols a second factor in the session of `client`. The code of the current step is used up. */
export async function enrol(client: HttpClient): Promise<TotpRecoveryCodes & { secret: string }> {
  const { secret } = (await client.post<TotpEnrollment>('/api/user/totp/enroll', { password: PASSWORD })).body;
  const answer = await client.post<TotpRecoveryCodes>('/api/user/totp/confirm', { code: codeOf(secret) });
  expect(answer.status).toBe(200);
  return { secret, recoveryCodes: answer.body.recoveryCodes };
}

/** A new account with a second factor whose codes are all unused. */
export async function enrolledMember(server: TestApp, fields?: Parameters<TestApp['member']>[0]): Promise<EnrolledMember> {
  const member = await server.member(fields);
  const enrolled = await enrol(member.client);
  await forgetUsedCodes(server, member.user.id);
  return { ...member, ...enrolled };
}

/** Makes used codes valid again, so that a test need not wait for the next step. */
export async function forgetUsedCodes(server: TestApp, userId: number): Promise<void> {
  await server.dataSource.query('update totp set last_step = 0 where user_id = $1', [userId]);
}
