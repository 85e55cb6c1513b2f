import type { AdminUser, ApiKeyResponse, PublicSettings, RegistrationMode, Thread } from '@tanya/contract';
import { UsersService } from '../../src/users/users.service.js';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { PASSWORD } from '../harness/test-app.js';

let server: ChatHarness;
let admin: HttpClient;

beforeAll(async () => {
  server = await startChatHarness({ redis: false });
  admin = await server.admin();
});

afterAll(() => server.close());

let count = 0;
const newcomer = () => ({ username: `newcomer-${(count += 1)}`, password: PASSWORD });

async function setMode(registrationMode: RegistrationMode): Promise<void> {
  expect((await admin.patch('/api/admin/general-settings', { registrationMode })).status).toBe(200);
}

const find = async (username: string) =>
  (await admin.get<AdminUser[]>(`/api/admin/users?query=${username}`)).body.find((user) => user.username === username);

const approve = (id: number) => admin.patch<AdminUser>(`/api/admin/users/${id}`, { isApproved: true });

/** Creates a pending account. */
async function registerPending(browser = server.client()) {
  await setMode('approval');
  const credentials = newcomer();
  const answer = await browser.post('/api/register', credentials);
  return { browser, credentials, answer, id: (await find(credentials.username))!.id };
}

describe('the registration mode', () => {
  it('is open by default, public, and one of three values', async () => {
    const { body } = await server.client().get<PublicSettings>('/api/general-settings');
    expect(body.registrationMode).toBe('open');
    for (const registrationMode of ['invited', null, 1, ['open']])
      expect((await admin.patch('/api/admin/general-settings', { registrationMode })).status).toBe(400);
    await setMode('closed');
    const changed = await server.client().get<PublicSettings>('/api/general-settings');
    expect(changed.body.registrationMode).toBe('closed');
  });

  it('open: signs a new account in at once', async () => {
    await setMode('open');
    const credentials = newcomer();
    expect((await server.client().post('/api/register', credentials)).status).toBe(201);
    expect((await find(credentials.username))?.isApproved).toBe(true);
  });

  it('closed: refuses to register, keeps the session and lets existing accounts sign in (AU-12)', async () => {
    await setMode('closed');
    const { client, username } = await server.member();
    const credentials = newcomer();
    const answer = await client.post('/api/register', credentials);
    expect([answer.status, errorOf(answer).code]).toEqual([403, 'registration_closed']);
    expect(await find(credentials.username)).toBeUndefined();
    expect((await client.get('/api/user')).status).toBe(200);
    expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(200);
  });

  it('restricts no account that an admin creates', async () => {
    await setMode('approval');
    const credentials = newcomer();
    const created = await admin.post<AdminUser>('/api/admin/users', credentials);
    expect(created.body.isApproved).toBe(true);
    expect((await server.client().post('/api/login', credentials)).status).toBe(200);
  });
});

describe('a pending account', () => {
  it('exists after its registration and is not signed in (AU-12)', async () => {
    const { browser, answer, credentials } = await registerPending();
    expect([answer.status, errorOf(answer).code]).toEqual([403, 'account_pending']);
    expect((await browser.get('/api/session')).body).toEqual({ user: null });
    expect(await find(credentials.username)).toMatchObject({ isApproved: false, isAdmin: false });
    const again = await server.client().post('/api/register', credentials);
    expect(errorOf(again).code).toBe('username_taken');
  });

  it('is reported after the right password only (AU-12)', async () => {
    const { browser, credentials } = await registerPending();
    const right = await browser.post('/api/login', credentials);
    expect([right.status, errorOf(right).code]).toEqual([403, 'account_pending']);
    const wrong = await browser.post('/api/login', { ...credentials, password: 'another quiet harbour' });
    expect([wrong.status, errorOf(wrong).code]).toEqual([401, 'invalid_credentials']);
    expect((await browser.get('/api/user')).status).toBe(401);
  });

  it('stays pending when registration opens again', async () => {
    const { credentials } = await registerPending();
    await setMode('open');
    expect((await server.client().post('/api/login', credentials)).status).toBe(403);
  });

  it('signs in once an admin approved it, and receives the thread of its guest', async () => {
    const browser = await server.guest();
    await browser.post('/api/chat/message', { content: JSON.stringify({ text: 'Before the approval' }) });
    const { credentials, id } = await registerPending(browser);
    expect((await approve(id)).body).toMatchObject({ id, isApproved: true });
    expect((await approve(id)).status).toBe(200);
    expect((await browser.post('/api/login', credentials)).status).toBe(200);
    const threads = await browser.get<Thread[]>('/api/chat/threads');
    expect(threads.body.map(({ title }) => title)).toEqual(['Before the approval']);
  });

  it('is approved by admins alone, for good', async () => {
    const { id } = await registerPending();
    const { client, user } = await server.member();
    expect((await client.patch(`/api/admin/users/${id}`, { isApproved: true })).status).toBe(403);
    expect((await client.patch('/api/user', { isApproved: true })).status).toBe(400);
    expect((await server.client().post('/api/register', { ...newcomer(), isApproved: true })).status).toBe(400);
    for (const isApproved of [false, null, 'true', 1])
      expect((await admin.patch(`/api/admin/users/${user.id}`, { isApproved })).status).toBe(400);
  });

  it('can use neither a session nor an API key (AU-12)', async () => {
    const { client, user } = await server.member();
    const { apiKey } = (await client.post<ApiKeyResponse>('/api/user/apikey/generate')).body;
    const models = () => server.client().get('/api/v1/models', { headers: { Authorization: `Bearer ${apiKey}` } });
    expect((await models()).status).toBe(200);
    await server.dataSource.query('update "user" set is_approved = false where id = $1', [user.id]);
    const refused = await models();
    expect([refused.status, refused.body]).toMatchObject([403, { error: { code: 'account_pending' } }]);
    expect((await client.get('/api/user')).status).toBe(401);
  });

  it('does not count as an administrator who remains (ADM-1)', async () => {
    const { user } = await server.member({ isAdmin: true });
    await server.dataSource.query('update "user" set is_approved = false where id = $1', [user.id]);
    const { body } = await admin.get<AdminUser>('/api/user');
    const refusal = server.app.get(UsersService).update(body.id, { isAdmin: false });
    await expect(refusal).rejects.toMatchObject({ code: 'last_admin' });
  });
});
