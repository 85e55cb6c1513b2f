import type { AdminUser, ApiKey, AuditEntry, CreatedApiKey, Group } from '@tanya/contract';
import { ADMIN_KEY_ROUTES } from '../../src/identity/admin-key-routes.js';
import { errorOf, refusedField } from '../harness/http-client.js';
import { type Member, PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { routesOf } from '../security/routes-list.js';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});

afterAll(() => server.close());

const DAY_MS = 24 * 60 * 60 * 1000;

/** Calls of admins that a key cannot make. The lists together have every route: a new one has to be decided. */
const FORBIDDEN = [
  // Keys.
  'PATCH /api/admin/keys/:id',
  'DELETE /api/admin/keys/:id',
  'POST /api/admin/users/:id/keys',
  // Sessions, passwords and second factors.
  'POST /api/admin/users/:id/end-sessions',
  'POST /api/admin/users/:id/reset-password',
  'POST /api/admin/users/:id/reset-totp',
  // A connection's key goes with it.
  'DELETE /api/admin/connections/:id',
  // Identity providers.
  'POST /api/admin/identity-providers',
  'POST /api/admin/identity-providers/test',
  'PATCH /api/admin/identity-providers/:id',
  'DELETE /api/admin/identity-providers/:id',
  // Exports.
  'GET /api/admin/audit.csv',
  'GET /api/admin/failures.csv',
  'GET /api/admin/groups.csv',
  'GET /api/admin/keys.csv',
  'GET /api/admin/usage.csv',
  'GET /api/admin/users.csv',
];

const make = ({ client }: Member, fields: object = {}) =>
  client.post<CreatedApiKey>('/api/user/keys', { name: 'automation', scope: 'admin', password: PASSWORD, ...fields });

interface Program {
  admin: Member;
  id: number;
  send: <T>(
    method: string,
    path: string,
    body?: unknown,
  ) => ReturnType<Member['client']['send']> & Promise<{ body: T }>;
}

async function program(): Promise<Program> {
  const admin = await server.member({ isAdmin: true });
  const { key, id } = (await make(admin)).body;
  const send = (method: string, path: string, body?: unknown) =>
    server.client().send(method, path, { body, headers: { Authorization: `Bearer ${key}` } });
  return { admin, id, send: send as Program['send'] };
}

