import type { TotpEnrollment, User } from '@tanya/contract';
import { errorOf } from '../harness/http-client.js';
import { waitForLockWait, withConnection } from '../harness/lock-waits.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { codeOf } from '../harness/totp-codes.js';

let database: TestDatabase;
let server: TestApp;

beforeAll(async () => {
  database = await createDatabase();
  server = await startTestApp({ database });
});

afterAll(async () => {
  await server.close();
  await database.drop();
});

const SESSION = 'tanya.sid';
const GUEST = 'tanya.guest';

/** Makes a call of a member, and ends the sessions of its account before the call changes it. */
const endingSessions = <T>(userId: number, call: () => Promise<T>): Promise<T> =>
  withConnection(database, async (connection) => {
    await connection.query('begin');
    await connection.query('update "user" set session_epoch = session_epoch + 1, last_seen_at = now() where id = $1', [
      userId,
    ]);
    const answer = call();
    await waitForLockWait(database);
    await connection.query('commit');
    return answer;
  });

let count = 0;
const newcomer = () => ({ username: `newcomer-${(count += 1)}`, password: PASSWORD });

describe('guests', () => {
  it('get a signed cookie with their first call and keep it', async () => {
    const browser = server.client();
    const answer = await browser.get('/api/general-settings');
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^tanya\.guest=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax/,
    );
    const cookie = browser.cookies.get(GUEST);
    expect((await browser.get('/api/general-settings')).headers.getSetCookie()).toEqual([]);
    expect(browser.cookies.get(GUEST)).toBe(cookie);
  });

  it('cannot forge a cookie', async () => {
    const browser = await server.guest();
    const [, issuedAt, signature] = browser.cookies.get(GUEST)!.split('.');
    browser.cookies.set(GUEST, `00000000-0000-4000-8000-000000000000.${issuedAt}.${signature}`);
    const answer = await browser.get('/api/general-settings');
    expect(answer.headers.getSetCookie()).toHaveLength(1);
  });

  it('are refused as unauthenticated where an account is required', async () => {
    const browser = await server.guest();
    for (const path of ['/api/user', '/api/user/apikey', '/api/user/export', '/api/admin/users']) {
      const answer = await browser.get(path);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(errorOf(answer).code).toBe('unauthenticated');
    }
  });
});

describe('a call that changes state', () => {
  it.each(['https://evil.example', 'null', 'http://127.0.0.1.evil.example'])(
    'is refused from the foreign origin %s',
    async (origin) => {
      const { client } = await server.member();
      for (const path of ['/api/logout', '/API/logout', '/api/login', '/api/user/apikey/generate']) {
        const answer = await client.post(path, {}, { headers: { Origin: origin } });
        expect([path, answer.status]).toEqual([path, 403]);
        expect(errorOf(answer).code).toBe('foreign_origin');
      }
      expect((await client.get('/api/user')).status).toBe(200);
    },
  );

  it('is accepted from the own origin', async () => {
    const { client } = await server.member();
    const answer = await client.post('/api/user/apikey/generate', undefined, { headers: { Origin: server.url } });
    expect(answer.status).toBe(200);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'is refused with the content type %j',
    async (type) => {
      const raw = new TextEncoder().encode(JSON.stringify(newcomer()));
      const answer = await server
        .client()
        .send('POST', '/api/register', { raw, headers: type ? { 'Content-Type': type } : {} });
      expect(answer.status).toBe(415);
    },
  );

  it.each([
    '{',
    '"x"',
    'null',
    '{"username":"a\\u0000b","password":"12345678 x"}',
    '{"username":"\\ud800","password":"12345678 x"}',
  ])('is refused with the body %s', async (raw) => {
    const answer = await server
      .client()
      .send('POST', '/api/register', { raw, headers: { 'Content-Type': 'application/json' } });
    expect(answer.status).toBe(400);
    expect(errorOf(answer).code).toBe('invalid');
  });

  it('neither pollutes prototypes nor overflows the stack', async () => {
    const json = { 'Content-Type': 'application/json' };
    const polluted =
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"username":"x","password":"y"}';
    const deep = `{"username":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    for (const [raw, status] of [
      [polluted, 400],
      [deep, 413],
    ] as const) {
      const answer = await server.client().send('POST', '/api/register', { raw, headers: json });
      expect(answer.status).toBe(status);
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

describe('an account', () => {
  const next = 'another quiet harbour';

  it('that changes its password ends all other sessions (AU-10)', async () => {
    const { client: one, username } = await server.member();
    const two = server.client();
    await two.post('/api/login', { username, password: PASSWORD });
    const before = two.cookies.get(SESSION);
    expect((await two.post('/api/user/password', { currentPassword: 'wrong one', newPassword: next })).status).toBe(
      401,
    );
    expect((await two.post('/api/user/password', { currentPassword: PASSWORD, newPassword: next })).status).toBe(200);
    expect(two.cookies.get(SESSION)).not.toBe(before);
    expect((await two.get('/api/user')).status).toBe(200);
    expect((await one.get('/api/user')).status).toBe(401);
    expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(401);
    expect((await server.client().post('/api/login', { username, password: next })).status).toBe(200);
  });

  it('keeps its password and its session ended when an admin ends its sessions meanwhile', async () => {
    const { client, username, user } = await server.member();
    const changed = await endingSessions(user.id, () =>
      client.post('/api/user/password', { currentPassword: PASSWORD, newPassword: next }),
    );
    expect([changed.status, errorOf(changed).code]).toEqual([401, 'unauthenticated']);
    expect((await client.get('/api/user')).status).toBe(401);
    expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(200);
  });

  it('gets no second factor when an admin ends its sessions meanwhile', async () => {
    const { client, username, user } = await server.member();
    const { secret } = (await client.post<TotpEnrollment>('/api/user/totp/enroll', { password: PASSWORD })).body;
    const confirmed = await endingSessions(user.id, () =>
      client.post('/api/user/totp/confirm', { code: codeOf(secret) }),
    );
    expect([confirmed.status, errorOf(confirmed).code]).toEqual([401, 'unauthenticated']);
    expect((await client.get('/api/user')).status).toBe(401);
    expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(200);
  });

  it('exports its data', async () => {
    const { client, username } = await server.member({ email: 'own@example.com' });
    const answer = await client.get<{ account: User }>('/api/user/export');
    expect(answer.body.account).toMatchObject({ username, email: 'own@example.com' });
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(answer.text).not.toMatch(/argon2|hash|sealed/i);
  });

  it('is deleted with its password, and its session ends', async () => {
    const { client, username } = await server.member();
    expect((await client.delete('/api/user', { password: 'wrong one' })).status).toBe(401);
    expect((await client.copy().delete('/api/user', { password: PASSWORD })).status).toBe(200);
    expect((await client.get('/api/user')).status).toBe(401);
    expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(401);
    expect((await server.client().post('/api/register', { username, password: PASSWORD })).status).toBe(201);
  });

  it('loses its session when the session epoch is raised (AU-8)', async () => {
    const { client, user } = await server.member();
    await server.dataSource.query('update "user" set session_epoch = session_epoch + 1 where id = $1', [user.id]);
    expect((await client.get('/api/user')).status).toBe(401);
  });
});
