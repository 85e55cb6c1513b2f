import type { TotpEnrollment, TotpRecoveryCodes } from '@tanya/contract';
import type { HttpClient } from '../harness/http-client.js';
import { type Member, PASSWORD, type TestApp } from '../harness/test-app.js';
import { codeOf } from '../harness/totp-codes.js';

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
export async function enrolledMember(
  server: TestApp,
  fields?: Parameters<TestApp['member']>[0],
): Promise<EnrolledMember> {
  const member = await server.member(fields);
  const enrolled = await enrol(member.client);
  await deleteUsedCodes(server, member.user.id);
  return { ...member, ...enrolled };
}

/** Makes used codes valid again, so that a test need not wait for the next step. */
export async function deleteUsedCodes(server: TestApp, userId: number): Promise<void> {
  await server.dataSource.query('update totp set last_step = 0 where user_id = $1', [userId]);
}
