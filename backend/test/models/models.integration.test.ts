import { type AdminModel, type AuditEntry, type DefaultModel, type PublicModel, TEXTS } from '@tanya/contract';
import { DataSource } from 'typeorm';
import { ModelEntity } from '../../src/models/model.entity.js';
import { ModelsService } from '../../src/models/models.service.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { startUpstream } from '../harness/scripted-upstream.js';

let server: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.admin();
});

afterAll(async () => {
  await server.close();
});

const ADMIN_PATH = '/api/admin/models';
const DEFAULT = '/api/admin/settings/default-model';

let count = 0;
const create = async (fields: object = {}): Promise<AdminModel> => {
  const answer = await admin.post<AdminModel>(ADMIN_PATH, { modelId: `maker/model-${(count += 1)}`, ...fields });
  expect(answer.status).toBe(201);
  return answer.body;
};
const defaultId = async (): Promise<string> =>
  (await server.client().get<DefaultModel>('/api/settings/default-model')).body.modelId;
const listed = async (modelId: string): Promise<PublicModel | undefined> =>
  (await server.client().get<PublicModel[]>('/api/models')).body.find((model) => model.modelId === modelId);

describe('models', () => {
  it('are listed publicly without the fields of admins', async () => {
    expect(await listed('openai/gpt-4o-mini')).toEqual({
      modelId: 'openai/gpt-4o-mini',
      name: 'GPT-4o Mini',
      provider: 'OpenAI',
      description: 'an efficient and capable OpenAI model',
      kind: 'chat',
      isEnabled: true,
      isApiEnabled: true,
      isInPicker: true,
      access: 'everyone',
      isPremium: false,
      vision: true,
      isImage: false,
      messageCost: 1,
      reasoningEfforts: [],
      supportsTools: null,
      contextLength: 128_000,
    });
    expect(await defaultId()).toBe('openai/gpt-4o-mini');
  });

  it('take their default names from their id', async () => {
    const model = await create({ modelId: 'meta/llama/3', contextLength: 8192 });
    expect(model).toMatchObject({
      provider: 'meta',
      name: 'llama/3',
      isEnabled: true,
      isApiEnabled: true,
      isDefault: false,
    });
    expect(server.app.get(ModelsService).find('meta/llama/3')).toMatchObject({ contextLength: 8192, isImage: false });
    expect(server.app.get(ModelsService).find('openai/gpt-image-1')?.isImage).toBe(true);
    expect(server.app.get(ModelsService).find('meta/llama/4')).toBeNull();
  });

  it('are unique by id', async () => {
    const { modelId } = await create();
    const answers = await Promise.all(Array.from({ length: 5 }, () => admin.post(ADMIN_PATH, { modelId })));
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
  });

  it('change in the public list at once', async () => {
    const { id, modelId } = await create();
    const changed = await admin.patch<AdminModel>(`${ADMIN_PATH}/${id}`, {
      name: 'New name',
      description: '',
      isPremium: true,
    });
    expect(changed.body).toMatchObject({ name: 'New name', description: null, provider: 'maker', isPremium: true });
    const withTools = await admin.patch<AdminModel>(`${ADMIN_PATH}/${id}`, { supportsTools: true });
    expect(withTools.body).toMatchObject({ toolSupport: true, supportsTools: true });
    const asReported = await admin.patch<AdminModel>(`${ADMIN_PATH}/${id}`, { supportsTools: null });
    expect(asReported.body).toMatchObject({ toolSupport: null, supportsTools: null });
    await admin.patch(`${ADMIN_PATH}/${id}/status`, { isEnabled: false });
    await admin.patch(`${ADMIN_PATH}/${id}/api-status`, { isApiEnabled: false });
    expect(await listed(modelId)).toMatchObject({ name: 'New name', isEnabled: false, isApiEnabled: false });
    expect((await admin.delete(`${ADMIN_PATH}/${id}`)).status).toBe(200);
    expect(await listed(modelId)).toBeUndefined();
    expect((await admin.delete(`${ADMIN_PATH}/${id}`)).status).toBe(404);
  });

  it.each([
    [{}, 400],
    [{ modelId: '' }, 400],
    [{ modelId: 'with blank' }, 400],
    [{ modelId: 'x'.repeat(201) }, 400],
    [{ modelId: 'a/b', contextLength: 0 }, 400],
    [{ modelId: 'a/b', isEnabled: 'yes' }, 400],
    [{ modelId: 'a/b', isEnabled: null }, 400],
    [{ modelId: 'a/b', isApiEnabled: 'no' }, 400],
    [{ modelId: 'a/b', isDefault: true }, 400],
    [{ modelId: 'a/b', kind: 'video' }, 400],
    [{ modelId: 'a/b', kind: null }, 400],
    [{ modelId: 'a/b', kind: ['chat'] }, 400],
    [{ modelId: 'a/b', isKindGuessed: false }, 400],
    [{ modelId: 'a/b', isInPicker: 'no' }, 400],
    [{ modelId: 'a/b', id: 7 }, 400],
  ])('are not created from %j', async (body, status) => {
    expect((await admin.post(ADMIN_PATH, body)).status).toBe(status);
  });

  it('are created without the API', async () => {
    const model = await create({ isApiEnabled: false });
    expect(model).toMatchObject({ isEnabled: true, isApiEnabled: false });
    expect(await listed(model.modelId)).toMatchObject({ isApiEnabled: false });
    expect(await create()).toMatchObject({ isApiEnabled: true });
  });

  it('have the kind of the request, else of the modalities, else of the id', async () => {
    const asked = { modelId: 'kinds/whisper-one', kind: 'embedding', outputModalities: ['text'] };
    expect(await create(asked)).toMatchObject({ kind: 'embedding', isKindGuessed: false });
    const reported = { modelId: 'kinds/whisper-two', inputModalities: ['text'], outputModalities: ['image'] };
    expect(await create(reported)).toMatchObject({
      kind: 'image',
      isKindGuessed: false,
      isImage: true,
      messageCost: 7,
    });
    const deployed = { modelId: 'gpt-image-1', upstreamId: 'my-deployment' };
    expect(await create(deployed)).toMatchObject({ kind: 'image', isKindGuessed: false });
    expect(await create({ modelId: 'kinds/whisper-three' })).toMatchObject({
      kind: 'transcription',
      isKindGuessed: true,
      isImage: false,
      supportsTools: false,
    });
    expect(await create({ modelId: 'kinds/any' })).toMatchObject({ kind: 'chat', isKindGuessed: true });
  });

  it('have a guessed kind until an admin sets it, which the audit log names', async () => {
    const { id, modelId } = await create({ modelId: 'kinds/embed-me' });
    const path = `${ADMIN_PATH}/${id}`;
    expect((await admin.patch<AdminModel>(path, { name: 'Embedder' })).body).toMatchObject({ isKindGuessed: true });
    expect((await admin.patch<AdminModel>(path, { kind: 'embedding' })).body).toMatchObject({
      kind: 'embedding',
      isKindGuessed: false,
    });
    await admin.patch(path, { kind: 'chat', isInPicker: false });
    expect(await listed(modelId)).toMatchObject({ kind: 'chat', isInPicker: false });
    expect((await admin.patch(path, { kind: 'video' })).status).toBe(400);
    const { body } = await admin.get<AuditEntry[]>('/api/admin/audit?limit=1');
    expect(body[0]).toMatchObject({
      action: 'model.update',
      before: { kind: 'embedding', isInPicker: true },
      after: { kind: 'chat', isInPicker: false },
    });
  });

  it('take null for an omitted name and provider', async () => {
    const model = await create({ modelId: 'maker/nameless', name: null, provider: null });
    expect(model).toMatchObject({ name: 'nameless', provider: 'maker' });
  });

  it('are refused without an id with a specific message', async () => {
    for (const fields of [{}, { modelId: 7 }, { modelId: ' ' }]) {
      const { message } = errorOf(await admin.post(ADMIN_PATH, fields));
      expect([fields, message]).toEqual([fields, TEXTS.validation.missingInformationHint]);
    }
    expect(errorOf(await admin.post(ADMIN_PATH, { modelId: 'with blank' })).message).toBe(
      'The model id contains blanks or invisible characters. Please remove them.',
    );
  });

  it('conflict by their id alone, not by other unique columns', async () => {
    const { modelId } = await create();
    expect(errorOf(await admin.post(ADMIN_PATH, { modelId })).code).toBe('conflict');
    const sequence = `pg_get_serial_sequence('model', 'id')`;
    await server.dataSource.query(`select setval(${sequence}, (select min(id) from model), false)`);
    expect(errorOf(await admin.post(ADMIN_PATH, { modelId: 'maker/of-a-taken-number' })).code).toBe('internal');
    await server.dataSource.query(`select setval(${sequence}, (select max(id) from model))`);
  });

  it('are answered as stored where Postgres is away for a moment after the change', async () => {
    const { id } = await create();
    const { manager } = server.app.get(DataSource);
    const findOneBy = manager.findOneBy.bind(manager);
    let isAway = true;
    jest.spyOn(manager, 'findOneBy').mockImplementation(async (entity, where) => {
      if (entity !== ModelEntity || !isAway) return findOneBy(entity, where);
      isAway = false;
      throw new AppError('storage_unavailable');
    });
    const { status, body } = await admin.patch<AdminModel>(`${ADMIN_PATH}/${id}`, { name: 'Renamed' });
    jest.restoreAllMocks();
    expect([isAway, status, body.name]).toEqual([false, 200, 'Renamed']);
  });

  it.each(['0', '1e3', '999999999999', 'x', '%27'])('are not found under the id %s', async (id) => {
    expect((await admin.patch(`${ADMIN_PATH}/${id}`, { name: 'x' })).status).toBe(404);
    expect((await admin.patch(`${ADMIN_PATH}/${id}/status`, { isEnabled: false })).status).toBe(404);
    expect((await admin.delete(`${ADMIN_PATH}/${id}`)).status).toBe(404);
  });

  it('are writable by admins alone', async () => {
    const { client } = await server.member();
    const guest = await server.guest();
    for (const [browser, status] of [
      [client, 403],
      [guest, 401],
    ] as const) {
      expect((await browser.get(ADMIN_PATH)).status).toBe(status);
      expect((await browser.post(ADMIN_PATH, { modelId: 'a/b' })).status).toBe(status);
      expect((await browser.put(DEFAULT, { modelId: 'openai/gpt-4o' })).status).toBe(status);
    }
  });
});

