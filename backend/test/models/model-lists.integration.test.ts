import type {
  AdminModel,
  AuditEntry,
  Catalogue,
  Group,
  ImportModelsResult,
  ModelBatchResult,
  ModelPriceChange,
  ModelProblem,
  ProviderConnection,
} from '@tanya/contract';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';

const MODELS = '/api/admin/models';
const CONNECTIONS = '/api/admin/connections';

let harness: ChatHarness;
let other: ScriptedUpstream;
let admin: HttpClient;
let member: MemberPage;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
  other = await startUpstream({ words: 5 });
  admin = await harness.admin();
});

beforeEach(async () => {
  member = await harness.memberPage({ isPremium: true });
});

afterEach(() => harness.settle());

afterAll(async () => {
  await harness.close();
  await other.close();
});

let count = 0;
/** A connection to a server that lists these ids, each with the given fields. */
async function connect(ids: readonly string[], fields: object = {}): Promise<ProviderConnection> {
  const name = `Server ${(count += 1)}`;
  const body = { kind: 'compatible', name, baseUrl: other.url, apiKey: 'sk-1' };
  const connection = (await admin.post<ProviderConnection>(CONNECTIONS, body)).body;
  other.script({
    on: 'models',
    body: JSON.stringify({ data: ids.map((id) => ({ id, context_length: 32_768, ...fields })) }),
  });
  await admin.get(`${CONNECTIONS}/${connection.id}/models`);
  return connection;
}

const importModels = (request: object) => admin.post<ImportModelsResult>(`${MODELS}/import`, request);
const batch = (ids: number[], changes: object) => admin.post<ModelBatchResult>(`${MODELS}/batch`, { ids, changes });
const listed = async () => (await admin.get<AdminModel[]>(MODELS)).body;
const modelsOf = async (connectionId: number) =>
  (await listed()).filter((model) => model.connectionId === connectionId);