describe('a key of scope admin', () => {
  it('is made by an admin with the password, and expires within a year (KEY-10)', async () => {
    const admin = await server.member({ isAdmin: true });
    expect(errorOf(await make(admin, { password: undefined })).code).toBe('reauthentication_required');
    expect(errorOf(await make(admin, { password: 'wrong password' })).code).toBe('invalid_credentials');
    const late = new Date(Date.now() + 400 * DAY_MS).toISOString();
    expect(refusedField(await make(admin, { expiresAt: late }))).toBe('expiresAt');
    expect((await make(await server.member())).status).toBe(403);
    const { status, body } = await make(admin);
    expect([status, body.scope]).toEqual([201, 'admin']);
    const life = Date.parse(body.expiresAt!) - Date.now();
    expect(life).toBeGreaterThan(364 * DAY_MS);
    expect(life).toBeLessThan(367 * DAY_MS);
    const change = (changes: object) => admin.client.patch<ApiKey>(`/api/user/keys/${body.id}`, changes);
    expect(refusedField(await change({ expiresAt: late }))).toBe('expiresAt');
    expect((await change({ expiresAt: null })).body.expiresAt).not.toBeNull();
  });

  it('leaves an audit entry when its maker makes, changes and deletes it, as no other own key does', async () => {
    const admin = await server.member({ isAdmin: true });
    for (const scope of ['admin', 'api'] as const) {
      const { id } = (await make(admin, { scope })).body;
      await admin.client.patch(`/api/user/keys/${id}`, { name: 'renamed' });
      expect((await admin.client.delete(`/api/user/keys/${id}`)).status).toBe(200);
    }
    const { body } = await admin.client.get<AuditEntry[]>(`/api/admin/audit?actor=${admin.user.id}&target=api_key`);
    expect(body.map(({ action, target }) => [action, target.name])).toEqual([
      ['api_key.delete', 'renamed'],
      ['api_key.update', 'renamed'],
      ['api_key.create', 'automation'],
    ]);
    expect(body[2]!.after).toMatchObject({ scope: 'admin' });
  });

  it('works on the calls of admins alone, as its maker, and is audited as that key (KEY-10)', async () => {
    const { admin, id, send } = await program();
    expect((await send('GET', '/api/admin/users')).status).toBe(200);
    expect((await send('GET', '/API/Admin/users')).status).toBe(200);
    for (const path of ['/api/v1/models', '/api/user', '/api/user/keys', '/api/chat/threads'])
      expect([path, (await send('GET', path)).status]).toEqual([path, 401]);
    expect((await send('POST', '/api/v1/chat/completions', {})).status).toBe(401);
    const group = await send('POST', '/api/admin/groups', { name: 'Made by a program' });
    expect(group.status).toBe(201);
    const [entry] = (await send<AuditEntry[]>('GET', '/api/admin/audit?actor=automation&limit=1')).body;
    expect(entry).toMatchObject({
      action: 'group.create',
      actor: { id: admin.user.id, username: admin.username, key: { id, name: 'automation' } },
    });
    // Another key, or one for the API, is none here; a bearer token of a proxy is ignored.
    const api = (await admin.client.post<CreatedApiKey>('/api/user/keys', { name: 'for the API' })).body;
    for (const token of [api.key, `tk_${'x'.repeat(43)}`]) {
      const headers = { Authorization: `Bearer ${token}` };
      expect((await admin.client.get('/api/admin/users', { headers })).status).toBe(401);
    }
    const headers = { Authorization: 'Bearer of-a-proxy' };
    expect((await admin.client.get('/api/admin/users', { headers })).status).toBe(200);
  });

  it.each([
    ['demoted', (id: number) => ({ path: `/api/admin/users/${id}`, body: { isAdmin: false } }), { isAdmin: true }],
    [
      'suspended',
      (id: number) => ({ path: `/api/admin/users/${id}`, body: { isSuspended: true } }),
      { isSuspended: false },
    ],
  ])('does not live while its maker is %s (KEY-10)', async (_state, change, undo) => {
    const { admin, send } = await program();
    const boss = await server.admin();
    const { path, body } = change(admin.user.id);
    expect((await boss.patch(path, body)).status).toBe(200);
    expect((await send('GET', '/api/admin/users')).status).toBe(401);
    expect((await boss.patch(path, undo)).status).toBe(200);
    expect((await send('GET', '/api/admin/users')).status).toBe(200);
    expect((await boss.delete(path)).status).toBe(200);
    expect((await send('GET', '/api/admin/users')).status).toBe(401);
  });

  it('ends when it is deleted, by its maker or by another admin, and when it has expired', async () => {
    const boss = await server.admin();
    const ends: ((program: Program) => Promise<unknown>)[] = [
      ({ admin, id }) => admin.client.delete(`/api/user/keys/${id}`),
      ({ id }) => boss.delete(`/api/admin/keys/${id}`),
      ({ id }) => server.dataSource.query('update api_key set expires_at = now() where id = $1', [id]),
    ];
    for (const end of ends) {
      const each = await program();
      expect((await each.send('GET', '/api/admin/groups')).status).toBe(200);
      await end(each);
      expect((await each.send('GET', '/api/admin/groups')).status).toBe(401);
    }
  });

  it('has a decision for every call of admins (KEY-10)', () => {
    const routes = routesOf(server.app).filter((route) => route.includes(' /api/admin/'));
    expect([...Object.keys(ADMIN_KEY_ROUTES), ...FORBIDDEN].sort()).toEqual(routes);
  });

  it.each(FORBIDDEN)('cannot make the call %s (KEY-10)', async (route) => {
    const { send } = await program();
    const { user } = await server.member();
    const [method = '', pattern = ''] = route.split(' ');
    const answer = await send(method, pattern.replace(':id', String(user.id)), method === 'GET' ? undefined : {});
    expect([answer.status, errorOf(answer).code]).toEqual([403, 'forbidden']);
  });

  it.each([
    ['POST', '/api/admin/users', { username: 'person-by-key', password: PASSWORD }],
    ['POST', '/api/admin/users', { username: 'admin-by-key', isService: true, isAdmin: true }],
    ['PATCH', '/api/admin/users/:id', { password: PASSWORD }],
    ['PATCH', '/api/admin/users/:id', { email: 'other@example.com' }],
    ['PATCH', '/api/admin/users/:id', { isAdmin: true }],
    ['POST', '/api/admin/users/batch', { ids: [2 ** 31 - 1], changes: { isAdmin: true } }],
    ['PATCH', '/api/admin/connections/1', { apiKey: 'sk-other' }],
    ['POST', '/api/admin/connections', { kind: 'openai', name: 'With a key', apiKey: 'sk-other' }],
    ['POST', '/api/admin/tool-servers', { name: 'With a secret', url: 'http://127.0.0.1:9/mcp', headers: {} }],
    ['PATCH', '/api/admin/general-settings', { openaiApiKey: '' }],
    ['PATCH', '/api/admin/general-settings', { alertWebhookSecret: 'other' }],
    ['PATCH', '/api/admin/general-settings', { totpRequired: { admin: false, member: false } }],
    ['PATCH', '/api/admin/general-settings', { passwordLogin: 'everyone' }],
  ])('changes no secret, password or admin: %s %s, case %#', async (method, path, body) => {
    const { send } = await program();
    const { user } = await server.member();
    const answer = await send(method, path.replace(':id', String(user.id)), body);
    expect([answer.status, errorOf(answer).code]).toEqual([403, 'forbidden']);
  });

  it('changes people and services, and no admin (KEY-10)', async () => {
    const { admin, send } = await program();
    const { user } = await server.member();
    const path = `/api/admin/users/${user.id}`;
    expect((await send<AdminUser>('PATCH', path, { quotaOverride: 5, isSuspended: true })).body.quotaOverride).toBe(5);
    expect((await send('PATCH', `${path}/premium`, { isPremium: true })).status).toBe(200);
    expect((await send('POST', '/api/admin/users', { username: 'service-by-key', isService: true })).status).toBe(201);
    expect((await send('PATCH', '/api/admin/general-settings', { siteTitle: 'By a key' })).status).toBe(200);
    const another = `/api/admin/users/${(await server.member({ isAdmin: true })).user.id}`;
    for (const target of [another, `/api/admin/users/${admin.user.id}`]) {
      for (const [method, at, body] of [
        ['PATCH', target, { isSuspended: true }],
        ['PATCH', `${target}/premium`, { isPremium: true }],
        ['POST', `${target}/reset-usage`, undefined],
        ['DELETE', target, undefined],
      ] as const)
        expect([method, at, (await send(method, at, body)).status]).toEqual([method, at, 403]);
    }
    const members = `/api/admin/groups/${(await send<Group>('POST', '/api/admin/groups', { name: 'Of a key' })).body.id}/members`;
    expect((await send('PUT', members, { userIds: [user.id] })).status).toBe(200);
    expect((await send('PUT', members, { userIds: [user.id, admin.user.id] })).status).toBe(403);
    expect((await send('POST', members, { add: [admin.user.id] })).status).toBe(403);
    expect((await admin.client.post(members, { add: [admin.user.id] })).status).toBe(200);
    expect((await send('POST', members, { add: [admin.user.id] })).status).toBe(200);
    expect((await send('PUT', members, { userIds: [] })).status).toBe(403);
    const group = members.slice(0, -'/members'.length);
    for (const change of [{ quotaOverride: 0 }, { budgetUsd: '0' }, { externalName: 'other' }])
      expect([change, (await send('PATCH', group, change)).status]).toEqual([change, 403]);
    expect((await send('PATCH', group, { name: 'With an admin' })).status).toBe(200);
    expect((await send('DELETE', `${group}?force=true`)).status).toBe(403);
    expect((await admin.client.put(members, { userIds: [user.id] })).status).toBe(200);
    expect((await send('PATCH', group, { quotaOverride: 7 })).status).toBe(200);
    expect((await send('DELETE', group)).status).toBe(200);
    const promotion = { ids: [user.id], changes: { isAdmin: true } };
    expect((await send('POST', '/api/admin/users/batch', promotion)).status).toBe(403);
    const batch = { ids: [user.id, admin.user.id], changes: { isSuspended: true } };
    expect((await send('POST', '/api/admin/users/batch', batch)).body).toMatchObject({
      updated: [user.id],
      failed: [{ id: admin.user.id, code: 'forbidden' }],
    });
    expect((await send('DELETE', path)).status).toBe(200);
  });
});
