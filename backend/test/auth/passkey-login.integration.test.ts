import type { AuditEntry, SessionState, Thread } from '@tanya/contract';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { SocketClient } from '../harness/socket-client.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { addPasskey, creationOptions, passkeyLogin, requestOptions } from './passkey-device.js';
import { enrolledMember } from './totp-harness.js';

let server: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.admin();
});

afterAll(() => server.close());

describe('a login with a passkey', () => {
  it('needs no code, and stays for 30 days on request', async () => {
    const member = await enrolledMember(server);
    const { device } = await addPasskey(member.client);
    const browser = server.client();
    const answer = await passkeyLogin(browser, device, {}, { rememberMe: true });
    expect(answer.body.id).toBe(member.user.id);
    expect(answer.headers.getSetCookie().find((line) => line.startsWith('tanya.sid'))).toMatch(/expires/i);
    expect((await browser.get<SessionState>('/api/session')).body.user).toMatchObject({ isTwoFactor: true });
    const plain = await passkeyLogin(server.client(), device);
    expect(plain.headers.getSetCookie().find((line) => line.startsWith('tanya.sid'))).not.toMatch(/expires/i);
  });

  it('satisfies a required second factor, and one with the password does not through a passkey (AU-43)', async () => {
    const { client, username } = await server.member();
    const { device } = await addPasskey(client);
    await admin.patch('/api/admin/general-settings', { totpRequired: { admin: false, member: true } });
    try {
      expect(errorOf(await client.get('/api/chat/threads')).code).toBe('totp_enrollment_required');
      expect((await client.get('/api/user/passkeys')).status).toBe(403);
      expect((await creationOptions(client)).status).toBe(403);
      const browser = server.client();
      await passkeyLogin(browser, device);
      expect((await browser.get('/api/chat/threads')).status).toBe(200);
      (await SocketClient.connect(browser)).socket.close();
      // A change of the password keeps how the session began.
      const change = { currentPassword: PASSWORD, newPassword: 'another quiet harbour' };
      expect((await browser.post('/api/user/password', change)).status).toBe(200);
      expect((await browser.get('/api/chat/threads')).status).toBe(200);
      const other = server.client();
      await other.post('/api/login', { username, password: 'another quiet harbour' });
      expect((await other.get('/api/chat/threads')).status).toBe(403);
    } finally {
      await admin.patch('/api/admin/general-settings', { totpRequired: { admin: false, member: false } });
    }
  });

  it('is refused to suspended and waiting accounts like one with a password', async () => {
    const { client, user } = await server.member();
    const { device } = await addPasskey(client);
    await server.dataSource.query('update "user" set is_approved = false where id = $1', [user.id]);
    expect(errorOf(await passkeyLogin(server.client(), device)).code).toBe('account_pending');
    await server.dataSource.query('update "user" set is_approved = true where id = $1', [user.id]);
    await admin.patch(`/api/admin/users/${user.id}`, { isSuspended: true });
    expect(errorOf(await passkeyLogin(server.client(), device)).code).toBe('account_suspended');
    await admin.patch(`/api/admin/users/${user.id}`, { isSuspended: false });
    expect((await passkeyLogin(server.client(), device)).status).toBe(200);
    await server.dataSource.query('update "user" set is_service = true where id = $1', [user.id]);
    expect(errorOf(await passkeyLogin(server.client(), device)).code).toBe('invalid_credentials');
    await server.dataSource.query('update "user" set is_service = false where id = $1', [user.id]);
    await admin.delete(`/api/admin/users/${user.id}`);
    expect(errorOf(await passkeyLogin(server.client(), device)).code).toBe('invalid_credentials');
  });

  it('takes the chats of the guest along', async () => {
    const { client } = await server.member();
    const { device } = await addPasskey(client);
    const guest = await server.guest();
    expect((await guest.post('/api/chat/message', { content: 'Hello' })).status).toBe(201);
    expect((await passkeyLogin(guest, device)).status).toBe(200);
    expect((await guest.get<Thread[]>('/api/chat/threads')).body).toHaveLength(1);
  });

  it('is in the audit log', async () => {
    const { client, user } = await server.member();
    const { device } = await addPasskey(client);
    await passkeyLogin(server.client(), device);
    const { body } = await admin.get<AuditEntry[]>(`/api/admin/audit?target=login:${user.id}`);
    expect(body[0]).toMatchObject({ action: 'login.success', after: { way: 'passkey', result: 'success' } });
  });

  it('is limited in its failures of an address', async () => {
    const browser = server.client('10.77.7.7');
    const response = { id: 'a', rawId: 'a', type: 'public-key', response: {} };
    for (let tries = 0; tries < 50; tries += 1)
      expect((await browser.post('/api/login/passkey', { response })).status).toBe(401);
    expect((await browser.post('/api/login/passkey', { response })).status).toBe(429);
  });
});

