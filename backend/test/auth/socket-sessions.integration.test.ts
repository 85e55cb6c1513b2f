import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import type { SessionEndedPayload } from '@tanya/contract';
import { Redis } from 'ioredis';
import type { Timings } from '../../src/config/timings.js';
import { IdentityService } from '../../src/auth/identity.service.js';
import { sessionEnded } from '../../src/identity/identity-topics.js';
import { Bus } from '../../src/platform/bus/bus.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { startRedis, type TestRedis } from '../harness/redis.js';
import { refusalOf, SocketClient } from '../harness/socket-client.js';
import { type Member, PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import type { HttpClient } from '../harness/http-client.js';

let redis: TestRedis;
let database: TestDatabase;
let near: TestApp;
let far: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  [redis, database] = await Promise.all([startRedis(), createDatabase()]);
  [near, far] = await Promise.all([startNode(), startNode()]);
  admin = await near.admin();
});

afterAll(async () => {
  await Promise.all([near.close(), far.close()]);
  await database.drop();
  await redis.stop();
});

function startNode(timings?: Partial<Timings>): Promise<TestApp> {
  const env = { redisUrl: redis.url, appSecret: 'the same on both of these nodes!' };
  return startTestApp({ database, env, timings });
}

/** The same browser at another node. */
function at(node: TestApp, browser: HttpClient): HttpClient {
  const copy = node.client(browser.address);
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
}

/** Deletes everything in Redis. */
async function flushRedis(): Promise<void> {
  const client = new Redis(redis.url);
  await client.flushall();
  client.disconnect();
}

interface Watched {
  page: SocketClient;
  /** Resolves with the reason of session:ended when the socket closes; null without one. */
  closed: Promise<SessionEndedPayload['reason'] | null>;
}

async function watch(browser: HttpClient): Promise<Watched> {
  const page = await SocketClient.connect(browser);
  let reason: SessionEndedPayload['reason'] | null = null;
  page.socket.on('session:ended', (payload) => (reason = payload.reason));
  const closed = new Promise<SessionEndedPayload['reason'] | null>((resolve) =>
    page.socket.once('disconnect', () => resolve(reason)),
  );
  return { page, closed };
}

