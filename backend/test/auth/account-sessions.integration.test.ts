import { RateLimits } from '../../src/platform/rate-limits/rate-limits.js';
import { AccountSessions } from '../../src/platform/session/account-sessions.js';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { Redis } from 'ioredis';
import type { HttpClient } from '../harness/http-client.js';
import { SocketClient } from '../harness/socket-client.js';
import { type Member, PASSWORD } from '../harness/test-app.js';

const MAX = 50;
const SESSION = 'tanya.sid';

describe.each(ADAPTERS)('the sessions of an account, %s', (_name, withRedis) => {
  let server: ChatHarness;
  let store: Redis | null = null;

  beforeAll(async () => {
    server = await startChatHarness({ redis: withRedis });
    store = server.redis && new Redis(server.redis.url);
  });

  afterAll(async () => {
    store?.disconnect();
    await server.close();
  });

  /** Logs in without using up the limit of logins. */
  async function logIn({ username, user }: Member, rememberMe = false): Promise<HttpClient> {
    const browser = server.client();
    const answer = await browser.post('/api/login', { username, password: PASSWORD, rememberMe });
    expect(answer.status).toBe(200);
    const logins = { name: 'logins', points: 30, window: 15 * 60, isDurable: true };
    await server.app.get(RateLimits).rewardAll([[logins, `user:${user.id}`]]);
    return browser;
  }

  async function logInTimes(member: Member, count: number): Promise<HttpClient[]> {
    const browsers: HttpClient[] = [];
    while (browsers.length < count) browsers.push(await logIn(member));
    return browsers;
  }

  const isSignedIn = async (browser: HttpClient) => (await browser.get('/api/user')).status === 200;

  const idOf = (browser: HttpClient) => decodeURIComponent(browser.cookies.get(SESSION)!).slice(2).split('.')[0]!;

  /** Expires a session in the store, as its idle timeout does. */
  const expireIdle = (browser: HttpClient): Promise<unknown> =>
    store !== null
      ? store.del(`tanya:session:${idOf(browser)}`)
      : server.dataSource.query(`update session set expire = now() - interval '1 second' where sid = $1`, [
          idOf(browser),
        ]);

  it('are 50 at most: a new one ends the oldest and closes its sockets (AU-21)', async () => {
    const member = await server.member();
    const [second, ...others] = await logInTimes(member, MAX - 1);
    expect(await isSignedIn(member.client)).toBe(true);
    const page = await SocketClient.connect(member.client);
    const closed = new Promise((resolve) => page.socket.once('disconnect', resolve));
    const newest = await logIn(member);
    await closed;
    expect(await isSignedIn(member.client)).toBe(false);
    for (const browser of [second!, others.at(-1)!, newest]) expect(await isSignedIn(browser)).toBe(true);
    await logIn(member);
    expect(await isSignedIn(second!)).toBe(false);
    expect(await isSignedIn(others[0]!)).toBe(true);
  });

  it('stay 50 after many logins at once, and those of other accounts stay (AU-21)', async () => {
    const [member, other] = [await server.member(), await server.member()];
    const browsers = [member.client, ...(await logInTimes(member, MAX - 1))];
    browsers.push(...(await Promise.all(Array.from({ length: 10 }, () => logIn(member)))));
    const signedIn = await Promise.all(browsers.map(isSignedIn));
    expect(signedIn.filter(Boolean)).toHaveLength(MAX);
    expect(signedIn.slice(-10)).toEqual(Array(10).fill(true));
    expect(await isSignedIn(other.client)).toBe(true);
  });

  it('that have ended leave room: an older one that is remembered stays (AU-21)', async () => {
    const member = await server.member();
    const remembered = await logIn(member, true);
    const browsers = await logInTimes(member, MAX - 2);
    for (const browser of browsers.slice(0, 20)) await expireIdle(browser);
    await browsers[20]!.post('/api/logout');
    await logInTimes(member, 21);
    for (const browser of [member.client, remembered, browsers[21]!]) expect(await isSignedIn(browser)).toBe(true);
    await logIn(member);
    expect(await isSignedIn(member.client)).toBe(false);
    expect(await isSignedIn(remembered)).toBe(true);
  });

  it('that an earlier version has stored count too (AU-21)', async () => {
    const member = await server.member();
    const [second] = await logInTimes(member, 2);
    // Earlier versions kept no such keys.
    await store?.del(`tanya:account-sessions:${member.user.id}`, 'tanya:account-sessions:counted');
    await server.app.get(AccountSessions).countEarlier();
    await logInTimes(member, MAX - 2);
    expect(await isSignedIn(member.client)).toBe(false);
    expect(await isSignedIn(second!)).toBe(true);
  });

  it('end earlier where that is set', async () => {
    const member = await server.member();
    const [browser, other] = await logInTimes(member, 2);
    const sessions = server.app.get(AccountSessions);
    const endsAt = Date.now() + 60_000;
    await sessions.shorten(member.user.id, endsAt);
    await sessions.shorten(member.user.id, endsAt + 60_000);
    for (const { data } of await sessions.list(member.user.id)) expect(data).toMatchObject({ endsAt });
    expect((await browser!.get('/api/user')).status).toBe(200);
    await sessions.shorten(member.user.id, Date.now() - 1);
    for (const client of [browser!, other!]) expect((await client.get('/api/user')).status).toBe(401);
  });

  it('continue under a new id after a new password without ending others early (AU-21)', async () => {
    const member = await server.member();
    await logInTimes(member, MAX - 1);
    const changed = await member.client.post('/api/user/password', {
      currentPassword: PASSWORD,
      newPassword: 'a quiet harbour at dusk',
    });
    expect(changed.status).toBe(200);
    expect(await isSignedIn(member.client)).toBe(true);
  });
});