async function add(fields: object = {}): Promise<AdminModel> {
  const answer = await admin.post<AdminModel>(MODELS, { modelId: `lists/model-${(count += 1)}`, ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}

describe('an import', () => {
  it('adds the chosen models of a connection as its list describes them', async () => {
    const { id } = await connect(['forty/one', 'forty/two', 'forty/three']);
    const { body } = await importModels({ connectionId: id, modelIds: ['forty/one', 'forty/two'], isEnabled: false });
    expect(body).toEqual({ imported: 2, skipped: 0, reasons: [] });
    const rows = await modelsOf(id);
    expect(rows.map(({ modelId }) => modelId).toSorted()).toEqual(['forty/one', 'forty/two']);
    expect(rows[0]).toMatchObject({ provider: 'forty', isEnabled: false, access: 'everyone', contextLength: 32_768 });
    const entries = (await admin.get<{ data: AuditEntry[] } | AuditEntry[]>('/api/admin/audit')).text;
    expect(entries).toContain('forty/one');
  });

  it('leaves a context length unknown that the list does not say, so that no prompt is cut to a guess', async () => {
    const { id } = await connect(['silent/one'], { context_length: undefined });
    const { data } = (await admin.get<Catalogue>(`${CONNECTIONS}/${id}/models`)).body;
    expect(data).toMatchObject([{ id: 'silent/one', context_length: null }]);
    await importModels({ connectionId: id, modelIds: ['silent/one'] });
    expect(await modelsOf(id)).toMatchObject([{ modelId: 'silent/one', contextLength: null }]);
    const created = await add({ modelId: 'silent/two', upstreamId: 'silent/one', connectionId: id });
    expect(created.contextLength).toBeNull();
  });

  it('judges each entry alone', async () => {
    const { id } = await connect(['judged/one', 'has blank', 'judged/two']);
    await importModels({ connectionId: id, modelIds: ['judged/one'] });
    const ids = ['judged/one', 'judged/two', 'judged/two', 'has blank', 'judged/none'];
    expect((await importModels({ connectionId: id, modelIds: ids })).body).toEqual({
      imported: 1,
      skipped: 3,
      reasons: [
        { modelId: 'judged/one', reason: 'exists' },
        { modelId: 'has blank', reason: 'unusable_id' },
        { modelId: 'judged/none', reason: 'not_listed' },
      ],
    });
  });

  it('leaves out what is no chat model and stands in a list of fallbacks', async () => {
    const embedding = 'named/text-embedding-3-small';
    const chat = await add({ modelId: embedding, kind: 'chat' });
    await add({ fallbacks: [embedding] });
    await admin.delete(`${MODELS}/${chat.id}`);
    const { id } = await connect([embedding]);
    expect((await importModels({ connectionId: id, modelIds: [embedding] })).body).toEqual({
      imported: 0,
      skipped: 1,
      reasons: [{ modelId: embedding, reason: 'fallback_kind' }],
    });
  });

  it('takes texts that Postgres refuses, and cuts a long name between characters', async () => {
    const architecture = { input_modalities: ['text'] };
    const { id } = await connect(['texts/one'], {
      name: `${'x'.repeat(199)}😀`,
      description: 'a\0\ud83d',
      architecture,
    });
    expect((await importModels({ connectionId: id, modelIds: ['texts/one'] })).body).toMatchObject({ imported: 1 });
    expect(await modelsOf(id)).toMatchObject([{ name: `${'x'.repeat(199)}\ufffd`, description: 'a\ufffd' }]);
  });

  it('gives the models to groups', async () => {
    const { id } = await connect(['grouped/one']);
    const group = (await admin.post<Group>('/api/admin/groups', { name: 'Importers' })).body;
    const rule = { access: 'groups', groupIds: [group.id] };
    expect((await importModels({ connectionId: id, modelIds: ['grouped/one'], ...rule })).body.imported).toBe(1);
    expect((await modelsOf(id))[0]).toMatchObject(rule);
  });

  it('takes 5,000 models', async () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => `many/model-${index}`);
    const { id } = await connect(ids);
    const { body } = await importModels({ connectionId: id, modelIds: ids, isEnabled: false });
    expect(body).toEqual({ imported: 5_000, skipped: 0, reasons: [] });
    expect(await modelsOf(id)).toHaveLength(5_000);
    const again = await importModels({ connectionId: id, modelIds: ids });
    expect(again.body).toMatchObject({ imported: 0, skipped: 5_000 });
    expect(again.body.reasons).toHaveLength(100);
    await harness.dataSource.query('delete from model where connection_id = $1', [id]);
  });

  it.each([
    [{ modelIds: [7] }, 'modelIds'],
    [{ modelIds: Array.from({ length: 5_001 }, () => 'a') }, 'modelIds'],
    [{ modelIds: 'a' }, 'modelIds'],
    [{ modelIds: ['refused/one'], connectionId: 2_147_483_647 }, 'connectionId'],
    [{ modelIds: ['refused/one'], isEnabled: 'yes' }, 'isEnabled'],
    [{ modelIds: ['refused/one'], access: 'all' }, 'access'],
    [{ modelIds: ['refused/one'], access: 'groups', groupIds: [2_147_483_647] }, 'groupIds'],
  ])('refuses %#', async (fields, field) => {
    const { id } = await connect(['refused/one']);
    const answer = await importModels({ connectionId: id, ...fields });
    expect([answer.status, refusedField(answer)]).toEqual([400, field]);
    expect(await modelsOf(id)).toEqual([]);
  });

  it('names what is wrong with a connection whose list cannot be read', async () => {
    const { body } = await admin.post<ProviderConnection>(CONNECTIONS, {
      kind: 'compatible',
      name: 'Nobody there',
      baseUrl: 'http://127.0.0.1:9/v1',
    });
    expect(errorOf(await importModels({ connectionId: body.id, modelIds: ['a'] })).code).toMatch(/^provider_/);
  });
});

