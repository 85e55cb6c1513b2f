import { TEXTS, type User } from '@tanya/contract';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { SocketClient } from '../harness/socket-client.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});

afterAll(() => server.close());

const PATH = '/api/user';
const change = (client: HttpClient, changes: unknown) => client.patch<User>(PATH, changes);

describe('the own profile', () => {
  it('changes field by field and returns the account', async () => {
    const { client, user, username } = await server.member({ phoneNumber: '0812 0000' });
    const named = await change(client, { fullName: '  Ayu Lestari ' });
    expect(named.status).toBe(200);
    expect(named.body).toMatchObject({ id: user.id, username, fullName: 'Ayu Lestari', phoneNumber: '0812 0000' });
    await change(client, { email: ' ayu@example.com ', phoneNumber: '+62 812 1111', currentPassword: PASSWORD });
    expect((await client.get<User>(PATH)).body).toMatchObject({
      fullName: 'Ayu Lestari',
      email: 'ayu@example.com',
      phoneNumber: '+62 812 1111',
    });
    expect((await change(client, { fullName: '' })).body.fullName).toBeNull();
    expect((await change(client, {})).body.email).toBe('ayu@example.com');
  });

  it.each([
    [{ fullName: 'A' }, 'fullName', TEXTS.validation.fullName],
    [{ email: 'nowhere' }, 'email', TEXTS.validation.email],
    [{ email: '' }, 'email', TEXTS.validation.email],
    [{ phoneNumber: '1234' }, 'phoneNumber', TEXTS.validation.phoneNumber],
    [{ phoneNumber: null }, 'phoneNumber', TEXTS.validation.phoneNumber],
    [{ isAdmin: true }, 'isAdmin', expect.any(String)],
    [{ isPremium: true }, 'isPremium', expect.any(String)],
    [{ username: 'admin' }, 'username', expect.any(String)],
    [{ password: 'another quiet harbour' }, 'password', expect.any(String)],
  ])('refuses %j (MA-1)', async (fields, field, message) => {
    const { client, user } = await server.member();
    const answer = await change(client, fields);
    expect(answer.status).toBe(400);
    expect(errorOf(answer).details).toMatchObject([{ field, message: message as string }]);
    expect((await client.get<User>(PATH)).body).toMatchObject({ username: user.username, isAdmin: false, email: null });
  });

  it('needs the current password for a new e-mail address alone (AU-10)', async () => {
    const { client } = await server.member({ email: 'ayu@example.com' });
    const missing = await change(client, { email: 'new@example.com' });
    expect(errorOf(missing)).toMatchObject({ code: 'reauthentication_required', statusCode: 403 });
    const wrong = errorOf(await change(client, { email: 'new@example.com', currentPassword: 'not this one' }));
    expect(wrong).toMatchObject({ code: 'invalid_credentials', statusCode: 401 });
    expect((await client.get<User>(PATH)).body.email).toBe('ayu@example.com');
    expect((await change(client, { email: 'ayu@example.com', fullName: 'Ayu' })).status).toBe(200);
    const right = await change(client, { email: 'new@example.com', currentPassword: PASSWORD });
    expect(right.body).toMatchObject({ email: 'new@example.com', fullName: 'Ayu' });
  });

  it('holds the language of the page, which null resets to that of the site', async () => {
    const { client, username } = await server.member();
    const device = server.client();
    await device.post('/api/login', { username, password: PASSWORD });
    expect((await change(client, { language: 'id' })).body.language).toBe('id');
    expect((await device.get<{ user: User }>('/api/session')).body.user.language).toBe('id');
    expect((await change(client, { fullName: 'Ayu' })).body.language).toBe('id');
    expect((await change(client, { language: null })).body.language).toBeNull();
    for (const language of ['', 'de', 'browser', 1]) {
      expect(refusedField(await change(client, { language }))).toBe('language');
    }
  });

  it('is announced to the sockets of its account alone', async () => {
    const [own, other] = [await server.member(), await server.member()];
    const page = await SocketClient.connect(own.client);
    const bystander = await SocketClient.connect(other.client);
    await change(own.client, { fullName: 'Ayu Lestari' });
    await page.until(() => page.received.includes('settings:changed'));
    await change(own.client, { fullName: 'Ayu Lestari' });
    await change(other.client, { fullName: 'Bayu' });
    await bystander.until(() => bystander.received.includes('settings:changed'));
    expect(page.received.filter((name) => name === 'settings:changed')).toHaveLength(1);
    expect(bystander.received.filter((name) => name === 'settings:changed')).toHaveLength(1);
    await page.close();
    await bystander.close();
  });
});
