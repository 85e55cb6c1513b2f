import { type ApiKey, type ApiKeyResponse, type CreatedApiKey, LIMITS, type ModelList } from '@tanya/contract';
import { errorOf, refusedField } from '../harness/http-client.js';
import { waitUntil } from '../harness/wait-until.js';
import type { Member } from '../harness/test-app.js';
import { ask, errorIn, MODEL, type PublicApiHarness, startPublicApiHarness } from '../public-api/public-api-harness.js';

let harness: PublicApiHarness;

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false });
});

afterAll(() => harness.close());

const PATH = '/api/user/keys';

const HELD = { steps: [{ text: 'held' }, { finish: 'stop' as const }, { done: true as const }] };

const create = ({ client }: Member, fields: object = {}) =>
  client.post<CreatedApiKey>(PATH, { name: 'a program', ...fields });

const listOf = async ({ client }: Member) => (await client.get<ApiKey[]>(PATH)).body;

const codeOf = (body: unknown) => errorIn(body).code;

describe('the list of API keys', () => {
  it('shows the whole key once, and its last characters later (KEY-6)', async () => {
    const member = await harness.member();
    const created = await create(member);
    expect(created.status).toBe(201);
    const { key, ...shown } = created.body;
    expect(key).toMatch(/^tk_[\w-]{43}$/);
    expect(shown).toMatchObject({
      name: 'a program',
      hint: key.slice(-4),
      lastUsedAt: null,
      expiresAt: null,
      messageCap: null,
      messagesUsed: 0,
      budgetUsd: null,
      models: null,
    });
    expect(await listOf(member)).toEqual([shown]);
    const rows = JSON.stringify(await harness.dataSource.query('select * from api_key'));
    expect(rows).not.toContain(key);
  });

  it('has several keys, each for its own account, beside the readable key', async () => {
    const member = await harness.member();
    const { apiKey } = (await member.client.post<ApiKeyResponse>('/api/user/apikey/generate')).body;
    const keys = [(await create(member)).body.key, (await create(member, { name: 'another' })).body.key, apiKey!];
    for (const key of keys) expect((await harness.post(key, ask('Hello'))).status).toBe(200);
    expect((await listOf(member)).map(({ name, messagesUsed }) => [name, messagesUsed])).toEqual([
      ['another', 1],
      ['a program', 1],
    ]);
    expect((await member.client.get('/api/user/apikey')).body).toEqual({ hasApiKey: true, apiKey });
    expect(await harness.usedBy(member)).toBe(3);
    expect(await listOf(await harness.member())).toEqual([]);
  });

  it('shows the last use', async () => {
    const member = await harness.member();
    const { key } = (await create(member)).body;
    await harness.post(key, ask('Hello'));
    const [shown] = await listOf(member);
    expect(Date.parse(shown!.lastUsedAt!)).toBeGreaterThanOrEqual(Date.parse(shown!.createdAt));
  });

  it('stores and changes name and restrictions, which null removes', async () => {
    const member = await harness.member();
    const expiresAt = '2099-01-31T12:00:00.000Z';
    const { key, ...made } = (
      await create(member, { expiresAt, messageCap: 5, budgetUsd: '12.50', models: [MODEL, MODEL] })
    ).body;
    expect(made).toMatchObject({ expiresAt, messageCap: 5, budgetUsd: '12.5', spentUsd: '0', models: [MODEL] });
    const change = (changes: object) => member.client.patch<ApiKey>(`${PATH}/${made.id}`, changes);
    expect((await change({ name: 'renamed', budgetUsd: 3 })).body).toEqual({
      ...made,
      name: 'renamed',
      budgetUsd: '3',
    });
    const cleared = { expiresAt: null, messageCap: null, budgetUsd: null, models: null };
    expect((await change(cleared)).body).toEqual({ ...made, name: 'renamed', ...cleared, spentUsd: null });
    expect((await harness.post(key, ask('Hello'))).status).toBe(200);
  });

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(61) }],
    ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['expiresAt', { expiresAt: 'tomorrow' }],
    ['expiresAt', { expiresAt: '2099-02-31T00:00:00+99:00' }],
    ['messageCap', { messageCap: 0 }],
    ['messageCap', { messageCap: 1.5 }],
    ['budgetUsd', { budgetUsd: '-1' }],
    ['budgetUsd', { budgetUsd: 1e21 }],
    ['budgetUsd', { budgetUsd: '1e3' }],
    ['models', { models: [] }],
    ['models', { models: [7] }],
    ['models', { models: Array(101).fill('x') }],
  ])('refuses a bad %s, case %#', async (field, fields) => {
    const answer = await create(await harness.member(), fields);
    expect([answer.status, refusedField(answer)]).toEqual([400, field]);
  });

  it('is bounded, also for parallel calls (KEY-6)', async () => {
    const member = await harness.member();
    const answers = await Promise.all(Array.from({ length: LIMITS.apiKeys + 5 }, () => create(member)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map((answer) => errorOf(answer).code)).toEqual(Array(5).fill('conflict'));
    expect(await listOf(member)).toHaveLength(LIMITS.apiKeys);
  });

  it('is out of reach of other members (AZ-1)', async () => {
    const owner = await harness.member();
    const other = await harness.member();
    const { id } = (await create(owner)).body;
    expect((await other.client.patch(`${PATH}/${id}`, { name: 'mine' })).status).toBe(404);
    expect((await other.client.delete(`${PATH}/${id}`)).status).toBe(404);
    expect((await listOf(owner)).map(({ name }) => name)).toEqual(['a program']);
  });

  it('is part of the export and goes with the account', async () => {
    const member = await harness.member();
    const { key, ...shown } = (await create(member)).body;
    const { body } = await member.client.get<{ apiKeys: ApiKey[] }>('/api/user/export');
    expect(body.apiKeys).toEqual([shown]);
    const admin = await harness.admin();
    expect((await admin.delete(`/api/admin/users/${member.user.id}`)).status).toBe(200);
    expect((await harness.post(key, ask('Hello'))).status).toBe(401);
    expect(await harness.dataSource.query('select 1 from api_key where id = $1', [shown.id])).toEqual([]);
  });
});

