import type { AdminApiKey, AdminUser, ApiKey, ApiKeyResponse, AuditEntry, CreatedApiKey } from '@tanya/contract';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import type { Member } from '../harness/test-app.js';
import { ask, errorIn, MODEL, type PublicApiHarness, startPublicApiHarness } from '../public-api/public-api-harness.js';

let harness: PublicApiHarness;
let admin: HttpClient;

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false });
  admin = await harness.admin();
});

afterAll(() => harness.close());

const KEYS = '/api/admin/keys';

const create = async ({ client }: Member, fields: object = {}) =>
  (await client.post<CreatedApiKey>('/api/user/keys', { name: 'a program', ...fields })).body;

const own = ({ client }: Member, id: number, changes: object) => client.patch<ApiKey>(`/api/user/keys/${id}`, changes);

const limit = (id: number, changes: object) => admin.patch<AdminApiKey>(`${KEYS}/${id}`, changes);

const listed = async (query: string) => (await admin.get<AdminApiKey[]>(`${KEYS}?${query}`)).body;

describe('the keys of others, as admins see them', () => {
  it('have their owner, and no part of their secret (KEY-9)', async () => {
    const member = await harness.member();
    const { key, hint: _, ...shown } = await create(member, { messageCap: 3 });
    const { apiKey } = (await member.client.post<ApiKeyResponse>('/api/user/apikey/generate')).body;
    const answer = await admin.get<AdminApiKey[]>(`${KEYS}?userId=${member.user.id}`);
    const owner = { userId: member.user.id, username: member.username, isService: false };
    expect(answer.body).toMatchObject([
      { ...owner, isReadable: true },
      { ...shown, ...owner, isReadable: false },
    ]);
    for (const secret of [key, apiKey!]) {
      expect(answer.text).not.toContain(secret.slice(-4));
      expect(answer.text).not.toContain(secret.slice(3, 11));
    }
    expect(Object.keys(answer.body[0]!)).not.toContain('hint');
  });

  it('are found by name and owner in any case, and come in pages', async () => {
    const member = await harness.member();
    await create(member, { name: 'Nightly Report' });
    await create(member, { name: '100%_sure' });
    const found = async (query: string) =>
      (await listed(`userId=${member.user.id}&query=${encodeURIComponent(query)}`)).map(({ name }) => name);
    expect(await found('nightly')).toEqual(['Nightly Report']);
    expect(await found('%_')).toEqual(['100%_sure']);
    expect(await found(member.username.toUpperCase())).toHaveLength(2);
    const first = await admin.get<AdminApiKey[]>(`${KEYS}?userId=${member.user.id}&limit=1`);
    const cursor = first.headers.get('x-next-cursor');
    const next = await admin.get<AdminApiKey[]>(`${KEYS}?userId=${member.user.id}&limit=1&before=${cursor}`);
    expect([first.body[0]!.name, next.body[0]!.name]).toEqual(['100%_sure', 'Nightly Report']);
    expect(next.headers.get('x-next-cursor')).toBeNull();
    for (const query of ['userId=x', 'userId=0', 'userId=99999999999', 'before=x'])
      expect((await admin.get(`${KEYS}?${query}`)).status).toBe(400);
    const file = await admin.get(`${KEYS}.csv?userId=${member.user.id}`);
    expect(file.text.split('\r\n').filter(Boolean)).toHaveLength(3);
    expect(file.headers.get('content-type')).toContain('text/csv');
  });

  it('are deleted with an audit entry, and refused from then on', async () => {
    const member = await harness.member();
    const { id, key } = await create(member);
    expect((await admin.delete(`${KEYS}/${id}`)).status).toBe(200);
    expect((await harness.post(key, ask('Hello'))).status).toBe(401);
    expect((await admin.delete(`${KEYS}/${id}`)).status).toBe(404);
    const [entry] = (await admin.get<AuditEntry[]>('/api/admin/audit?limit=1')).body;
    expect(entry).toMatchObject({ action: 'api_key.delete', target: { id, name: 'a program' }, after: null });
  });
});

