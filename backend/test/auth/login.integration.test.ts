import type { User } from '@tanya/contract';
import { errorOf } from '../harness/http-client.js';
import { createDatabase } from '../harness/postgres.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp({ cachesHashes: false });
});

afterAll(async () => {
  await server.close();
});

const SESSION = 'tanya.sid';
const GUEST = 'tanya.guest';

describe('login', () => {
  it('names the missing field', async () => {
    const login = async (fields: object) => errorOf(await server.client().post('/api/login', fields)).message;
    for (const password of ['', undefined]) {
      expect(await login({ username: 'member', password })).toBe('Password is required');
    }
    for (const username of [' ', undefined])
      expect(await login({ username, password: PASSWORD })).toBe('Username is required');
  });

  it('gives the same response to an unknown name and a wrong password (AU-4)', async () => {
    const { username } = await server.member();
    const wrong = await server.client().post('/api/login', { username, password: 'not this one' });
    const unknown = await server.client().post('/api/login', { username: 'unknown name', password: 'not this one' });
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    const { requestId: _one, ...first } = errorOf(wrong);
    const { requestId: _two, ...second } = errorOf(unknown);
    expect(first).toEqual(second);
  });

  it('finds the account by its e-mail address, in any case, unless several have it or it is a name', async () => {
    const email = 'Siti@Example.org';
    const login = (username: string) => server.client().post<User>('/api/login', { username, password: PASSWORD });
    const { user } = await server.member({ email });
    expect((await login(' siti@example.ORG ')).body.id).toBe(user.id);
    // An account of an earlier version.
    const { user: named } = await server.member({ email: 'other@example.org' });
    await server.dataSource.query(`update "user" set username = $2, username_key = $3 where id = $1`, [
      named.id,
      email,
      email.toLowerCase(),
    ]);
    expect((await login(email)).body.id).toBe(named.id);
    await server.member({ email: 'other@example.org' });
    expect(errorOf(await login('other@example.org')).code).toBe('invalid_credentials');
  });

  it('does not show by its limits whose e-mail address it is', async () => {
    const email = 'counted@example.org';
    const { username } = await server.member({ email });
    const client = server.client();
    const wrong = (name: string) => client.post('/api/login', { username: name, password: 'not this one' });
    for (let tries = 0; tries < 10; tries += 1) expect((await wrong(email)).status).toBe(401);
    expect((await wrong(email)).status).toBe(429);
    expect((await wrong(username)).status).toBe(401);
  });

  it('gives no further attempts for other letters that Postgres takes for those of the address', async () => {
    await server.member({ email: 'siti.mail@example.org' });
    for (const username of ['sİti.mail@example.org', 'siti.maİl@example.org'])
      expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(401);
  });

  it('finds the account in any spelling of its name', async () => {
    const { user } = await server.member({ username: 'Straße' });
    const answer = await server.client().post<User>('/api/login', { username: ' STRASSE ', password: PASSWORD });
    expect(answer.body.id).toBe(user.id);
  });

  it.each([
    [{}, 400],
    [{ username: 'a' }, 400],
    [{ username: ['a'], password: 'b' }, 400],
    [{ username: 'a', password: true }, 400],
    [{ username: 'a', password: 'b', rememberMe: 'yes' }, 400],
    [{ username: 'a', password: 'b', isAdmin: true }, 400],
    [{ username: 'a', password: 'x'.repeat(5000) }, 400],
    [[], 400],
  ])('refuses malformed credentials, case %#', async (body, status) => {
    expect((await server.client().post('/api/login', body)).status).toBe(status);
  });

  it('creates a new session and a new guest, and none before (AU-6)', async () => {
    const { username } = await server.member();
    const browser = await server.guest();
    expect(browser.cookies.has(SESSION)).toBe(false);
    const guest = browser.cookies.get(GUEST);
    await browser.post('/api/login', { username, password: PASSWORD });
    const first = browser.cookies.get(SESSION);
    expect(browser.cookies.get(GUEST)).not.toBe(guest);
    await browser.post('/api/login', { username, password: PASSWORD });
    expect(browser.cookies.get(SESSION)).not.toBe(first);
    const old = server.client();
    old.cookies.set(SESSION, first!);
    expect((await old.get('/api/user')).status).toBe(401);
  });

  it('keeps the cookie for 30 days on request alone', async () => {
    const { username } = await server.member();
    const plain = await server.client().post('/api/login', { username, password: PASSWORD });
    const kept = await server.client().post('/api/login', { username, password: PASSWORD, rememberMe: true });
    const cookie = (headers: Headers) => headers.getSetCookie().find((line) => line.startsWith(SESSION))!;
    expect(cookie(plain.headers)).toMatch(/HttpOnly; SameSite=Lax$/i);
    expect(cookie(plain.headers)).not.toMatch(/expires|max-age/i);
    const expires = Date.parse(/expires=([^;]+)/i.exec(cookie(kept.headers))![1]!);
    expect(Math.round((expires - Date.now()) / 86_400_000)).toBe(30);
  });

  it('refuses an address after ten failures for an account, but not the account elsewhere (AU-5)', async () => {
    const { username } = await server.member();
    const attempts = await Promise.all(
      Array.from({ length: 14 }, () =>
        server.client('10.7.7.7').post('/api/login', { username, password: 'not this one' }),
      ),
    );
    const failed = attempts.filter(({ status }) => status === 401).length;
    expect(failed).toBeGreaterThanOrEqual(10);
    expect(failed).toBeLessThanOrEqual(13);
    const refused = await server.client('10.7.7.7').post('/api/login', { username, password: PASSWORD });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await server.client('10.7.7.8').post('/api/login', { username, password: PASSWORD })).status).toBe(200);
  });

  it('counts failures by the connection’s address, whatever X-Forwarded-For and username say (AU-5)', async () => {
    const direct = await startTestApp({ env: { trustProxy: null } });
    const attempt = (tries: number, username: string) =>
      direct.client(`10.5.5.${tries}`).post('/api/login', { username, password: 'not this one' });
    for (let tries = 0; tries < 10; tries += 1) expect((await attempt(tries, 'one name')).status).toBe(401);
    expect((await attempt(11, 'one name')).status).toBe(429);
    for (let tries = 10; tries < 50; tries += 1) expect((await attempt(tries, `name ${tries}`)).status).toBe(401);
    const refused = await attempt(51, 'yet another name');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await direct.close();
  });

  it('refuses the address also after a restart (AU-5)', async () => {
    const database = await createDatabase();
    const before = await startTestApp({ database });
    const { username } = await before.member();
    const login = (app: TestApp, password: string) => app.client('10.7.7.9').post('/api/login', { username, password });
    for (let tries = 0; tries < 10; tries += 1) await login(before, 'not this one');
    await before.close();
    const after = await startTestApp({ database });
    expect((await login(after, PASSWORD)).status).toBe(429);
    await after.close();
    await database.drop();
  });

  it('uses bounded memory for concurrent logins (AU-3)', async () => {
    const members = await Promise.all(Array.from({ length: 5 }, () => server.member()));
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
    const logins = Array.from({ length: 50 }, (_, at) =>
      server.client().post('/api/login', { username: members[at % 5]!.username, password: PASSWORD }),
    );
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(Array(50).fill(200));
    clearInterval(watch);
    // Without a bound of concurrency, 50 hashes would take 950 MB.
    expect(most - before).toBeLessThan(400 * 1024 * 1024);
  });

  it('stores argon2id, and renews a hash of outdated parameters (AU-3)', async () => {
    const { username, user } = await server.member();
    const old = '$argon2id$v=19$m=4096,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$' + 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    const read = async () =>
      (
        await server.dataSource.query<{ password_hash: string }[]>('select password_hash from "user" where id = $1', [
          user.id,
        ])
      )[0]!.password_hash;
    expect(await read()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const { hash } = await import('@node-rs/argon2');
    const weak = await hash(PASSWORD, { memoryCost: 4096, timeCost: 1 });
    await server.dataSource.query('update "user" set password_hash = $1 where id = $2', [weak, user.id]);
    expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(200);
    expect(await read()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await server.dataSource.query('update "user" set password_hash = $1 where id = $2', [old, user.id]);
    expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(401);
  });
});
