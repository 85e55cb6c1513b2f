import type { User } from '@tanya/contract';
import { TEXTS } from '@tanya/contract';
import { errorOf } from './http-client.js';
import { createDatabase } from './postgres.js';
import { PASSWORD, startTestApp, type TestApp } from './test-app.js';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});

afterAll(async () => {
  await server.close();
});

const SESSION = 'tanya.sid';
const GUEST = 'tanya.guest';

let count = 0;
const newcomer = () => ({ username: `newcomer-${(count += 1)}`, password: PASSWORD });

describe('registration', () => {
  it('makes an account, signs it in and answers nothing but its public fields', async () => {
    const browser = await server.guest();
    const answer = await browser.post<User>('/api/register', {
      ...newcomer(),
      fullName: 'Ayu Lestari',
      email: 'ayu@example.com',
      phoneNumber: '+62 812 0000',
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number) as number,
      username: `newcomer-${count}`,
      fullName: 'Ayu Lestari',
      email: 'ayu@example.com',
      phoneNumber: '+62 812 0000',
      isPremium: false,
      isAdmin: false,
      messageCount: 0,
    });
    expect((await browser.get<User>('/api/user')).body.id).toBe(answer.body.id);
    expect((await browser.get('/api/session')).body).toEqual({ user: answer.body });
    await browser.post('/api/logout');
    expect((await browser.get('/api/session')).body).toEqual({ user: null });
  });

  const long = (length: number) => 'x'.repeat(length);

  it.each([
    [{ fullName: 'A' }, 'fullName', TEXTS.validation.fullName],
    [{ email: 'nowhere' }, 'email', TEXTS.validation.email],
    [{ phoneNumber: '1234' }, 'phoneNumber', TEXTS.validation.phoneNumber],
    [{ password: 'seven 7' }, 'password', expect.any(String)],
    [{ password: long(129) }, 'password', expect.any(String)],
    [{ password: 'password1' }, 'password', expect.any(String)],
    [{ username: '   ' }, 'username', expect.any(String)],
    [{ username: 'adm\u200bin' }, 'username', expect.any(String)],
    [{ username: long(65) }, 'username', expect.any(String)],
    [{ username: { $ne: '' } }, 'username', expect.any(String)],
    [{ isAdmin: true }, 'isAdmin', expect.any(String)],
    [{ id: 1 }, 'id', expect.any(String)],
  ])('refuses what breaks a rule, case %#', async (fields, field, message) => {
    const answer = await server.client().post('/api/register', { ...newcomer(), ...fields });
    expect(answer.status).toBe(400);
    expect(errorOf(answer).details).toEqual([{ field, message: message as string }]);
  });

  it.each([
    ['8 characters', 'ü 🌊 abc!'],
    ['128 characters', '🌊 ü '.repeat(25) + 'end'],
    ['blanks at its ends', '  harbour  '],
  ])('takes a password of any kind: %s', async (_, password) => {
    const credentials = { ...newcomer(), password };
    expect((await server.client().post('/api/register', credentials)).status).toBe(201);
    expect((await server.client().post('/api/login', credentials)).status).toBe(200);
  });

  it('compares every character of a long password', async () => {
    const { username } = newcomer();
    const password = 'long '.repeat(20);
    await server.client().post('/api/register', { username, password: `${password}1` });
    expect((await server.client().post('/api/login', { username, password: `${password}2` })).status).toBe(401);
  });

  it('gives a name to one of many who want it at once, however they write it', async () => {
    const names = ['Rahasia', 'rahasia', 'RAHASIA', 'ｒａｈａｓｉａ', ' rahasia '];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        server.client('10.9.9.9').post('/api/register', { username: names[index % 5], password: PASSWORD }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(29).fill(409)]);
    expect(errorOf(answers.find(({ status }) => status === 409)!).code).toBe('username_taken');
  });

  it('lets one address make ten accounts an hour', async () => {
    const statuses: number[] = [];
    for (let made = 0; made < 11; made += 1) {
      const answer = await server.client('10.8.8.8').post('/api/register', newcomer());
      statuses.push(answer.status);
      if (made === 10) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(201), 429]);
  });
});

