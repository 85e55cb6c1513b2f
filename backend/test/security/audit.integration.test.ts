import { randomUUID } from 'node:crypto';
import {
  type AdminUser,
  type AuditEntry,
  type CreatedApiKey,
  type CreatedInvitation,
  Group,
  type IdentityProvider,
  type ProviderConnection,
  SETTING_NAMES,
  type ToolServer,
} from '@tanya/contract';
import { auditValues } from '../../src/audit/audit-values.js';
import type { HttpClient } from '../harness/http-client.js';
import { ROUTES, type Objects, type RouteCase } from './routes-table.js';
import { type SecurityHarness, startSecurityHarness } from './routes-harness.js';
import { pictureForm } from '../harness/uploads.js';

/** The page's names of the fields. Variables, because the compiler reads no files of the page here. */
const AUDIT_TEXTS = '../../../frontend/src/texts/spec/areas/audit-fields.ts';
const SETTING_TEXTS = '../../../frontend/src/texts/spec/areas/settings.ts';

let harness: SecurityHarness;
let admin: HttpClient;
let fieldTexts: Record<string, string>;

beforeAll(async () => {
  const audit = (await import(AUDIT_TEXTS)) as { default: { auditFields: Record<string, string> } };
  const settings = (await import(SETTING_TEXTS)) as { default: { settingNames: Record<string, string> } };
  fieldTexts = { ...audit.default.auditFields, ...settings.default.settingNames };
  harness = await startSecurityHarness();
  admin = await harness.admin();
});

afterAll(() => harness.close());

const today = () => new Date().toISOString().slice(0, 10);

const audit = async (query = '') => (await admin.get<AuditEntry[]>(`/api/admin/audit${query}`)).body;

/** The newest entry, of the admin's last change. */
const newest = async () => (await audit('?limit=1'))[0];

/** The fields of an entry that the page has no name for. */
const unnamed = ({ before, after }: Pick<AuditEntry, 'before' | 'after'>) =>
  Object.keys({ ...before, ...after }).filter((field) => !(field in fieldTexts));

/** Calls of admins that change nothing, whatever their method. */
const CHANGING_NOTHING = [
  'POST /api/admin/alerts/test',
  'POST /api/admin/search/test',
  'POST /api/admin/settings/test-provider',
  'POST /api/admin/connections/test',
  'POST /api/admin/identity-providers/test',
  'POST /api/admin/tool-servers/:id/refresh',
  'POST /api/admin/tool-servers/test',
];

/** The address of a new tool server, which does not answer. */
async function toolServerPath(): Promise<() => string> {
  const fields = { name: `Server ${randomUUID()}`, url: 'http://127.0.0.1:9/mcp' };
  const { body } = await admin.post<ToolServer>('/api/admin/tool-servers', fields);
  return () => `/api/admin/tool-servers/${body.id}`;
}

/** The address of a new group. */
async function groupPath(rest = ''): Promise<Pick<RouteCase, 'path'>> {
  const { body } = await admin.post<Group>('/api/admin/groups', { name: `Group ${randomUUID()}` });
  return { path: () => `/api/admin/groups/${body.id}${rest}` };
}

async function identityProviderPath(): Promise<Pick<RouteCase, 'path'>> {
  const fields = ROUTES['POST /api/admin/identity-providers']!.body!({} as Objects);
  const { body } = await admin.post<IdentityProvider>('/api/admin/identity-providers', fields);
  return { path: () => `/api/admin/identity-providers/${body.id}` };
}

/** The account of a new service, and a key of it. */
async function serviceKey(): Promise<{ userId: number; id: number }> {
  const service = { username: `service-${randomUUID()}`, isService: true };
  const userId = (await admin.post<AdminUser>('/api/admin/users', service)).body.id;
  const { id } = (await admin.post<CreatedApiKey>(`/api/admin/users/${userId}/keys`, { name: 'program' })).body;
  return { userId, id };
}

async function keyPath(): Promise<Pick<RouteCase, 'path'>> {
  const { id } = await serviceKey();
  return { path: () => `/api/admin/keys/${id}` };
}

