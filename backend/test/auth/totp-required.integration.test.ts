import type { PublicSettings, SettingValue } from '@tanya/contract';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { SocketClient } from '../harness/socket-client.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { enrol, enrolledMember } from './totp-harness.js';
import { codeOf } from '../harness/totp-codes.js';

let server: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  server = await startTestApp({ timings: { sessionWatch: 200 } });
  admin = await server.admin();
});

afterAll(() => server.close());

const requireFactor = (totpRequired: Partial<SettingValue<'totpRequired'>>) =>
  admin.patch('/api/admin/general-settings', { totpRequired });

afterEach(() => requireFactor({ admin: false, member: false }));

describe('a required second factor', () => {
  it('is a setting per role, and public', async () => {
    expect((await requireFactor({ admin: false, member: true })).status).toBe(200);
    const settings = (await server.client().get<PublicSettings>('/api/general-settings')).body;
    expect(settings.totpRequired).toEqual({ admin: false, member: true });
  });

  it.each([{}, { admin: true }, { admin: 'yes', member: false }, { admin: true, member: true, guest: true }, null, []])(
    'refuses the setting %j',
    async (totpRequired) => {
      expect((await requireFactor(totpRequired as SettingValue<'totpRequired'>)).status).toBe(400);
    },
  );

  it('leaves a member only the enrolment, the session and the logout (AU-18)', async () => {
    const { client, username } = await server.member();
    await requireFactor({ admin: false, member: true });
    for (const path of ['/api/session', '/api/user', '/api/general-settings']) {
      expect([path, (await client.get(path)).status]).toEqual([path, 200]);
    }
    const refused: [string, string, unknown?][] = [
      ['GET', '/api/chat/threads'],
      ['POST', '/api/chat/message', { content: 'Hello' }],
      ['POST', '/api/user/apikey/generate'],
      ['PATCH', '/api/user', { fullName: 'Ayu' }],
      ['GET', '/API/user/export'],
      ['GET', '/api/models'],
      ['POST', '/api/user/totp/disable', { password: PASSWORD, code: '000000' }],
      ['DELETE', '/api/user', { password: PASSWORD }],
    ];
    for (const [method, path, body] of refused) {
      const answer = await client.send(method, path, { body });
      expect([path, errorOf(answer).code]).toEqual([path, 'totp_enrollment_required']);
    }
    expect((await server.client().post('/api/login', { username, password: PASSWORD })).status).toBe(200);
    await enrol(client);
    expect((await client.get('/api/chat/threads')).status).toBe(200);
  });

  it('applies to admins apart from members (AU-18)', async () => {
    const one = await server.member({ isAdmin: true });
    const member = await server.member();
    await requireFactor({ admin: true, member: false });
    expect((await one.client.get('/api/admin/users')).status).toBe(403);
    expect((await member.client.get('/api/chat/threads')).status).toBe(200);
    await enrol(one.client);
    expect((await one.client.get('/api/admin/users')).status).toBe(200);
    await one.client.patch('/api/admin/general-settings', { totpRequired: { admin: false, member: false } });
  });

  it('shows an admin the public settings alone before the enrolment (AU-18)', async () => {
    const { client } = await server.member({ isAdmin: true });
    await requireFactor({ admin: true, member: false });
    const visible = (await server.client().get<PublicSettings>('/api/general-settings')).body;
    expect((await client.get('/api/general-settings')).body).toEqual(visible);
    await enrol(client);
    expect((await client.get('/api/general-settings')).body).toHaveProperty('openaiApiKey');
    await client.patch('/api/admin/general-settings', { totpRequired: { admin: false, member: false } });
  });

  it('refuses handshakes, and closes open sockets without an event (AU-18, WS-4)', async () => {
    const { client } = await server.member();
    const page = await SocketClient.connect(client);
    const closed = new Promise<void>((resolve) => page.socket.once('disconnect', () => resolve()));
    await requireFactor({ admin: false, member: true });
    await closed;
    await expect(SocketClient.connect(client)).rejects.toMatchObject({ data: { code: 'totp_enrollment_required' } });
    await enrol(client);
    await (await SocketClient.connect(client)).close();
  });

  it('applies to new accounts, guests and keys excepted (AU-18)', async () => {
    const { client: holder } = await server.member();
    const { apiKey } = (await holder.post<{ apiKey: string }>('/api/user/apikey/generate')).body;
    await requireFactor({ admin: false, member: true });
    const browser = await server.guest();
    expect((await browser.get('/api/models')).status).toBe(200);
    await browser.post('/api/register', { username: `new-${Date.now()}`, password: PASSWORD });
    expect((await browser.get('/api/models')).status).toBe(403);
    const models = await server.client().get('/api/v1/models', { headers: { Authorization: `Bearer ${apiKey}` } });
    expect(models.status).toBe(200);
  });

  it('cannot be turned off by its owner (AU-18)', async () => {
    const { client, secret } = await enrolledMember(server);
    await requireFactor({ admin: false, member: true });
    const answer = await client.post('/api/user/totp/disable', { password: PASSWORD, code: codeOf(secret) });
    expect(errorOf(answer).code).toBe('forbidden');
  });
});