describe('a call with a key of the list', () => {
  it('is refused once the key has expired or is deleted (KEY-3)', async () => {
    const member = await harness.member();
    const expired = (await create(member, { expiresAt: '2099-01-01' })).body;
    await harness.dataSource.query(`update api_key set expires_at = now() where id = $1`, [expired.id]);
    const deleted = (await create(member)).body;
    expect((await member.client.delete(`${PATH}/${deleted.id}`)).status).toBe(200);
    for (const { key } of [expired, deleted]) {
      const answer = await harness.post(key, ask('Hello'));
      expect([answer.status, codeOf(answer.body)]).toEqual([401, 'invalid_api_key']);
    }
    expect((await member.client.delete(`${PATH}/${deleted.id}`)).status).toBe(404);
  });

  it('ends when the key is deleted, free before the first text; calls of other keys continue (KEY-3)', async () => {
    const member = await harness.member();
    const [leaked, other] = [(await create(member)).body, (await create(member)).body];
    const releases = [harness.upstream.hold(HELD), harness.upstream.hold(HELD)];
    const calls = harness.upstream.callsOf().length;
    const answers = [leaked, other].map(({ key }) => harness.post(key, ask('held back')));
    await waitUntil('the calls of the provider', () => harness.upstream.callsOf().length === calls + 2);
    await member.client.delete(`${PATH}/${leaked.id}`);
    const ended = await answers[0]!;
    expect([ended.status, codeOf(ended.body)]).toEqual([503, 'interrupted']);
    for (const release of releases) release();
    expect((await answers[1]!).status).toBe(200);
    expect((await harness.post(leaked.key, ask('again'))).status).toBe(401);
    expect(await harness.usedBy(member)).toBe(1);
  });

  it('goes on when the readable key is revoked', async () => {
    const member = await harness.member();
    await member.client.post('/api/user/apikey/generate');
    const { key } = (await create(member)).body;
    const release = harness.upstream.hold(HELD);
    const calls = harness.upstream.callsOf().length;
    const answer = harness.post(key, ask('held back'));
    await waitUntil('the call of the provider', () => harness.upstream.callsOf().length > calls);
    await member.client.post('/api/user/apikey/revoke');
    release();
    expect((await answer).status).toBe(200);
  });

  it('may use the models of the key alone (KEY-7)', async () => {
    const member = await harness.member({ isPremium: true });
    const { key } = (await create(member, { models: [MODEL] })).body;
    const get = (path: string) => harness.client().get<ModelList>(path, { headers: { 'x-api-key': key } });
    expect((await get('/api/v1/models')).body.data.map(({ id }) => id)).toEqual([MODEL]);
    expect((await get('/api/v1/models/openai/gpt-4o')).status).toBe(404);
    expect((await harness.post(key, ask('Hello'))).status).toBe(200);
    for (const [path, body] of [
      ['/api/v1/chat/completions', ask('Hello', { model: 'openai/gpt-4o' })],
      ['/api/v1/embeddings', { model: 'text-embedding-3-small', input: 'Hello' }],
      ['/api/v1/images/generations', { prompt: 'a cat' }],
    ] as const) {
      const answer = await harness.post(key, body, {}, path);
      expect([path, answer.status, codeOf(answer.body)]).toEqual([path, 404, 'model_not_found']);
    }
    expect(await harness.usedBy(member)).toBe(1);
  });
});