describe('a change of the account that demands the password', () => {
  const CHANGES: [string, (client: HttpClient) => Promise<{ status: number }>][] = [
    ['a new e-mail address', (client) => client.patch('/api/user', { email: 'new@example.com' })],
    ['a second factor', (client) => client.post('/api/user/totp/enroll', {})],
    ['a passkey', (client) => creationOptions(client, {})],
    ['a new password', (client) => client.post('/api/user/password', { newPassword: 'another quiet harbour' })],
    ['the end of the account', (client) => client.delete('/api/user', {})],
  ];

  it.each(CHANGES)('needs none within five minutes of a login with a passkey: %s', async (_name, change) => {
    const { client } = await server.member();
    const refused = await change(client);
    expect([refused.status, (refused as { body?: { code: string } }).body?.code]).toEqual([
      403,
      'reauthentication_required',
    ]);
    const { device } = await addPasskey(client);
    // In the session that the password began: the browser offers the own passkeys alone.
    const offered = (await requestOptions(client)).body.allowCredentials!;
    expect(offered.map(({ id }) => id)).toEqual([Buffer.from(device.id).toString('base64url')]);
    expect((await passkeyLogin(client, device)).status).toBe(200);
    expect((await change(client)).status).toBe(200);
  });

  it('needs none after the person has confirmed with a passkey, in a session that stays what it was', async () => {
    const { client, user } = await server.member();
    const { device } = await addPasskey(client);
    const stored = async () => {
      const [row] = await server.dataSource.query<[{ sess: Record<string, unknown> }]>(
        `select sess from session where (sess ->> 'userId')::int = $1`,
        [user.id],
      );
      const { way, endsAt, start, oidc } = row.sess;
      return { way, endsAt, start, oidc };
    };
    const began = await stored();
    const before = client.cookies.get('tanya.sid');
    const confirmed = await passkeyLogin(client, device, {}, { userId: user.id });
    expect([confirmed.status, confirmed.body.id]).toEqual([200, user.id]);
    expect(confirmed.body).not.toHaveProperty('isTwoFactor');
    expect(client.cookies.get('tanya.sid')).not.toBe(before);
    expect(await stored()).toEqual(began);
    for (const [name, change] of CHANGES) expect([name, (await change(client)).status]).toEqual([name, 200]);
  });

  it('is not confirmed by a passkey of another account, nor for an account that the page no longer has (AU-40)', async () => {
    const [one, other] = [await server.member(), await server.member()];
    const { device } = await addPasskey(other.client);
    const strange = await passkeyLogin(one.client, device, {}, { userId: one.user.id });
    expect(errorOf(strange).code).toBe('invalid_credentials');
    const replaced = await passkeyLogin(one.client, device, {}, { userId: other.user.id });
    expect(errorOf(replaced).code).toBe('unauthenticated');
    const guest = await passkeyLogin(server.client(), device, {}, { userId: other.user.id });
    expect(errorOf(guest).code).toBe('unauthenticated');
    expect((await one.client.get<SessionState>('/api/session')).body.user).toMatchObject({ id: one.user.id });
    for (const [name, change] of CHANGES) expect([name, (await change(one.client)).status]).toEqual([name, 403]);
  });

  it('needs it again afterwards (AU-44)', async () => {
    const { client } = await server.member();
    const { device } = await addPasskey(client);
    await passkeyLogin(client, device);
    await server.dataSource.query(
      `update session set sess = jsonb_set(sess::jsonb, '{authenticatedAt}',
         to_jsonb((sess ->> 'authenticatedAt')::float8 - 300000))::json
       where sess ->> 'authenticatedAt' is not null`,
    );
    for (const [name, change] of CHANGES) expect([name, (await change(client)).status]).toEqual([name, 403]);
    expect((await client.delete('/api/user', { password: PASSWORD })).status).toBe(200);
  });
});