describe('a batch', () => {
  it('changes the models that exist and reports the others', async () => {
    const models = [await add(), await add()];
    const ids = models.map(({ id }) => id);
    const { body } = await batch([...ids, 2_147_483_647], { isEnabled: false, isApiEnabled: false, access: 'premium' });
    expect(body).toEqual({ ids, skipped: [{ id: 2_147_483_647, code: 'not_found' }] });
    for (const id of ids)
      expect((await listed()).find((model) => model.id === id)).toMatchObject({
        isEnabled: false,
        isApiEnabled: false,
        access: 'premium',
        isPremium: true,
      });
  });

  it('gives models the same prices in place of all of theirs, and notes them', async () => {
    const models = [await add({ pricing: { prompt: '0.1', image: '3' } }), await add()];
    const ids = models.map(({ id }) => id);
    const pricing = { prompt: '0.0000002', completion: '0' };
    expect((await batch(ids, { pricing })).body).toEqual({ ids, skipped: [] });
    for (const id of ids) {
      expect((await listed()).find((model) => model.id === id)?.pricing).toEqual(pricing);
      const [latest] = (await admin.get<ModelPriceChange[]>(`${MODELS}/${id}/prices`)).body;
      expect(latest).toMatchObject({ source: 'admin', pricing });
    }
    expect((await batch(ids, { isApiEnabled: true })).body.skipped).toEqual([]);
    expect((await listed()).find(({ id }) => id === ids[0])?.pricing).toEqual(pricing);
    await batch(ids, { pricing: null });
    expect((await listed()).find(({ id }) => id === ids[0])?.pricing).toBeNull();
  });

  it('leaves the default enabled', async () => {
    const standard = (await listed()).find(({ isDefault }) => isDefault)!;
    const { id } = await add();
    expect((await batch([standard.id, id], { isEnabled: false })).body).toEqual({
      ids: [id],
      skipped: [{ id: standard.id, code: 'conflict' }],
    });
    expect((await batch([standard.id], { isApiEnabled: true })).body.skipped).toEqual([]);
  });

  it('says what models are for, which is no guess then, and leaves the default in the picker', async () => {
    const standard = (await listed()).find(({ isDefault }) => isDefault)!;
    const { id } = await connect(['kinds/one', 'kinds/two']);
    await importModels({ connectionId: id, modelIds: ['kinds/one', 'kinds/two'] });
    const guessed = await modelsOf(id);
    expect(guessed).toMatchObject(guessed.map(() => ({ kind: 'chat', isKindGuessed: true })));
    const ids = guessed.map((model) => model.id);
    const { body } = await batch([...ids, standard.id], { kind: 'embedding' });
    expect(body).toEqual({ ids, skipped: [{ id: standard.id, code: 'conflict' }] });
    expect(await modelsOf(id)).toMatchObject(ids.map(() => ({ kind: 'embedding', isKindGuessed: false })));
    expect((await batch([standard.id], { kind: standard.kind })).body.skipped).toEqual([]);
    const [entry] = (await admin.get<AuditEntry[]>(`/api/admin/audit?target=model:${ids[0]}`)).body;
    expect(entry).toMatchObject({ before: { kind: 'chat' }, after: { kind: 'embedding' } });
  });

  it.each([
    {},
    { ids: ['a'], changes: {} },
    { ids: [1], changes: { isEnabled: 1 } },
    { ids: [1], changes: { kind: 'video' } },
    { ids: [1], changes: { name: 'x' } },
    { ids: [1], changes: { pricing: { prompt: '-1' } } },
  ])('refuses %j', async (request) => {
    expect((await admin.post(`${MODELS}/batch`, request)).status).toBe(400);
  });
});

describe('a model of its own id', () => {
  it('is asked for by the id of its provider and shown under its public one', async () => {
    const { id } = await connect([]);
    const { modelId } = await add({ connectionId: id, upstreamId: 'vendor-internal-7' });
    const { generationId } = await member.page.start('hello', { model: modelId });
    const { message } = await member.page.ended(generationId);
    expect(message).toMatchObject({ status: 'complete', modelId });
    expect(other.callsOf().at(-1)!.body).toMatchObject({ model: 'vendor-internal-7' });
  });

  it('goes back to the public id', async () => {
    const model = await add({ upstreamId: 'vendor-internal-8' });
    const cleared = await admin.patch<AdminModel>(`${MODELS}/${model.id}`, { upstreamId: null });
    expect(cleared.body.upstreamId).toBeNull();
    expect(refusedField(await admin.patch(`${MODELS}/${model.id}`, { upstreamId: 'has blank' }))).toBe('upstreamId');
  });
});