describe('login', () => {
  it('answers an unknown name and a wrong password alike', async () => {
    const { username } = await server.member();
    const wrong = await server.client().post('/api/login', { username, password: 'not this one' });
    const unknown = await server.client().post('/api/login', { username: 'nobody at all', password: 'not this one' });
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    const { requestId: _one, ...first } = errorOf(wrong);
    const { requestId: _two, ...second } = errorOf(unknown);
    expect(first).toEqual(second);
  });

  it('finds the account however its name is written', async () => {
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

  it('makes a new session and a new guest, and sends no session before', async () => {
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

  it('keeps the cookie for 30 days only where asked to', async () => {
    const { username } = await server.member();
    const plain = await server.client().post('/api/login', { username, password: PASSWORD });
    const kept = await server.client().post('/api/login', { username, password: PASSWORD, rememberMe: true });
    const cookie = (headers: Headers) => headers.getSetCookie().find((line) => line.startsWith(SESSION))!;
    expect(cookie(plain.headers)).toMatch(/HttpOnly; SameSite=Lax$/i);
    expect(cookie(plain.headers)).not.toMatch(/expires|max-age/i);
    const expires = Date.parse(/expires=([^;]+)/i.exec(cookie(kept.headers))![1]!);
    expect(Math.round((expires - Date.now()) / 86_400_000)).toBe(30);
  });

  it('refuses an address after ten failures for an account, but not the account elsewhere', async () => {
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

  it('AU-5: refuses it after a restart, too', async () => {
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

  it('stores argon2id, and renews a hash of older parameters', async () => {
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

describe('logout', () => {
  it('ends this session alone and makes the browser another guest', async () => {
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

  it('everywhere ends all sessions', async () => {
    const { client: one, username } = await server.member();
    const two = server.client();
    await two.post('/api/login', { username, password: PASSWORD });
    expect((await two.post('/api/user/logout-everywhere')).status).toBe(200);
    expect((await one.get('/api/user')).status).toBe(401);
    expect((await two.get('/api/user')).status).toBe(401);
  });
});

describe('guests', () => {
  it('get a signed cookie with their first read and keep it', async () => {
    const browser = server.client();
    const answer = await browser.get('/api/general-settings');
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^tanya\.guest=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax/,
    );
    const cookie = browser.cookies.get(GUEST);
    expect((await browser.get('/api/general-settings')).headers.getSetCookie()).toEqual([]);
    expect(browser.cookies.get(GUEST)).toBe(cookie);
  });

  it('cannot forge one', async () => {
    const browser = await server.guest();
    const [, issuedAt, signature] = browser.cookies.get(GUEST)!.split('.');
    browser.cookies.set(GUEST, `00000000-0000-4000-8000-000000000000.${issuedAt}.${signature}`);
    const answer = await browser.get('/api/general-settings');
    expect(answer.headers.getSetCookie()).toHaveLength(1);
  });

  it('are told to sign in where an account is needed', async () => {
    const browser = await server.guest();
    for (const path of ['/api/user', '/api/user/apikey', '/api/user/export', '/api/admin/users']) {
      const answer = await browser.get(path);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(errorOf(answer).code).toBe('unauthenticated');
    }
  });
});

describe('what comes from elsewhere', () => {
  it.each(['https://evil.example', 'null', 'http://127.0.0.1.evil.example'])(
    'is refused from Origin %s',
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

  it('is taken from the own page', async () => {
    const { client } = await server.member();
    const answer = await client.post('/api/user/apikey/generate', undefined, { headers: { Origin: server.url } });
    expect(answer.status).toBe(200);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'is refused as %j',
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
  ])('is refused when it is %s', async (raw) => {
    const answer = await server
      .client()
      .send('POST', '/api/register', { raw, headers: { 'Content-Type': 'application/json' } });
    expect(answer.status).toBe(400);
    expect(errorOf(answer).code).toBe('invalid');
  });

  it('does not pollute prototypes and does not overflow', async () => {
    const json = { 'Content-Type': 'application/json' };
    const polluted =
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"username":"x","password":"y"}';
    const deep = `{"username":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    for (const raw of [polluted, deep]) {
      const answer = await server.client().send('POST', '/api/register', { raw, headers: json });
      expect(answer.status).toBe(400);
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

describe('an account of one’s own', () => {
  const next = 'another quiet harbour';

  it('changes its password, which ends all other sessions', async () => {
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

  it('takes its data away', async () => {
    const { client, username } = await server.member({ email: 'own@example.com' });
    const answer = await client.get<{ account: User }>('/api/user/export');
    expect(answer.body.account).toMatchObject({ username, email: 'own@example.com' });
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(answer.text).not.toMatch(/argon2|hash|sealed/i);
  });

  it('deletes itself with its password, and then is nobody', async () => {
    const { client, username } = await server.member();
    expect((await client.delete('/api/user', { password: 'wrong one' })).status).toBe(401);
    expect((await client.copy().delete('/api/user', { password: PASSWORD })).status).toBe(200);
    expect((await client.get('/api/user')).status).toBe(401);
    expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(401);
    expect((await server.client().post('/api/register', { username, password: PASSWORD })).status).toBe(201);
  });

  it('is over when its session is', async () => {
    const { client, user } = await server.member();
    await server.dataSource.query('update "user" set session_epoch = session_epoch + 1 where id = $1', [user.id]);
    expect((await client.get('/api/user')).status).toBe(401);
  });
});
