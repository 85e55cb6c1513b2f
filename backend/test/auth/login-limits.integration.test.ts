import { RateLimits } from '../../src/platform/rate-limits/rate-limits.js';
import { PasswordsService } from '../../src/users/passwords.service.js';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { type Answer, errorOf, type HttpClient } from '../harness/http-client.js';
import { withConnection } from '../harness/lock-waits.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { enrolledMember } from './totp-harness.js';
import { codeOf } from '../harness/totp-codes.js';
import { waitUntil } from '../harness/wait-until.js';

const times = <T>(count: number, start: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => start(at)));

const statusesOf = (answers: Answer<unknown>[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

function expectToWait(answer: Answer<unknown>, status: number, code: string): void {
  expect([answer.status, errorOf(answer).code, errorOf(answer).retryable]).toEqual([status, code, true]);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe.each(ADAPTERS)('right passwords, %s', (_name, redis) => {
  let server: ChatHarness;

  beforeAll(async () => {
    server = await startChatHarness({ redis });
  });

  afterAll(() => server.close());

  const login = (username: string, fields: object = {}, client = server.client()) =>
    client.post('/api/login', { username, password: PASSWORD, ...fields });

  it('log in to an account 30 times in a quarter of an hour, from all addresses together (AU-20)', async () => {
    // The harness has logged in once.
    const [{ username }, other] = [await server.member(), await server.member()];
    const answers = await times(40, () => login(username, { rememberMe: true }));
    expect(statusesOf(answers)).toEqual([...Array<number>(29).fill(200), ...Array<number>(11).fill(429)]);
    expectToWait(await login(username), 429, 'rate_limited');
    expect((await login(other.username)).status).toBe(200);
  });

  it('do not make a session that exists end, nor other names of the account fresh (AU-20)', async () => {
    const { client, username, user } = await server.member();
    await times(29, () => login(username));
    const renamed = `${username}-renamed`;
    const admin = await server.admin();
    expect((await admin.patch(`/api/admin/users/${user.id}`, { username: renamed })).status).toBe(200);
    expectToWait(await login(renamed), 429, 'rate_limited');
    expect((await client.get('/api/user')).status).toBe(200);
  });

  it('without the code of a second factor are limited for an address and lock no owner out (AU-20)', async () => {
    const { username, secret, recoveryCodes } = await enrolledMember(server);
    const thief = server.client();
    const statuses = statusesOf(await times(35, () => login(username, {}, thief)));
    expect(statuses).toEqual([...Array<number>(30).fill(401), ...Array<number>(5).fill(429)]);
    expectToWait(await login(username, {}, thief), 429, 'rate_limited');
    expect(errorOf(await login(username)).code).toBe('totp_required');
    expect((await login(username, { code: codeOf(secret) })).status).toBe(200);
    expect((await login(username, { code: recoveryCodes[0] })).status).toBe(200);
  });

  it('confirm changes of an account 30 times in a quarter of an hour, in all calls together (AU-20)', async () => {
    const { client, username } = await server.member();
    const email = (await client.patch('/api/user', { email: 'new@example.org', currentPassword: PASSWORD })).status;
    expect(email).toBe(200);
    const answers = await times(35, () => client.post('/api/user/totp/enroll', { password: PASSWORD }));
    expect(statusesOf(answers)).toEqual([...Array<number>(29).fill(200), ...Array<number>(6).fill(429)]);
    const calls: ((browser: HttpClient) => Promise<Answer<unknown>>)[] = [
      (browser) => browser.post('/api/user/password', { currentPassword: PASSWORD, newPassword: 'a quiet bay' }),
      (browser) => browser.patch('/api/user', { email: 'another@example.org', currentPassword: PASSWORD }),
      (browser) => browser.post('/api/user/totp/disable', { password: PASSWORD, code: '123456' }),
      (browser) => browser.delete('/api/user', { password: PASSWORD }),
    ];
    for (const call of calls) expectToWait(await call(client), 429, 'rate_limited');
    expect((await login(username)).status).toBe(200);
  });

  it('are not counted as attempts of an address (AU-20)', async () => {
    const limits = server.app.get(RateLimits);
    const attempts = { name: 'login-attempts', points: 200, window: 15 * 60, isDurable: true };
    const { username } = await server.member();
    const office = '10.66.0.1';
    await login(username, {}, server.client(office));
    expect(await limits.used(attempts, office)).toBe(0);
    await login(username, { password: 'not this one' }, server.client(office));
    expect(await limits.used(attempts, office)).toBe(1);
  });

  it('of an address with 200 wrong or refused attempts wait in a queue that has an end (AU-5, AU-20)', async () => {
    const { username } = await server.member();
    const flood = (count: number) =>
      times(count, (at) => login(`unknown ${at % 3}`, { password: 'not this one' }, server.client('10.66.0.2')));
    for (let sent = 0; sent < 200; sent += 50) {
      for (const { status } of await flood(50)) expect([401, 429]).toContain(status);
    }
    const answers = await flood(20);
    const busy = answers.filter(({ status }) => status === 503);
    expect(busy.length).toBeGreaterThanOrEqual(5);
    for (const answer of busy) expectToWait(answer, 503, 'server_busy');
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect((await login(username)).status).toBe(200);
  });

  it('are guessed from one IPv6 site (/48) 16 times as often as from one address (AU-5)', async () => {
    const { username } = await server.member();
    const limits = server.app.get(RateLimits);
    const siteFailures = { name: 'login-address-site', points: 800, window: 15 * 60, isDurable: true };
    const guess = (network: number) =>
      login(
        `unknown ${network}`,
        { password: 'not this one' },
        server.client(`2001:db8:77:${network.toString(16)}::1`),
      );
    expect((await guess(1)).status).toBe(401);
    expect(await limits.used(siteFailures, '2001:db8:77::/48')).toBe(1);
    await times(799, () => limits.count(siteFailures, '2001:db8:77::/48'));
    expectToWait(await guess(2), 429, 'rate_limited');
    expectToWait(await login(username, {}, server.client('2001:db8:77:3::1')), 429, 'rate_limited');
    expect((await login(username, {}, server.client('2001:db8:78::1'))).status).toBe(200);
  });
});

describe('a flood of passwords', () => {
  /** Logins that run and wait. */
  const PLACES = 4 + 100;
  let server: TestApp;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
    server = await startTestApp({ database, cachesHashes: false });
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  it('is refused once the queue of logins is full; those that wait have their turn (AU-3, AU-20)', async () => {
    const { username } = await server.member();
    const answers: Answer<unknown>[] = [];
    await withConnection(database, async (client) => {
      await client.query('begin');
      await client.query('lock table "user" in access exclusive mode');
      const logins = times(PLACES + 20, async (at) => {
        answers.push(await server.client().post('/api/login', { username: `unknown ${at}`, password: 'not this one' }));
      });
      await waitUntil('refused logins', async () => answers.length === 20);
      await client.query('rollback');
      await logins;
    });
    for (const answer of answers.slice(0, 20)) expectToWait(answer, 503, 'server_busy');
    expect(statusesOf(answers.slice(20))).toEqual(Array(PLACES).fill(401));
    expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(200);
  });

  it('leaves new passwords a typed refusal while hashes wait (AU-3, AU-20)', async () => {
    const passwords = server.app.get(PasswordsService);
    const outcomes = await Promise.allSettled(Array.from({ length: 104 }, () => passwords.hash(PASSWORD)));
    expect(outcomes.slice(0, 102).every(({ status }) => status === 'fulfilled')).toBe(true);
    for (const outcome of outcomes.slice(102))
      expect(outcome).toMatchObject({ reason: { code: 'server_busy', status: 503 } });
    const newcomer = { username: 'newcomer after a flood', password: PASSWORD };
    expect((await server.client().post('/api/register', newcomer)).status).toBe(201);
  });
});