describe('a model with a system prompt and default parameters', () => {
  const parameters = { temperature: 0.25, top_p: 0.5, max_tokens: 77 };

  it('adds both to a chat, and the parameters alone to the requests of a program', async () => {
    const { id } = await connect([]);
    const { modelId } = await add({ connectionId: id, systemPrompt: 'Answer as a pirate.', parameters });
    const { generationId } = await member.page.start('hello', { model: modelId });
    await member.page.ended(generationId);
    const ofChat = other.callsOf().at(-1)!.body;
    expect(ofChat).toMatchObject({ temperature: 0.25, top_p: 0.5, max_tokens: 77 });
    expect(JSON.stringify(ofChat['messages'])).toContain('Answer as a pirate.');

    const key = (await admin.post<{ apiKey: string }>('/api/user/apikey/generate')).body.apiKey;
    const answer = await fetch(`${harness.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: modelId, messages: [{ role: 'user', content: 'hi' }], temperature: 1 }),
    });
    expect(answer.status).toBe(200);
    const ofProgram = other.callsOf().at(-1)!.body;
    expect(ofProgram).toMatchObject({ temperature: 1, top_p: 0.5, max_tokens: 77 });
    expect(JSON.stringify(ofProgram['messages'])).not.toContain('pirate');
  });

  it.each([
    { temperature: 3 },
    { top_p: -1 },
    { max_tokens: 0 },
    { seed: 1.5 },
    { temperature: 'hot' },
    { stop: ['x'] },
  ])('refuses %j', async (given) => {
    const model = await add();
    expect((await admin.patch(`${MODELS}/${model.id}`, { parameters: given })).status).toBe(400);
  });

  it('keeps and clears them', async () => {
    const model = await add({ parameters, systemPrompt: 'One.' });
    expect((await admin.patch<AdminModel>(`${MODELS}/${model.id}`, { name: 'Renamed' })).body).toMatchObject({
      parameters,
      systemPrompt: 'One.',
    });
    const cleared = await admin.patch<AdminModel>(`${MODELS}/${model.id}`, { parameters: null, systemPrompt: ' ' });
    expect(cleared.body).toMatchObject({ parameters: null, systemPrompt: null });
  });
});

describe('the problems of models', () => {
  const problemOf = async ({ id }: AdminModel) =>
    (await admin.get<ModelProblem[]>(`${MODELS}/problems`)).body.find((each) => each.id === id)?.problem ?? null;

  it('names models whose connection is off or does not list them', async () => {
    const connection = await connect(['listed/here']);
    const here = await add({ modelId: 'public/here', upstreamId: 'listed/here', connectionId: connection.id });
    const elsewhere = await add({ connectionId: connection.id });
    expect([await problemOf(here), await problemOf(elsewhere)]).toEqual([null, 'not_listed']);
    await admin.patch(`${CONNECTIONS}/${connection.id}`, { enabled: false });
    expect([await problemOf(here), await problemOf(elsewhere)]).toEqual(['connection_off', 'connection_off']);
  });

  it('are found with one call to each connection', async () => {
    const body = { kind: 'compatible', name: 'Unread', baseUrl: `${other.url}/unread`, apiKey: 'sk-1' };
    const { id } = (await admin.post<ProviderConnection>(CONNECTIONS, body)).body;
    const models = await Promise.all([1, 2, 3, 4].map(() => add({ connectionId: id })));
    expect(await problemOf(models[0]!)).toBe('not_listed');
    expect(other.calls.filter(({ path }) => path.includes('/unread/models'))).toHaveLength(1);
  });

  it('names models that only the demo answers, once a connection is set up', async () => {
    await connect(['served/here']);
    const unbound = await add();
    const openai = (await admin.get<ProviderConnection[]>(CONNECTIONS)).body.find(
      ({ isBuiltIn, kind }) => isBuiltIn && kind === 'openai',
    )!;
    expect(await problemOf(unbound)).not.toBe('demo');
    await admin.patch(`${CONNECTIONS}/${openai.id}`, { enabled: false });
    expect(await problemOf(unbound)).toBe('demo');
    await admin.patch(`${CONNECTIONS}/${openai.id}`, { enabled: true });
    expect(await problemOf(unbound)).not.toBe('demo');
  });

  it('says nothing where a list is empty', async () => {
    const { id } = await connect([]);
    expect(await problemOf(await add({ connectionId: id }))).toBeNull();
  });
});

it('counts the conversations that go on with a model', async () => {
  const { id } = await connect([]);
  const model = await add({ connectionId: id });
  expect((await admin.get(`${MODELS}/${model.id}/uses`)).body).toEqual({ threads: 0 });
  const { generationId } = await member.page.start('hello', { model: model.modelId });
  await member.page.ended(generationId);
  expect((await admin.get(`${MODELS}/${model.id}/uses`)).body).toEqual({ threads: 1 });
  expect((await admin.get(`${MODELS}/2147483647/uses`)).status).toBe(404);
});