describe('a socket', () => {
  const endings: [string, SessionEndedPayload['reason'], (member: Member) => Promise<unknown>][] = [
    ['logs out', 'logout', ({ client }) => client.post('/api/logout')],
    ['logs out everywhere', 'logout', ({ client }) => client.copy().post('/api/user/logout-everywhere')],
    ['is demoted', 'role', ({ user }) => admin.patch(`/api/admin/users/${user.id}`, { isAdmin: false })],
    [
      'gets a password from an admin',
      'password',
      ({ user }) => admin.post(`/api/admin/users/${user.id}/reset-password`, { newPassword: 'set by the admin now' }),
    ],
    ['is deleted', 'deleted', ({ user }) => admin.delete(`/api/admin/users/${user.id}`)],
    ['deletes itself', 'deleted', ({ client }) => client.delete('/api/user', { password: PASSWORD })],
  ];

  it.each(endings)('is closed on every node when its member %s (AU-8, WS-4)', async (_, reason, end) => {
    const member = await near.member({ isAdmin: true });
    const one = await watch(member.client);
    const two = await watch(at(far, member.client));
    await end(member);
    expect(await Promise.all([one.closed, two.closed])).toEqual([reason, reason]);
  });

  it.each([
    ['when that end is announced late', false],
    ['also when nobody knows, as storage is away', true],
  ])('of a session that began after the end of all others stays open %s', async (_, isAway) => {
    const { client, user } = await near.member();
    const later = await watch(at(far, client));
    const bus = far.app.get(Bus);
    const away = new AppError('storage_unavailable');
    if (isAway) jest.spyOn(far.app.get(IdentityService), 'refresh').mockRejectedValueOnce(away);
    const announced = new Promise<void>((resolve) => bus.subscribe(sessionEnded, () => resolve()));
    await bus.publish(sessionEnded, { userId: user.id, reason: 'password' });
    await announced;
    await client.post('/api/logout');
    expect(await later.closed).toBe('logout');
  });

  it('of another session stays open after a logout (AU-8)', async () => {
    const { client, username } = await near.member();
    const other = near.client();
    await other.post('/api/login', { username, password: PASSWORD });
    const leaving = await watch(client);
    const staying = await watch(other);
    await client.post('/api/logout');
    expect(await leaving.closed).toBe('logout');
    expect(staying.page.socket.connected).toBe(true);
    await staying.page.close();
  });

  it('has a grace period after its own change of password (AU-10, WS-4)', async () => {
    const { client, username } = await near.member();
    const other = near.client();
    await other.post('/api/login', { username, password: PASSWORD });
    const own = await watch(client);
    const others = await watch(other);
    await client.post('/api/user/password', { currentPassword: PASSWORD, newPassword: 'a quiet harbour at dusk' });
    expect(await others.closed).toBe('password');
    expect(own.page.socket.connected).toBe(true);
    expect(await own.closed).toBe('password');
    expect((await client.get('/api/user')).status).toBe(200);
  });

  it('is refused after an unannounced end of its session (WS-4)', async () => {
    const { client, user } = await near.member();
    const { page, closed } = await watch(client);
    await near.dataSource.query('update "user" set session_epoch = session_epoch + 1 where id = $1', [user.id]);
    expect(refusalOf(await page.tryStart('hello')).code).toBe('unauthenticated');
    await closed;
  });

  it('is closed after an unannounced end of its session, without any event of its page (F7, AU-8)', async () => {
    const watching = await startNode({ sessionWatch: 500 });
    const [byEpoch, bySession] = [await near.member(), await near.member()];
    const [one, two] = [await watch(at(watching, byEpoch.client)), await watch(at(watching, bySession.client))];
    await near.dataSource.query('update "user" set session_epoch = session_epoch + 1 where id = $1', [byEpoch.user.id]);
    expect(await one.closed).toBe('expired');
    await flushRedis();
    expect(await two.closed).toBe('expired');
    await watching.close();
  });

  it('of a page whose session is lost is refused, not opened as a guest’s (F7)', async () => {
    const { client, user } = await near.member();
    const open = (userId?: number) => SocketClient.connect(client, { auth: userId === undefined ? {} : { userId } });
    await (await open(user.id)).close();
    await expect(open(user.id + 1)).rejects.toMatchObject({ data: { code: 'unauthenticated' } });
    await flushRedis();
    await expect(open(user.id)).rejects.toMatchObject({ data: { code: 'unauthenticated', statusCode: 401 } });
    await (await open()).close();
  });

  it.each(['websocket', 'polling'])('gets a guest cookie with a handshake by %s', async (transport) => {
    const cookies = await new Promise<string[]>((resolve, reject) => {
      const path = `${near.url}/socket.io/?EIO=4&transport=${transport}`;
      const upgrade = {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      };
      const request = get(path, { headers: transport === 'websocket' ? upgrade : {} });
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(response.headers['set-cookie'] ?? []);
      });
      request.on('response', (response) => {
        response.resume();
        resolve(response.headers['set-cookie'] ?? []);
      });
      request.on('error', reject);
    });
    expect(cookies).toEqual([expect.stringMatching(/^tanya\.guest=.*HttpOnly; SameSite=Lax/)]);
  });

  it.each(['https://evil.example', 'null'])('is refused from the origin %s (WS-1)', async (origin) => {
    const { client } = await near.member();
    for (const transports of [['websocket'], ['polling']] as const) {
      const refused = SocketClient.connect(client, { transports: [...transports], extraHeaders: { Origin: origin } });
      await expect(refused).rejects.toBeDefined();
    }
  });
});
