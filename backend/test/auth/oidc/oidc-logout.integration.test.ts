import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { type Answer, errorOf, HttpClient } from '../../harness/http-client.js';
import { waitForLockWait, withConnection } from '../../harness/lock-waits.js';
import { createDatabase, type TestDatabase } from '../../harness/postgres.js';
import { startRedis, type TestRedis } from '../../harness/redis.js';
import { startTestApp, type TestApp } from '../../harness/test-app.js';
import { waitUntil } from '../../harness/wait-until.js';
import { addProvider, begin, CLIENT, ScriptedProvider } from './scripted-provider.js';

let redis: TestRedis;
let database: TestDatabase;
/** Two nodes of one installation. */
let one: TestApp;
let two: TestApp;
let idp: ScriptedProvider;
let provider: { id: number };

beforeAll(async () => {
  [redis, database, idp] = await Promise.all([startRedis(), createDatabase(), ScriptedProvider.start()]);
  const env = { redisUrl: redis.url, appSecret: 'the same on both of these nodes!' };
  one = await startTestApp({ database, env });
  two = await startTestApp({ database, env });
  provider = await addProvider(one, idp);
});
afterAll(async () => {
  await Promise.all([one.close(), two.close()]);
  await database.drop();
  await redis.stop();
  await idp.close();
});

const isSignedIn = async (client: HttpClient) => (await client.get('/api/user')).status === 200;

async function signedIn(claims: JWTPayload): Promise<HttpClient> {
  const client = one.client();
  await idp.signIn(client, provider, claims);
  expect(await isSignedIn(client)).toBe(true);
  return client;
}