describe('the default model', () => {
  it('can only be an enabled model', async () => {
    const { id, modelId } = await create({ isEnabled: false });
    expect(errorOf(await admin.put(DEFAULT, { modelId })).code).toBe('conflict');
    expect((await admin.put(DEFAULT, { modelId: 'no/such' })).status).toBe(404);
    await admin.patch(`${ADMIN_PATH}/${id}/status`, { isEnabled: true });
    expect((await admin.put<DefaultModel>(DEFAULT, { modelId })).body).toEqual({ modelId });
    expect(await defaultId()).toBe(modelId);
  });

  it('is one that the picker offers', async () => {
    for (const fields of [{ kind: 'embedding' }, { kind: 'transcription' }, { isInPicker: false }]) {
      const { modelId } = await create(fields);
      expect(errorOf(await admin.put(DEFAULT, { modelId }))).toMatchObject({ code: 'conflict' });
    }
    const { id, modelId } = await create();
    await admin.put(DEFAULT, { modelId });
    for (const change of [{ kind: 'embedding' }, { isInPicker: false }])
      expect(errorOf(await admin.patch(`${ADMIN_PATH}/${id}`, change)).code).toBe('conflict');
    expect((await admin.patch(`${ADMIN_PATH}/${id}`, { kind: 'chat', isInPicker: true })).status).toBe(200);
  });

  it('can be neither disabled nor deleted (ADM-4)', async () => {
    const { id, modelId } = await create();
    await admin.put(DEFAULT, { modelId });
    expect((await admin.patch(`${ADMIN_PATH}/${id}/status`, { isEnabled: false })).status).toBe(409);
    expect((await admin.delete(`${ADMIN_PATH}/${id}`)).status).toBe(409);
    expect(await listed(modelId)).toMatchObject({ isEnabled: true });
  });

  it('is exactly one enabled model after concurrent changes (ADM-4)', async () => {
    const models = await Promise.all(Array.from({ length: 6 }, () => create()));
    const answers = await Promise.all(
      models.flatMap(({ id, modelId }) => [
        admin.put(DEFAULT, { modelId }),
        admin.patch(`${ADMIN_PATH}/${id}/status`, { isEnabled: false }),
        admin.put(DEFAULT, { modelId }),
        admin.delete(`${ADMIN_PATH}/${id}`),
      ]),
    );
    expect(answers.every(({ status }) => status < 500)).toBe(true);
    const rows = await server.dataSource.query<{ is_enabled: boolean }[]>(
      'select is_enabled from model where is_default',
    );
    expect(rows).toEqual([{ is_enabled: true }]);
  });
});

describe('OpenRouter’s catalogue', () => {
  it('is read from the provider', async () => {
    const upstream = await startUpstream();
    const app = await startTestApp({ env: { openrouter: { apiKey: 'sk-test', baseUrl: `${upstream.url}/v1` } } });
    const answer = await (
      await app.admin()
    ).get<{ data: { id: string; context_length: number }[] }>('/api/admin/openrouter/models');
    expect(answer.status).toBe(200);
    expect(answer.body.data[0]).toMatchObject({
      id: expect.any(String) as string,
      context_length: expect.any(Number) as number,
    });
    await app.close();
    await upstream.close();
  });

  it('fails with the provider’s error, without secrets', async () => {
    const app = await startTestApp({ env: { openrouter: { apiKey: 'sk-test', baseUrl: 'http://127.0.0.1:9/v1' } } });
    const answer = await (await app.admin()).get('/api/admin/openrouter/models');
    expect(answer.status).toBe(500);
    expect(errorOf(answer).code).toBe('provider_unreachable');
    expect(answer.text).not.toContain('sk-test');
    await app.close();
  });
});
