import type { AuditEntry, CreatedApiKey } from '@tanya/contract';
import type { HttpClient } from '../harness/http-client.js';
import { type Member, PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});

afterAll(() => server.close());

const newPassword = 'another quiet harbour';

/** The readable key and one of the list. */
async function keysOf(client: HttpClient): Promise<string[]> {
  const readable = await client.post<{ apiKey: string }>('/api/user/apikey/generate');
  const named = await client.post<CreatedApiKey>('/api/user/keys', { name: 'script' });
  return [readable.body.apiKey, named.body.key];
}

const statusesOf = (keys: string[]) =>
  Promise.all(
    keys.map(async (key) => {
      const headers = { Authorization: `Bearer ${key}` };
      return (await server.client().get('/api/v1/models', { headers })).status;
    }),
  );

const CHANGES: [string, (member: Member, fields: object) => Promise<{ status: number }>][] = [
  [
    'of its owner',
    ({ client }, fields) => client.post('/api/user/password', { currentPassword: PASSWORD, newPassword, ...fields }),
  ],
  [
    'by an admin',
    async ({ user }, fields) =>
      (await server.admin()).post(`/api/admin/users/${user.id}/reset-password`, { newPassword, ...fields }),
  ],
];

describe.each(CHANGES)('a new password %s', (_by, change) => {
  it('leaves the API keys valid, and ends all of them if that is asked', async () => {
    const [member, other] = [await server.member(), await server.member()];
    const [keys, others] = [await keysOf(member.client), await keysOf(other.client)];
    expect((await change(member, { endApiKeys: 'yes' })).status).toBe(400);
    expect((await change(member, {})).status).toBe(200);
    expect(await statusesOf(keys)).toEqual([200, 200]);
    const { username } = member;
    await member.client.post('/api/login', { username, password: newPassword });
    const again = { currentPassword: newPassword, newPassword: PASSWORD, endApiKeys: true };
    const { currentPassword: _own, ...byAdmin } = again;
    expect((await change(member, _by === 'of its owner' ? again : byAdmin)).status).toBe(200);
    expect(await statusesOf(keys)).toEqual([401, 401]);
    expect(await statusesOf(others)).toEqual([200, 200]);
  });
});

it('a refused change of the password leaves the API keys valid', async () => {
  const { client } = await server.member();
  const keys = await keysOf(client);
  const refused = { currentPassword: 'not this one', newPassword, endApiKeys: true };
  expect((await client.post('/api/user/password', refused)).status).toBe(401);
  expect(await statusesOf(keys)).toEqual([200, 200]);
});

it('the audit log shows that an admin ended the API keys of an account', async () => {
  const { user, client, username } = await server.member();
  await keysOf(client);
  const admin = await server.admin();
  await admin.post(`/api/admin/users/${user.id}/reset-password`, { newPassword, endApiKeys: true });
  const { body } = await admin.get<AuditEntry[]>(`/api/admin/audit?action=user.end_api_keys&target=user:${user.id}`);
  expect(body).toMatchObject([{ actor: { username: 'admin' }, target: { name: username } }]);
});