describe('a limit that an admin set', () => {
  it.each([
    ['messageCap', 10, 4, 11],
    ['budgetUsd', '5', '0.5', '5.01'],
    ['models', [MODEL, 'openai/gpt-4o'], [MODEL], [MODEL, 'another/model']],
    ['expiresAt', '2098-01-01T00:00:00.000Z', '2097-01-01T00:00:00.000Z', '2098-01-02T00:00:00.000Z'],
  ])('binds the owner, who can only lower it: %s', async (field, bound, lower, higher) => {
    const member = await harness.member();
    const { id } = await create(member);
    expect((await limit(id, { [field]: bound })).body).toMatchObject({
      [field]: bound,
      adminLimits: { [field]: bound },
    });
    for (const value of [higher, null]) {
      const answer = await own(member, id, { [field]: value });
      expect([answer.status, errorOf(answer).code]).toEqual([403, 'forbidden']);
    }
    expect((await own(member, id, { [field]: lower })).body).toMatchObject({ [field]: lower });
    expect((await own(member, id, { [field]: bound, name: 'renamed' })).body).toMatchObject({ [field]: bound });
    const [entry] = (await admin.get<AuditEntry[]>(`/api/admin/audit?target=api_key:${id}`)).body;
    expect(entry).toMatchObject({ action: 'api_key.update', before: { [field]: null } });
    // Without the admin's limit the key is the owner's again.
    expect((await limit(id, { [field]: null })).body).toMatchObject({ [field]: null, adminLimits: {} });
    expect((await own(member, id, { [field]: higher })).status).toBe(200);
  });

  it('binds parallel changes and the key that replaces a readable one', async () => {
    const member = await harness.member();
    const generate = async () => (await member.client.post<ApiKeyResponse>('/api/user/apikey/generate')).body.apiKey!;
    await generate();
    const [readable] = await listed(`userId=${member.user.id}`);
    expect((await limit(readable!.id, { messageCap: 1 })).status).toBe(200);
    expect((await harness.post(await generate(), ask('one'))).status).toBe(200);
    const refused = await harness.post(await generate(), ask('two'));
    expect([refused.status, errorIn(refused.body).code]).toEqual([403, 'quota_exceeded']);
    expect(await listed(`userId=${member.user.id}`)).toMatchObject([{ messageCap: 1, adminLimits: { messageCap: 1 } }]);
    const { id } = await create(member);
    const [ofAdmin, ...ofOwner] = await Promise.all([
      limit(id, { messageCap: 5 }),
      ...[7, 8, 9].map((messageCap) => own(member, id, { messageCap })),
    ]);
    expect(ofAdmin.status).toBe(200);
    const last = (await listed(`userId=${member.user.id}`)).find((key) => key.id === id)!;
    expect(last.messageCap).toBe(5);
    expect(ofOwner.every(({ status }) => status === 200 || status === 403)).toBe(true);
  });

  it.each([
    ['name', { name: 'renamed' }],
    ['messageCap', { messageCap: 0 }],
    ['expiresAt', { expiresAt: '2020-01-01' }],
    ['requestsPerMinute', { requestsPerMinute: -2 }],
    ['tokensPerMinute', { tokensPerMinute: '9' }],
  ])('is refused with a wrong %s', async (field, changes) => {
    const { id } = await create(await harness.member());
    const answer = await limit(id, changes);
    expect([answer.status, refusedField(answer)]).toEqual([400, field]);
    expect((await limit(2_147_483_647, { messageCap: 1 })).status).toBe(404);
  });

  it('includes rates, which no owner sets', async () => {
    const member = await harness.member();
    const { id } = await create(member);
    expect((await own(member, id, { requestsPerMinute: 5 })).status).toBe(400);
    expect((await limit(id, { requestsPerMinute: 5, tokensPerMinute: -1 })).body).toMatchObject({
      requestsPerMinute: 5,
      tokensPerMinute: -1,
    });
  });
});

describe('a key of a service account', () => {
  it('is made by admins, shown once and works', async () => {
    const service = (await admin.post<AdminUser>('/api/admin/users', { username: 'robot', isService: true })).body;
    const path = `/api/admin/users/${service.id}/keys`;
    const created = await admin.post<CreatedApiKey>(path, { name: 'nightly', messageCap: 2, requestsPerMinute: 9 });
    expect(created.status).toBe(201);
    const { key, ...shown } = created.body;
    expect(shown).toMatchObject({ name: 'nightly', messageCap: 2, requestsPerMinute: 9 });
    expect((await harness.post(key, ask('Hello'))).status).toBe(200);
    const [listedKey] = await listed(`userId=${service.id}`);
    expect(listedKey).toMatchObject({ username: 'robot', isService: true, messagesUsed: 1 });
    const [entry] = (await admin.get<AuditEntry[]>(`/api/admin/audit?target=api_key:${shown.id}`)).body;
    expect(entry).toMatchObject({ action: 'api_key.create', after: { name: 'nightly' } });
    expect(JSON.stringify(entry)).not.toContain(key);
    expect(refusedField(await admin.post(path, { name: ' ' }))).toBe('name');
    expect(refusedField(await admin.post(path, { name: 'x', scope: 'admin' }))).toBe('scope');
    expect((await admin.post('/api/admin/users/2147483647/keys', { name: 'x' })).status).toBe(404);
  });

  it('is made for no person', async () => {
    const { user } = await harness.member();
    const answer = await admin.post(`/api/admin/users/${user.id}/keys`, { name: 'of a person' });
    expect([answer.status, errorOf(answer).code]).toEqual([403, 'forbidden']);
    expect(await listed(`userId=${user.id}`)).toEqual([]);
  });
});

describe('a plan without access to the API', () => {
  afterEach(() => admin.patch('/api/admin/general-settings', { apiAccess: { free: true, premium: true } }));

  it('has no working keys and makes none; admins, services and other plans do', async () => {
    const [free, premium] = [await harness.member(), await harness.member({ isPremium: true })];
    const [ofFree, ofPremium] = [await create(free), await create(premium)];
    const service = (await admin.post<AdminUser>('/api/admin/users', { username: 'robot-2', isService: true })).body;
    const ofService = (await admin.post<CreatedApiKey>(`/api/admin/users/${service.id}/keys`, { name: 'x' })).body;
    const ofAdmin = (await admin.post<CreatedApiKey>('/api/user/keys', { name: 'own' })).body;
    expect(
      (await admin.patch('/api/admin/general-settings', { apiAccess: { free: false, premium: true } })).status,
    ).toBe(200);
    const refused = await harness.post(ofFree.key, ask('Hello'));
    expect([refused.status, errorIn(refused.body).message]).toEqual([
      403,
      'The API is switched off for your plan. Please ask an administrator.',
    ]);
    for (const { key } of [ofPremium, ofService, ofAdmin])
      expect((await harness.post(key, ask('Hello'))).status).toBe(200);
    for (const path of ['/api/user/keys', '/api/user/apikey/generate']) {
      const answer = await free.client.post(path, path.endsWith('keys') ? { name: 'x' } : undefined);
      expect([answer.status, errorOf(answer).code]).toEqual([403, 'forbidden']);
    }
    await admin.patch('/api/admin/general-settings', { apiAccess: { free: true, premium: true } });
    expect((await harness.post(ofFree.key, ask('Hello'))).status).toBe(200);
  });
});
