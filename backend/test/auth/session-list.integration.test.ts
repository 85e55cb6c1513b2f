import { jest } from '@jest/globals';
import type { AccountSession, AuditEntry } from '@tanya/contract';
import { Redis } from 'ioredis';
import { AccountSessions } from '../../src/platform/session/account-sessions.js';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { withConnection } from '../harness/lock-waits.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { SocketClient } from '../harness/socket-client.js';
import { PASSWORD } from '../harness/test-app.js';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:149.0) Gecko/20100101 Firefox/149.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 ' +
  'Mobile/15E148 Safari/604.1';
const UNKNOWN_ID = 'A'.repeat(43);

describe.each(ADAPTERS)('the list of sessions, %s', (_name, withRedis) => {
  let database: TestDatabase;
  let server: ChatHarness;
  let store: Redis | null = null;

  beforeAll(async () => {
    database = await createDatabase();
    await withConnection(database, (connection) =>
      connection.query(`do $$ begin
        execute format('alter database %I set timezone to %L', current_database(), 'Asia/Jakarta');
      end $$`),
    );
    server = await startChatHarness({ redis: withRedis, database });
    store = server.redis && new Redis(server.redis.url);
  });

  afterAll(async () => {
    store?.disconnect();
    await server.close();
    await database.drop();
  });

  async function logIn(username: string, userAgent: string, rememberMe = false): Promise<HttpClient> {
    const browser = server.client();
    const headers = { 'User-Agent': userAgent };
    const answer = await browser.post('/api/login', { username, password: PASSWORD, rememberMe }, { headers });
    expect(answer.status).toBe(200);
    return browser;
  }

  const listOf = async (browser: HttpClient) => (await browser.get<AccountSession[]>('/api/user/sessions')).body;

  const isSignedIn = async (browser: HttpClient) => (await browser.get('/api/user')).status === 200;

  const sidOf = (browser: HttpClient) => decodeURIComponent(browser.cookies.get('tanya.sid')!).slice(2).split('.')[0]!;

  it('names browser, system, address and times, and never what opens a session', async () => {
    const before = Date.now();
    const { username, client: first } = await server.member();
    const phone = await logIn(username, SAFARI);
    const desk = await logIn(username, FIREFOX, true);
    const list = await listOf(desk);
    expect(list).toHaveLength(3);
    expect(list.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false]);
    expect(list[0]).toMatchObject({ device: 'Firefox · Windows', address: desk.address });
    expect(list.find(({ device }) => device === 'Safari · iOS')).toMatchObject({ address: phone.address });
    for (const { createdAt, lastSeenAt } of list) {
      expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now());
      // A store may count whole seconds.
      expect(Date.parse(lastSeenAt)).toBeGreaterThanOrEqual(before - 1000);
      expect(Date.parse(lastSeenAt)).toBeLessThanOrEqual(Date.now() + 1000);
    }
    const text = JSON.stringify(list);
    for (const browser of [first, phone, desk]) expect(text).not.toContain(sidOf(browser));
  });

  it('is kept through hostile and missing names of browsers', async () => {
    const { username, client } = await server.member();
    const long = `Mozilla/5.0 (${'Windows NT 10.0; '.repeat(700)}`;
    for (const userAgent of ['', '-', long, '<script>alert(1)</script>', 'curl/8.5.0'])
      await logIn(username, userAgent);
    const list = await listOf(client);
    expect(list).toHaveLength(6);
    for (const { device } of list) expect(device ?? '').toMatch(/^[^<>]{0,80}$/);
  });

  it('ends another browser at once, with its sockets, and no other', async () => {
    const { username, client: desk } = await server.member();
    const phone = await logIn(username, SAFARI);
    const tablet = await logIn(username, FIREFOX);
    const page = await SocketClient.connect(phone);
    const closed = new Promise((resolve) => page.socket.once('disconnect', resolve));
    const { id } = (await listOf(desk)).find(({ device }) => device === 'Safari · iOS')!;
    expect((await desk.delete(`/api/user/sessions/${id}`)).status).toBe(200);
    await closed;
    expect(await isSignedIn(phone)).toBe(false);
    for (const browser of [desk, tablet]) expect(await isSignedIn(browser)).toBe(true);
    expect((await desk.delete(`/api/user/sessions/${id}`)).status).toBe(404);
    expect(await listOf(desk)).toHaveLength(2);
  });

  it('lets a stolen session end the others, and keeps neither the account nor its owner (ASVS 7.5.2)', async () => {
    const { username, client: owner } = await server.member();
    const thief = await logIn(username, SAFARI);
    const other = (await listOf(thief)).find(({ isCurrent }) => !isCurrent)!;
    expect((await thief.delete(`/api/user/sessions/${other.id}`)).status).toBe(200);
    expect(await isSignedIn(owner)).toBe(false);
    const change = { newPassword: 'a quiet harbour at dusk' };
    for (const attempt of [change, { ...change, currentPassword: 'a guess of the thief' }])
      expect((await thief.post('/api/user/password', attempt)).status).toBeGreaterThanOrEqual(400);
    const again = await logIn(username, FIREFOX);
    expect((await again.post('/api/user/logout-everywhere')).status).toBe(200);
    expect(await isSignedIn(thief)).toBe(false);
  });

  it('ends the own browser like a logout', async () => {
    const { client } = await server.member();
    const [{ id }] = (await listOf(client)) as [AccountSession];
    expect((await client.delete(`/api/user/sessions/${id}`)).status).toBe(200);
    expect(client.cookies.has('tanya.sid')).toBe(false);
    expect(await isSignedIn(client)).toBe(false);
  });

  it('ends a browser for which the login is not answered yet', async () => {
    const { username, client: desk } = await server.member();
    const sessions = server.app.get(AccountSessions);
    const add = sessions.add.bind(sessions);
    jest.spyOn(sessions, 'add').mockImplementationOnce(async (session) => {
      const ended = await add(session);
      const { id } = (await listOf(desk)).find(({ isCurrent }) => !isCurrent)!;
      expect((await desk.delete(`/api/user/sessions/${id}`)).status).toBe(200);
      return ended;
    });
    const phone = await logIn(username, SAFARI);
    expect(await isSignedIn(phone)).toBe(false);
    expect(await listOf(desk)).toHaveLength(1);
  });

  it('knows no sessions of others, and none by the id in a cookie', async () => {
    const [{ client }, { client: other }] = [await server.member(), await server.member()];
    const [{ id }] = (await listOf(other)) as [AccountSession];
    for (const unknown of [id, sidOf(client), UNKNOWN_ID])
      expect((await client.delete(`/api/user/sessions/${unknown}`)).status).toBe(404);
    for (const browser of [client, other]) expect(await isSignedIn(browser)).toBe(true);
    const guest = server.client();
    expect((await guest.get('/api/user/sessions')).status).toBe(401);
  });

  it('shows none that a new password has ended', async () => {
    const { username, client } = await server.member();
    await logIn(username, SAFARI);
    const newPassword = 'a quiet harbour at dusk';
    await client.post('/api/user/password', { currentPassword: PASSWORD, newPassword });
    expect((await listOf(client)).map(({ isCurrent }) => isCurrent)).toEqual([true]);
  });

  it('shows sessions that an earlier version began', async () => {
    const { client } = await server.member();
    const without = (text: string) => JSON.stringify({ ...(JSON.parse(text) as object), start: undefined });
    if (store !== null) {
      const key = `tanya:session:${sidOf(client)}`;
      await store.set(key, without((await store.get(key))!), 'KEEPTTL');
    } else {
      await server.dataSource.query(`update session set sess = (sess::jsonb - 'start')::json where sid = $1`, [
        sidOf(client),
      ]);
    }
    expect(await listOf(client)).toMatchObject([{ isCurrent: true, address: null, device: null }]);
  });

  it('is ended as a whole by an admin, on record', async () => {
    const admin = await server.admin();
    const { username, user, client } = await server.member();
    const phone = await logIn(username, SAFARI);
    expect((await client.post(`/api/admin/users/${user.id}/end-sessions`)).status).toBe(403);
    expect((await admin.post(`/api/admin/users/${user.id}/end-sessions`)).status).toBe(200);
    for (const browser of [client, phone]) expect(await isSignedIn(browser)).toBe(false);
    expect(await isSignedIn(admin)).toBe(true);
    expect((await admin.post('/api/admin/users/2147483646/end-sessions')).status).toBe(404);
    const { body } = await admin.get<AuditEntry[]>('/api/admin/audit?action=user.end_sessions');
    expect(body.map(({ target }) => target.name)).toEqual([username]);
    expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(200);
  });
});
