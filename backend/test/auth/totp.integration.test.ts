import type { AdminUser, TotpEnrollment, TotpRecoveryCodes, User } from '@tanya/contract';
import { errorOf } from '../harness/http-client.js';
import { SocketClient } from '../harness/socket-client.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { enrol, enrolledMember, deleteUsedCodes } from './totp-harness.js';
import { codeOf, wrongCode } from '../harness/totp-codes.js';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});

afterAll(() => server.close());

const ENROLL = '/api/user/totp/enroll';
const CONFIRM = '/api/user/totp/confirm';
const DISABLE = '/api/user/totp/disable';

const login = (username: string, code?: string, password = PASSWORD) =>
  server.client().post('/api/login', { username, password, code });

describe('the enrolment of a second factor', () => {
  it('returns a secret, then ten recovery codes, and marks the account (AU-16)', async () => {
    const { client, username } = await server.member();
    const { secret, uri } = (await client.post<TotpEnrollment>(ENROLL, { password: PASSWORD })).body;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    expect(decodeURIComponent(uri)).toContain(username);
    expect((await client.get<User>('/api/user')).body.hasTotp).toBe(false);
    const { recoveryCodes } = (await client.post<TotpRecoveryCodes>(CONFIRM, { code: codeOf(secret) })).body;
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await client.get<User>('/api/user')).body.hasTotp).toBe(true);
  });

  it('stores the secret sealed and the recovery codes as hashes (AU-16)', async () => {
    const { secret, recoveryCodes, user } = await enrolledMember(server);
    const rows = await server.dataSource.query<object[]>(
      'select t.*, c.code_hash from totp t join recovery_code c on c.user_id = t.user_id where t.user_id = $1',
      [user.id],
    );
    const stored = JSON.stringify(rows);
    expect(rows).toHaveLength(10);
    for (const text of [secret, ...recoveryCodes]) expect(stored).not.toContain(text);
  });

  it('needs the password (AU-16)', async () => {
    const { client } = await server.member();
    expect(errorOf(await client.post(ENROLL, { password: 'not this one' })).code).toBe('invalid_credentials');
    expect(errorOf(await client.post(ENROLL, {})).code).toBe('reauthentication_required');
    expect((await client.post(CONFIRM, { code: '000000' })).status).toBe(409);
  });

  it('is not active before its confirmation, and a wrong code does not confirm (AU-16)', async () => {
    const { client, username } = await server.member();
    const { secret } = (await client.post<TotpEnrollment>(ENROLL, { password: PASSWORD })).body;
    expect(errorOf(await client.post(CONFIRM, { code: wrongCode(secret) })).code).toBe('totp_invalid');
    expect((await login(username)).status).toBe(200);
    await server.dataSource.query(`update totp set pending_at = pending_at - interval '1 hour'`);
    expect(errorOf(await client.post(CONFIRM, { code: codeOf(secret) })).code).toBe('conflict');
  });

  it('needs a code of the active factor, which stays valid until the new one is confirmed (AU-16)', async () => {
    const { client, secret, username, user } = await enrolledMember(server);
    const again = (code?: string) => client.post<TotpEnrollment>(ENROLL, { password: PASSWORD, code });
    expect(errorOf(await again()).code).toBe('totp_required');
    expect(errorOf(await again(wrongCode(secret))).code).toBe('totp_invalid');
    const next = (await again(codeOf(secret))).body.secret;
    expect((await login(username, codeOf(secret, 1))).status).toBe(200);
    expect((await client.post(CONFIRM, { code: codeOf(next) })).status).toBe(200);
    await deleteUsedCodes(server, user.id);
    expect(errorOf(await login(username, codeOf(secret))).code).toBe('totp_invalid');
    expect((await login(username, codeOf(next))).status).toBe(200);
  });

  it('replaces the recovery codes (AU-16)', async () => {
    const { client, username, recoveryCodes } = await enrolledMember(server);
    const [first, second] = recoveryCodes as [string, string];
    const { secret } = (await client.post<TotpEnrollment>(ENROLL, { password: PASSWORD, code: first })).body;
    const renewed = (await client.post<TotpRecoveryCodes>(CONFIRM, { code: codeOf(secret) })).body.recoveryCodes;
    expect((await login(username, second)).status).toBe(401);
    expect((await login(username, renewed[0])).status).toBe(200);
  });

  it('is confirmed once by concurrent calls (AU-16)', async () => {
    const { client } = await server.member();
    const { secret } = (await client.post<TotpEnrollment>(ENROLL, { password: PASSWORD })).body;
    const code = codeOf(secret);
    const tabs = Array.from({ length: 4 }, () => client.copy());
    const answers = await Promise.all(tabs.map((tab) => tab.post(CONFIRM, { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('sends no event that makes the page read its account with the old cookie (AU-16)', async () => {
    const { client } = await server.member();
    const page = await SocketClient.connect(client);
    await enrol(client);
    await new Promise<void>((resolve) => page.socket.once('disconnect', () => resolve()));
    expect(page.received).not.toContain('settings:changed');
  });

  it('ends the other sessions and their sockets, and keeps its own (AU-8, AU-16)', async () => {
    const { client, username } = await server.member();
    const other = server.client();
    await other.post('/api/login', { username, password: PASSWORD });
    const page = await SocketClient.connect(other);
    const closed = new Promise<void>((resolve) => page.socket.once('disconnect', () => resolve()));
    const old = client.copy();
    await enrol(client);
    await closed;
    expect((await other.get('/api/user')).status).toBe(401);
    expect((await old.get('/api/user')).status).toBe(401);
    expect((await client.get('/api/user')).status).toBe(200);
  });
});

describe('turning the second factor off', () => {
  it('needs the password and a code (AU-16)', async () => {
    const { client, secret, username } = await enrolledMember(server);
    const attempts = [
      [{ password: 'not this one', code: codeOf(secret) }, 'invalid_credentials'],
      [{ password: PASSWORD, code: wrongCode(secret) }, 'totp_invalid'],
      [{ password: PASSWORD }, 'invalid'],
    ] as const;
    for (const [body, code] of attempts) expect(errorOf(await client.post(DISABLE, body)).code).toBe(code);
    expect((await client.post(DISABLE, { password: PASSWORD, code: codeOf(secret) })).status).toBe(200);
    expect((await login(username)).status).toBe(200);
    expect((await client.post(DISABLE, { password: PASSWORD, code: codeOf(secret) })).status).toBe(409);
  });

  it('accepts a recovery code and deletes the secret and all codes (AU-16)', async () => {
    const { client, recoveryCodes, user } = await enrolledMember(server);
    expect((await client.post(DISABLE, { password: PASSWORD, code: recoveryCodes[9] })).status).toBe(200);
    const left = await server.dataSource.query<unknown[]>(
      'select user_id from totp where user_id = $1 union all select user_id from recovery_code where user_id = $1',
      [user.id],
    );
    expect(left).toEqual([]);
  });
});

describe('a reset by an admin', () => {
  it('removes the factor of another account, and not the own (AU-16)', async () => {
    const admin = await server.admin();
    const { username, user } = await enrolledMember(server);
    const reset = (id: number) => admin.post<AdminUser>(`/api/admin/users/${id}/reset-totp`);
    const listed = (await admin.get<AdminUser[]>(`/api/admin/users?query=${username}`)).body;
    expect(listed[0]!.hasTotp).toBe(true);
    expect((await reset(user.id)).body).toMatchObject({ id: user.id, hasTotp: false });
    expect((await login(username)).status).toBe(200);
    expect((await reset(user.id)).status).toBe(200);
    expect((await reset(999_999)).status).toBe(404);
    const own = (await admin.get<User>('/api/user')).body.id;
    expect(errorOf(await reset(own)).code).toBe('conflict');
  });
});