/** Calls whose row of the table describes a refusal or no difference, with a body that makes one. */
const OTHER_BODIES: Record<string, (objects: Objects) => Promise<Pick<RouteCase, 'path' | 'body' | 'raw'>>> = {
  'PATCH /api/admin/connections/:id': async () => ({ body: () => ({ name: `Renamed ${Date.now()}` }) }),
  'DELETE /api/admin/connections/:id': async () => {
    const fields = { kind: 'openai', name: 'To delete' };
    const { body } = await admin.post<ProviderConnection>('/api/admin/connections', fields);
    return { path: () => `/api/admin/connections/${body.id}` };
  },
  'DELETE /api/admin/connections/:id/adaptations': async () => {
    await harness.dataSource.query(`update provider_connection set adaptations = '{"m":{"changes":[]}}' where id = 1`);
    return {};
  },
  'PUT /api/admin/logo': async () => ({ raw: pictureForm }),
  'DELETE /api/admin/logo': async () => {
    await harness.dataSource.query(
      `insert into site_logo (type, bytes, version) values ('image/png', '', 'old') on conflict (id) do update set version = 'old'`,
    );
    return {};
  },
  'POST /api/admin/models/import': async () => ({
    body: () => ({ connectionId: null, modelIds: ['scripted/large'] }),
  }),
  'PATCH /api/admin/tool-servers/:id': async () => ({ path: await toolServerPath() }),
  'DELETE /api/admin/tool-servers/:id': async () => ({ path: await toolServerPath() }),
  'PATCH /api/admin/keys/:id': keyPath,
  'DELETE /api/admin/keys/:id': keyPath,
  'POST /api/admin/users/:id/keys': async () => {
    const { userId } = await serviceKey();
    return { path: () => `/api/admin/users/${userId}/keys` };
  },
  'PATCH /api/admin/identity-providers/:id': identityProviderPath,
  'DELETE /api/admin/identity-providers/:id': identityProviderPath,
  'PATCH /api/admin/groups/:id': () => groupPath(),
  'DELETE /api/admin/groups/:id': () => groupPath(),
  'PUT /api/admin/groups/:id/members': () => groupPath('/members'),
  'POST /api/admin/groups/:id/members': () => groupPath('/members'),
  'POST /api/admin/users/batch': async ({ userId }) => ({
    body: () => ({ ids: [userId], changes: { isPremium: true } }),
  }),
  'DELETE /api/admin/invitations/:id': async () => {
    const { body } = await admin.post<CreatedInvitation>('/api/admin/invitations', {});
    return { path: () => `/api/admin/invitations/${body.id}` };
  },
  'POST /api/admin/users/:id/reset-totp': async ({ userId }) => {
    await harness.dataSource.query('update "user" set has_totp = true where id = $1', [userId]);
    return {};
  },
  'POST /api/admin/users/:id/reset-usage': async ({ userId }) => {
    await harness.dataSource.query('update "user" set budget_usd = 5 where id = $1', [userId]);
    await harness.dataSource.query(
      `insert into quota_account (owner, period, user_id, charged, held) values ('user:' || $1::int, 'ever', $1::int, 3, 0)`,
      [userId],
    );
    await harness.dataSource.query(
      `insert into budget_account (scope, period, user_id, charged, carried)
       values ('user:' || $1::int, budget_period('monthly', now()), $1::int, 2, 2)`,
      [userId],
    );
    return {};
  },
};

