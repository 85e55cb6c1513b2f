import type { User } from '@tanya/contract';
import { TEXTS } from '@tanya/contract';
import { errorOf } from '../harness/http-client.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});

afterAll(async () => {
  await server.close();
});

let count = 0;
const newcomer = () => ({ username: `newcomer-${(count += 1)}`, password: PASSWORD });

describe('registration', () => {
  it('creates an account with a session and returns its public fields alone', async () => {
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
      hasTotp: false,
      language: null,
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
    [{ username: 'siti＠example.org' }, 'username', expect.stringContaining('@')],
    [{ username: { $ne: '' } }, 'username', expect.any(String)],
    [{ isAdmin: true }, 'isAdmin', expect.any(String)],
    [{ id: 1 }, 'id', expect.any(String)],
  ])('refuses an invalid field, case %# (AU-1, AU-2)', async (fields, field, message) => {
    const answer = await server.client().post('/api/register', { ...newcomer(), ...fields });
    expect(answer.status).toBe(400);
    expect(errorOf(answer).details).toMatchObject([{ field, message: message as string }]);
  });

  it.each([
    ['8 characters', 'ü 🌊 abc!'],
    ['128 characters', '🌊 ü '.repeat(25) + 'end'],
    ['blanks around it', '  harbour  '],
    ['digits alone', '8392741065'],
    ['one repeated letter', 'zzzzzzzzzzzzzzz'],
  ])('accepts a password of %s (AU-1, AU-2)', async (_, password) => {
    const credentials = { ...newcomer(), password };
    expect((await server.client().post('/api/register', credentials)).status).toBe(201);
    expect((await server.client().post('/api/login', credentials)).status).toBe(200);
  });

  it('keeps the session of a member until it succeeds', async () => {
    const { client, user, username } = await server.member();
    expect((await client.post('/api/register', { ...newcomer(), username })).status).toBe(409);
    expect((await client.get<User>('/api/user')).body.id).toBe(user.id);
    const { body } = await client.post<User>('/api/register', newcomer());
    expect((await client.get<User>('/api/user')).body.id).toBe(body.id);
  });

  it('compares every character of a long password (AU-1)', async () => {
    const { username } = newcomer();
    const password = 'long '.repeat(20);
    await server.client().post('/api/register', { username, password: `${password}1` });
    expect((await server.client().post('/api/login', { username, password: `${password}2` })).status).toBe(401);
  });

  it('gives a name to one of many concurrent registrations, in any spelling (AU-11)', async () => {
    const names = ['Rahasia', 'rahasia', 'RAHASIA', 'ｒａｈａｓｉａ', ' rahasia '];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        server.client('10.9.9.9').post('/api/register', { username: names[index % 5], password: PASSWORD }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(29).fill(409)]);
    expect(errorOf(answers.find(({ status }) => status === 409)!).code).toBe('username_taken');
  });

  it('allows ten accounts an hour per address (LIM-8)', async () => {
    const statuses: number[] = [];
    for (let made = 0; made < 11; made += 1) {
      const answer = await server.client('10.8.8.8').post('/api/register', newcomer());
      statuses.push(answer.status);
      if (made === 10) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(201), 429]);
  });

  it('refuses common passwords in every call that sets one (AU-2)', async () => {
    const admin = await server.admin();
    const { client, user } = await server.member();
    const common = ['password1', 'PASSWORD1', 'qwerty123', '12345678', 'iloveyou1'];
    for (const password of common) {
      const answers = [
        await server.client().post('/api/register', { ...newcomer(), password }),
        await client.post('/api/user/password', { currentPassword: PASSWORD, newPassword: password }),
        await admin.post('/api/admin/users', { ...newcomer(), password }),
        await admin.patch(`/api/admin/users/${user.id}`, { password }),
        await admin.post(`/api/admin/users/${user.id}/reset-password`, { newPassword: password }),
      ];
      expect([password, answers.map(({ status }) => status)]).toEqual([password, Array(5).fill(400)]);
    }
  });
});