/** The provider reports a logout to the other node, as a server without cookies does. */
const report = (token: string, node = two, sender = node.client()): Promise<Answer<unknown>> =>
  sender.send('POST', `/api/auth/oidc/${provider.id}/backchannel-logout`, {
    raw: new URLSearchParams({ logout_token: token }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });

describe('a logout that a provider reports', () => {
  it('ends the session that it names', async () => {
    const sub = randomUUID();
    const [first, second] = [await signedIn({ sub, sid: 'first' }), await signedIn({ sub, sid: 'second' })];
    expect((await report(await idp.logoutToken({ sub, sid: 'first' }))).status).toBe(200);
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
    expect((await report(await idp.logoutToken({ sid: 'second' }))).status).toBe(200);
    expect(await isSignedIn(second)).toBe(false);
  });

  it('without a name ends all of the person, and none of others', async () => {
    const sub = randomUUID();
    const clients = [await signedIn({ sub, sid: randomUUID() }), await signedIn({ sub })];
    const other = await signedIn({ sub: randomUUID(), sid: randomUUID() });
    expect((await report(await idp.logoutToken({ sub }))).status).toBe(200);
    expect(await Promise.all([...clients, other].map(isSignedIn))).toEqual([false, false, true]);
  });

  it('ends a session that is just beginning', async () => {
    const [sub, sid] = [randomUUID(), randomUUID()];
    await signedIn({ sub, sid: 'earlier' });
    const client = one.client();
    await withConnection(database, async (other) => {
      // The login has noted the session of the provider, and waits to move the chats of the guest.
      await other.query('begin');
      await other.query('lock table quota_account in exclusive mode');
      const signIn = idp.signIn(client, provider, { sub, sid });
      await waitForLockWait(database);
      expect((await report(await idp.logoutToken({ sub, sid }))).status).toBe(200);
      await other.query('commit');
      expect(errorOf(await signIn).code).toBe('sign_in_failed');
    });
    expect(await isSignedIn(client)).toBe(false);
  });

  it('counts once', async () => {
    const [sub, sid] = [randomUUID(), randomUUID()];
    await signedIn({ sub, sid });
    const token = await idp.logoutToken({ sub });
    expect((await report(token)).status).toBe(200);
    const again = await signedIn({ sub, sid });
    expect(errorOf(await report(token, one)).code).toBe('sign_in_failed');
    expect(await isSignedIn(again)).toBe(true);
  });

  it('does not end sessions that began with a password', async () => {
    const member = await one.member();
    const sub = randomUUID();
    await one.dataSource.query('insert into user_identity (user_id, issuer, subject) values ($1, $2, $3)', [
      member.user.id,
      idp.issuer,
      sub,
    ]);
    const client = await signedIn({ sub });
    await report(await idp.logoutToken({ sub }));
    expect([await isSignedIn(client), await isSignedIn(member.client)]).toEqual([false, true]);
  });

  it('is refused with a token that is not one (SSO-5)', async () => {
    const sub = randomUUID();
    const client = await signedIn({ sub });
    const now = Math.floor(Date.now() / 1000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const base = { iss: idp.issuer, aud: CLIENT.clientId, iat: now, exp: now + 60, sub, events };
    const tokens = [
      await idp.logoutToken({ sub, aud: 'another-client' }),
      await idp.logoutToken({ sub, iss: 'https://other.example' }),
      await idp.logoutToken({ sub, nonce: 'an ID token' }),
      await idp.logoutToken({ sub, events: undefined }),
      await idp.logoutToken({ sub, events: { other: {} } }),
      await idp.logoutToken({ sub, events: 'text' }),
      await idp.logoutToken({ sub, jti: undefined }),
      await idp.logoutToken({ sub, iat: now - 3600, exp: now + 60 }),
      await idp.logoutToken({ sub, exp: now - 600, iat: now - 700 }),
      await idp.logoutToken({}),
      await idp.logoutToken({ sub: 7 as never }),
      idp.unsigned({ ...base, jti: randomUUID() }),
      'no token',
      '',
    ];
    for (const token of tokens) {
      const answer = await report(token, two);
      expect([token.slice(0, 20), answer.status]).toEqual([token.slice(0, 20), 400]);
    }
    expect((await report('x'.repeat(5 * 1024 * 1024))).status).toBe(413);
    const json = await two.client().post(`/api/auth/oidc/${provider.id}/backchannel-logout`, { logout_token: 7 });
    expect(json.status).toBe(400);
    expect(await isSignedIn(client)).toBe(true);
  });
});

describe('tokens that are none', () => {
  it('cost a provider few requests, also when many come at once and while it is down', async () => {
    for (const isDown of [false, true]) {
      idp.isDown = isDown;
      const flood = two.client();
      const before = idp.requests.length;
      const answers = await Promise.all(Array.from({ length: 200 }, () => report('no token', two, flood)));
      idp.isDown = false;
      expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(150);
      // The description each time: 30 that are counted, and those that run beside them.
      expect(idp.requests.length - before).toBeLessThan(45);
    }
    const sub = randomUUID();
    const client = await signedIn({ sub });
    const tokens = await Promise.all(Array.from({ length: 60 }, () => idp.logoutToken({ sub })));
    const sender = two.client();
    const answers = await Promise.all(tokens.map((token) => report(token, two, sender)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await isSignedIn(client)).toBe(false);
  });
});

describe('a sign-in on two nodes', () => {
  it('ends on another node than it began on, once, also after Redis was lost', async () => {
    const client = one.client();
    const asked = await begin(client, provider);
    await redis.kill();
    await redis.start();
    await waitUntil('Redis', async () => (await two.client().get('/api/health/ready')).status === 200);
    const elsewhere = new HttpClient(two.url, client.address, client.cookies);
    const copy = elsewhere.copy();
    // The address of the callback has the origin of the node that began it.
    const answer = await idp.finish(elsewhere, asked, { sub: randomUUID() });
    expect([answer.status, answer.text]).toEqual([302, expect.anything()]);
    expect(await isSignedIn(elsewhere)).toBe(true);
    const replayed = await idp.finish(copy, asked, { sub: randomUUID() });
    expect(errorOf(replayed).code).toBe('sign_in_failed');
  });
});