describe('the audit log', () => {
  const changing = Object.keys(ROUTES).filter(
    (route) => route.includes(' /api/admin/') && !route.startsWith('GET ') && !CHANGING_NOTHING.includes(route),
  );

  it('covers every changing call that admins alone may make (ADM-5)', () => {
    const forAdmins = Object.entries(ROUTES).filter(
      ([, { expected }]) => expected.owner === 403 && expected.admin !== 403,
    );
    expect(forAdmins.map(([route]) => route).filter((route) => !route.includes(' /api/admin/'))).toEqual([]);
    expect(changing.length).toBeGreaterThan(15);
  });

  it.each(changing)('has an entry for %s (ADM-5)', async (route) => {
    const [method = '', pattern = ''] = route.split(' ');
    const objects = { userId: await harness.userId(), model: await harness.model() } as Objects;
    const { path, body, raw } = { ...ROUTES[route], ...(await OTHER_BODIES[route]?.(objects)) };
    const before = (await newest())?.id ?? 0;
    const answer = await admin.send(method, path?.(objects) ?? pattern, { body: body?.(objects), raw: raw?.() });
    expect([route, answer.status < 300]).toEqual([route, true]);
    const entry = (await newest())!;
    expect(entry.id).toBeGreaterThan(before);
    expect(entry).toMatchObject({ actor: { username: 'admin' }, address: admin.address });
    expect(entry.before ?? entry.after).not.toBeNull();
    expect(unnamed(entry)).toEqual([]);
    if (route.endsWith('/reset-usage')) expect(entry.before).toEqual({ messages: 3, spentUsd: '2' });
  });

  it('records every setting under a name that the page shows', () => {
    const recorded = auditValues(null, Object.fromEntries(SETTING_NAMES.map((name) => [name, null])))!;
    expect(unnamed(recorded)).toEqual([]);
  });

  it.each(CHANGING_NOTHING)('has no entry for %s', async (route) => {
    const [method = '', pattern = ''] = route.split(' ');
    const before = (await newest())?.id;
    await admin.send(method, pattern, { body: ROUTES[route]!.body?.({} as Objects) });
    expect((await newest())?.id).toBe(before);
  });

  it('names actor, target, time and address, with the fields before and after', async () => {
    const userId = await harness.userId();
    await admin.patch<AdminUser>(`/api/admin/users/${userId}`, { fullName: 'Ayu', isPremium: true });
    const entry = (await newest())!;
    expect(entry).toMatchObject({
      actor: { username: 'admin' },
      address: admin.address,
      action: 'user.update',
      target: { kind: 'user', id: userId },
      before: { fullName: null, isPremium: false },
      after: { fullName: 'Ayu', isPremium: true },
    });
    expect(Object.keys(entry.after!).sort()).toEqual(['fullName', 'isPremium']);
    expect(Math.abs(Date.parse(entry.createdAt) - Date.now())).toBeLessThan(60_000);
  });

  it('masks passwords and keys (ADM-5)', async () => {
    const userId = await harness.userId();
    const secrets = ['a password that is new', 'sk-a-key-of-openai', 'sk-a-key-of-a-connection'];
    await admin.post(`/api/admin/users/${userId}/reset-password`, { newPassword: secrets[0] });
    expect((await newest())?.after).toEqual({ password: '••••••••' });
    await admin.patch('/api/admin/general-settings', { openaiApiKey: secrets[1], openaiBaseUrl: harness.upstream.url });
    expect((await newest())?.after).toMatchObject({ apiKey: '••••••••', baseUrl: harness.upstream.url });
    await admin.post('/api/admin/connections', { kind: 'openai', name: 'Masked', apiKey: secrets[2] });
    expect((await newest())?.after).toMatchObject({ name: 'Masked', apiKey: '••••••••' });
    const rows = JSON.stringify(await harness.dataSource.query('select * from audit_entry'));
    for (const secret of secrets) expect(rows).not.toContain(secret);
    expect(rows).not.toMatch(/argon2/);
  });

  it('has no entry for a refused change, a change without effect and a change of the own account (ADM-5)', async () => {
    // With its login.
    const { client } = await harness.member();
    const before = (await newest())?.id;
    const { id } = (await admin.get<AdminUser[]>('/api/admin/users?sort=oldest&limit=1')).body[0]!;
    const userId = await harness.userId();
    expect((await admin.patch(`/api/admin/users/${id}`, { isAdmin: false })).status).toBe(409);
    expect((await admin.patch(`/api/admin/users/${userId}`, { username: 'admin' })).status).toBe(409);
    expect((await admin.delete('/api/admin/connections/1')).status).toBe(409);
    expect((await admin.patch(`/api/admin/users/${userId}`, { isPremium: false })).status).toBe(200);
    expect((await admin.patch('/api/user', { fullName: 'The Admin' })).status).toBe(200);
    expect((await client.patch(`/api/admin/users/${userId}`, { isPremium: true })).status).toBe(403);
    expect((await newest())?.id).toBe(before);
  });

  it('pages with a cursor, newest first, for admins alone', async () => {
    const all = await audit('?limit=200');
    const first = await admin.get<AuditEntry[]>('/api/admin/audit?limit=3');
    const cursor = first.headers.get('x-next-cursor');
    const second = await audit(`?limit=3&before=${cursor}`);
    expect([...first.body, ...second].map(({ id }) => id)).toEqual(all.slice(0, 6).map(({ id }) => id));
    expect((await admin.get('/api/admin/audit?before=x')).status).toBe(400);
    expect((await (await harness.member()).client.get('/api/admin/audit')).status).toBe(403);
  });

  describe('narrowed', () => {
    let userId: number;
    const found = async (query: string) =>
      (await audit(`?${query}`)).map(({ target, action }) => `${action} ${target.id}`);

    beforeAll(async () => {
      userId = await harness.userId();
      await admin.patch(`/api/admin/users/${userId}`, { fullName: 'Wayan Müller' });
      await admin.patch('/api/admin/general-settings', { siteTitle: `Site ${randomUUID()}` });
    });

    it.each([
      ['its target', () => `target=user:${userId}`],
      ['a changed value in another case', () => 'query=wayan%20m%C3%BCller'],
      [
        'actor, action, kind and days',
        () => `actor=ADMIN&action=user.update&target=user&from=${today()}&to=${today()}&query=Wayan`,
      ],
    ])('finds a change by %s', async (_name, query) => {
      expect(await found(query())).toEqual([`user.update ${userId}`]);
    });

    it.each(['actor=nobody', 'actor=0', 'action=user', 'target=user:99999999999', 'to=2020-01-01', 'query=%25_'])(
      'finds nothing by %s',
      async (query) => expect(await found(query)).toEqual([]),
    );

    it.each(['from=yesterday', 'to=2026-02-30', 'from=2026-11-22&to=2026-11-21'])('refuses %s', async (query) => {
      expect((await admin.get(`/api/admin/audit?${query}`)).status).toBe(400);
      expect((await admin.get(`/api/admin/audit.csv?${query}`)).status).toBe(400);
    });

    it('writes the same changes into a file', async () => {
      await harness.dataSource.query(
        `insert into audit_entry (actor_id, actor_name, address, action, target_kind, target_id, target_name)
         select 1, 'old', '::1', 'user.update', 'user', number, '=1+1' from generate_series(1, 450) number`,
      );
      const { body, headers } = await admin.get<string>('/api/admin/audit.csv?actor=old');
      const lines = body.trimEnd().split('\r\n');
      expect(lines[0]).toBe(
        'id,time,actor_id,actor,actor_key,address,action,target_kind,target_id,target,before,after',
      );
      expect(lines.slice(1).map((line) => line.split(',')[8])).toEqual(
        Array.from({ length: 450 }, (_, at) => `${450 - at}`),
      );
      expect(lines[1]).toMatch(/,'=1\+1,,$/);
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename=audit-.*\.csv$/);
      expect((await admin.get<string>(`/api/admin/audit.csv?target=user:${userId}`)).body).toContain(
        '"{""fullName"":""Wayan Müller""}"',
      );
    });
  });

  it('keeps the name of a deleted account and loses its personal data', async () => {
    const userId = await harness.userId();
    await admin.patch(`/api/admin/users/${userId}`, { fullName: 'Sekar Ayu', email: 'sekar@example.com' });
    await admin.delete(`/api/admin/users/${userId}`);
    expect(await newest()).toMatchObject({ action: 'user.delete', target: { id: userId }, after: null });
    const rows = JSON.stringify(await harness.dataSource.query('select * from audit_entry'));
    expect(rows).not.toMatch(/Sekar|sekar@example/);
  });
});
