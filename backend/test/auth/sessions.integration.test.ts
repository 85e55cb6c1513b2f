import { Redis } from 'ioredis';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { SocketClient } from '../harness/socket-client.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});

afterAll(async () => {
  await server.close();
});

const SESSION = 'tanya.sid';
const GUEST = 'tanya.guest';

describe('logout', () => {
  it('ends its own session alone and makes the browser a new guest (AU-8)', async () => {
    const { client: one, username } = await server.member();
    const two = server.client();
    await two.post('/api/login', { username, password: PASSWORD });
    const stolen = one.copy();
    const guest = one.cookies.get(GUEST);
    expect((await one.post('/api/logout')).status).toBe(200);
    expect(one.cookies.has(SESSION)).toBe(false);
    expect(one.cookies.get(GUEST)).not.toBe(guest);
    expect((await stolen.get('/api/user')).status).toBe(401);
    expect((await two.get('/api/user')).status).toBe(200);
  });

  it('everywhere ends all sessions (AU-8)', async () => {
    const { client: one, username } = await server.member();
    const two = server.client();
    await two.post('/api/login', { username, password: PASSWORD });
    expect((await two.post('/api/user/logout-everywhere')).status).toBe(200);
    expect((await one.get('/api/user')).status).toBe(401);
    expect((await two.get('/api/user')).status).toBe(401);
  });
});

describe.each(ADAPTERS)('a session, %s', (_name, withRedis) => {
  const DAY = 24 * 60 * 60;
  let store: Redis | null = null;
  let app: ChatHarness;

  beforeAll(async () => {
    app = await startChatHarness({ redis: withRedis });
    store = app.redis && new Redis(app.redis.url);
  });

  afterAll(async () => {
    store?.disconnect();
    await app.close();
  });

  const idOf = (browser: HttpClient) => decodeURIComponent(browser.cookies.get(SESSION)!).slice(2).split('.')[0]!;
  const keyOf = (browser: HttpClient) => `tanya:session:${idOf(browser)}`;

  const secondsLeft = async (browser: HttpClient): Promise<number> => {
    if (store !== null) return store.ttl(keyOf(browser));
    const sql = `select extract(epoch from expire - now()::timestamp)::int as left from session where sid = $1`;
    return (await app.dataSource.query<[{ left: number }]>(sql, [idOf(browser)]))[0].left;
  };

  /** Moves the absolute end of a session into the past. */
  const expireAbsolutely = async (browser: HttpClient): Promise<void> => {
    const aged = (text: string) => JSON.stringify({ ...(JSON.parse(text) as object), endsAt: Date.now() - 1 });
    if (store !== null) {
      await store.set(keyOf(browser), aged((await store.get(keyOf(browser)))!), 'KEEPTTL');
      return;
    }
    const sql = 'select sess::text as text from session where sid = $1';
    const [{ text }] = await app.dataSource.query<[{ text: string }]>(sql, [idOf(browser)]);
    await app.dataSource.query('update session set sess = $2 where sid = $1', [idOf(browser), aged(text)]);
  };

  /** Expires a session in the store, as its idle timeout does. */
  const expireIdle = (browser: HttpClient): Promise<unknown> =>
    store !== null
      ? store.del(keyOf(browser))
      : app.dataSource.query(`update session set expire = now() - interval '1 second' where sid = $1`, [idOf(browser)]);

  const expectOver = async (browser: HttpClient): Promise<void> => {
    expect((await browser.get('/api/user')).status).toBe(401);
    const page = await SocketClient.connect(browser);
    const { threadId } = await page.start('hello');
    const rows = await app.dataSource.query<{ user_id: number | null }[]>('select user_id from thread where id = $1', [
      threadId,
    ]);
    expect(rows).toEqual([{ user_id: null }]);
    await page.close();
  };

  it('is kept for an idle day, or for 30 days on request (AU-8)', async () => {
    const { client, username } = await app.member();
    const kept = app.client();
    await kept.post('/api/login', { username, password: PASSWORD, rememberMe: true });
    for (const [browser, days] of [
      [client, 1],
      [kept, 30],
    ] as const) {
      const left = await secondsLeft(browser);
      expect(left).toBeGreaterThan(days * DAY - 600);
      // A store may round up to whole seconds.
      expect(left).toBeLessThanOrEqual(days * DAY + 1);
    }
  });

  it('is over after its idle timeout, for REST and sockets (AU-8)', async () => {
    const { client } = await app.member();
    await expireIdle(client);
    await expectOver(client);
  });

  it('is over at its absolute end, for REST and sockets (AU-8)', async () => {
    const { client } = await app.member();
    await expireAbsolutely(client);
    await expectOver(client);
  });

  it('is over after a logout, for REST and sockets (AU-8)', async () => {
    const { client } = await app.member();
    const stolen = client.copy();
    await client.post('/api/logout');
    await expectOver(stolen);
  });
});
