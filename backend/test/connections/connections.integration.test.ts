import type { AdminModel, AdminSettings, ProviderConnection, PublicModel } from '@tanya/contract';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';

const PATH = '/api/admin/connections';
const SETTINGS = '/api/admin/general-settings';
const KEY = 'sk-or-v1-0123456789abcdef';
const MASK = '••••••••cdef';

let server: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  server = await startTestApp({ env: { openai: { apiKey: 'sk-of-the-environment', baseUrl: null } } });
  admin = await server.admin();
});

afterAll(() => server.close());

let count = 0;
const create = async (fields: object = {}): Promise<ProviderConnection> => {
  const name = `Connection ${(count += 1)}`;
  const body = { kind: 'compatible', name, baseUrl: 'http://127.0.0.1:9/v1', ...fields };
  const answer = await admin.post<ProviderConnection>(PATH, body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
};
const list = async (): Promise<ProviderConnection[]> => (await admin.get<ProviderConnection[]>(PATH)).body;
const builtIn = async (kind: string): Promise<ProviderConnection> =>
  (await list()).find((each) => each.isBuiltIn && each.kind === kind)!;
const modelOn = async (connectionId: number | null, fields: object = {}) =>
  admin.post<AdminModel>('/api/admin/models', { modelId: `own/model-${(count += 1)}`, connectionId, ...fields });

describe('the connections', () => {
  it('begin with the two providers of the settings', async () => {
    const [openrouter, openai] = await list();
    expect(openrouter).toMatchObject({
      kind: 'openrouter',
      name: 'OpenRouter',
      isBuiltIn: true,
      enabled: true,
      position: 1,
      apiKey: '',
      hasApiKey: false,
      keySource: 'none',
      address: 'https://openrouter.ai/api/v1',
      baseUrlSource: 'default',
      isConfigured: false,
      lastError: null,
      lastSuccess: null,
      answersUnbound: false,
    });
    expect(openai).toMatchObject({ kind: 'openai', hasApiKey: true, apiKey: '', keySource: 'environment' });
    // Models without a connection go to the first that can be used.
    expect(openai).toMatchObject({ answersUnbound: true, modelCount: 0 });
    expect(openai).toMatchObject({ baseUrlSource: 'default' });
    expect((await admin.get(PATH)).text).not.toContain('sk-of-the-environment');
  });

  it('share key and base URL with the settings, whichever is written', async () => {
    await admin.patch(SETTINGS, { openrouterApiKey: KEY });
    const row = await builtIn('openrouter');
    expect(row).toMatchObject({ apiKey: MASK, keySource: 'settings', isConfigured: true });
    const changed = await admin.patch<ProviderConnection>(`${PATH}/${row.id}`, {
      apiKey: 'sk-or-v1-another-key-9876',
      baseUrl: 'https://gateway.example/v1/',
    });
    expect(changed.body).toMatchObject({
      apiKey: '••••••••9876',
      baseUrl: 'https://gateway.example/v1',
      address: 'https://gateway.example/v1',
      baseUrlSource: 'settings',
    });
    const settings = (await admin.get<AdminSettings>('/api/general-settings')).body;
    expect(settings).toMatchObject({
      openrouterApiKey: '••••••••9876',
      openrouterBaseUrl: 'https://gateway.example/v1',
    });
    const refused = await admin.patch(`${PATH}/${row.id}`, { baseUrl: 'https://elsewhere.example/v1' });
    expect(errorOf(refused)).toMatchObject({ statusCode: 400, details: [{ field: 'apiKey' }] });
    await admin.patch(`${PATH}/${row.id}`, { apiKey: '', baseUrl: '' });
    expect((await admin.get<AdminSettings>('/api/general-settings')).body).toMatchObject({
      openrouterApiKey: '',
      openrouterBaseUrl: '',
    });
  });

  it('prefer a key of the settings to the key of the environment', async () => {
    const { id } = await builtIn('openai');
    expect((await admin.patch<ProviderConnection>(`${PATH}/${id}`, { apiKey: KEY })).body).toMatchObject({
      apiKey: MASK,
      keySource: 'settings',
    });
    expect((await admin.patch<ProviderConnection>(`${PATH}/${id}`, { apiKey: '' })).body).toMatchObject({
      apiKey: '',
      keySource: 'environment',
    });
  });

  it('seal their keys and never return them (SET-2)', async () => {
    const created = await create({ apiKey: KEY });
    expect(created).toMatchObject({ apiKey: MASK, hasApiKey: true, isBuiltIn: false });
    expect((await admin.get(PATH)).text).not.toContain(KEY);
    const rows = await server.dataSource.query<unknown[]>('select * from provider_connection');
    expect(JSON.stringify(rows)).not.toContain(KEY);
    const path = `${PATH}/${created.id}`;
    expect((await admin.patch<ProviderConnection>(path, { apiKey: MASK, name: 'Kept' })).body.apiKey).toBe(MASK);
    const moved = await admin.patch(path, { baseUrl: 'http://127.0.0.1:10/v1', apiKey: MASK });
    expect(refusedField(moved)).toBe('apiKey');
    expect((await admin.patch<ProviderConnection>(path, { apiKey: '' })).body.hasApiKey).toBe(false);
    expect((await admin.patch(path, { baseUrl: 'http://127.0.0.1:10/v1' })).status).toBe(200);
  });

  it('need no key beside a base URL', async () => {
    expect(await create()).toMatchObject({
      hasApiKey: false,
      keySource: 'none',
      baseUrlSource: 'settings',
      isConfigured: true,
    });
  });

  it.each([
    [{ kind: 'other' }, 'kind'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ baseUrl: '' }, 'baseUrl'],
    [{ baseUrl: 'ftp://host' }, 'baseUrl'],
    [{ baseUrl: 'http://user:password@host/' }, 'baseUrl'],
    [{ baseUrl: 'http://169.254.169.254/latest' }, 'baseUrl'],
    [{ baseUrl: 'http://[fe80::1]/v1' }, 'baseUrl'],
    [{ apiKey: 'with blanks' }, 'apiKey'],
    [{ enabled: 'yes' }, 'enabled'],
    [{ apiKeySealed: 'x' }, 'apiKeySealed'],
    [{ builtIn: 'openai' }, 'builtIn'],
  ])('are not created from %j', async (fields, field) => {
    const body = { kind: 'compatible', name: 'New', baseUrl: 'http://127.0.0.1:9/v1', ...fields };
    const refused = await admin.post(PATH, body);
    expect(errorOf(refused)).toMatchObject({ statusCode: 400, code: 'invalid', details: [{ field }] });
  });

  it('have names that are unique without case, also after a double click', async () => {
    const body = { kind: 'compatible', name: 'Once', baseUrl: 'http://127.0.0.1:9/v1' };
    const answers = await Promise.all([admin.post(PATH, body), admin.post(PATH, { ...body, name: 'ONCE' })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const { id } = await create();
    expect(errorOf(await admin.patch(`${PATH}/${id}`, { name: 'openrouter' })).code).toBe('conflict');
  });

  it('keep every field that two admins change at the same time', async () => {
    const { id } = await create();
    const answers = await Promise.all([
      admin.patch(`${PATH}/${id}`, { name: 'Renamed together' }),
      admin.patch(`${PATH}/${id}`, { enabled: false }),
      admin.patch(`${PATH}/${id}`, { apiKey: KEY }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const row = (await list()).find((each) => each.id === id);
    expect(row).toMatchObject({ name: 'Renamed together', enabled: false, apiKey: MASK });
  });

  it('are moved to a place of the list', async () => {
    const { id } = await create();
    await admin.patch(`${PATH}/${id}`, { position: 2 });
    const order = await list();
    expect(order[1]!.id).toBe(id);
    expect(order.map(({ position }) => position)).toEqual(order.map((_, index) => index + 1));
    await admin.patch(`${PATH}/${id}`, { position: 50 });
    expect((await list()).at(-1)!.id).toBe(id);
  });

  it('have places without gaps after one is deleted', async () => {
    const [first, middle, last] = [await create(), await create(), await create()];
    await admin.delete(`${PATH}/${middle.id}`);
    const order = await list();
    expect(order.map(({ position }) => position)).toEqual(order.map((_, index) => index + 1));
    await admin.patch(`${PATH}/${last.id}`, { position: order.find(({ id }) => id === first.id)!.position });
    const ids = (await list()).map(({ id }) => id);
    expect(ids.indexOf(last.id)).toBe(ids.indexOf(first.id) - 1);
    const added = await create();
    expect((await list()).at(-1)!.id).toBe(added.id);
  });

  it('are tested with the key of the environment when the field of the settings is empty', async () => {
    const { id } = await builtIn('openai');
    const result = await admin.post(`${PATH}/test`, { id, kind: 'openai', apiKey: '', baseUrl: '' });
    expect(result.body).not.toMatchObject({ fault: 'not_configured' });
  });

  it('are not deleted while models use them', async () => {
    const { id } = await create();
    const model = await modelOn(id);
    expect(model.body.connectionId).toBe(id);
    expect((await list()).find((each) => each.id === id)!.modelCount).toBe(1);
    expect(errorOf(await admin.delete(`${PATH}/${id}`))).toMatchObject({ statusCode: 409, code: 'connection_in_use' });
    await admin.patch(`/api/admin/models/${model.body.id}`, { connectionId: null });
    expect((await admin.delete(`${PATH}/${id}`)).status).toBe(200);
    expect((await admin.delete(`${PATH}/${id}`)).status).toBe(404);
    expect((await admin.patch(`${PATH}/${id}`, { name: 'Late' })).status).toBe(404);
  });

  it('of the settings are not deleted', async () => {
    const { id } = await builtIn('openai');
    expect(errorOf(await admin.delete(`${PATH}/${id}`)).code).toBe('conflict');
  });

  it('list no models without a key and a base URL', async () => {
    const { id } = await create({ kind: 'openai', baseUrl: '' });
    expect(errorOf(await admin.get(`${PATH}/${id}/models`))).toMatchObject({ statusCode: 409, code: 'conflict' });
    expect((await admin.get(`${PATH}/999999/models`)).status).toBe(404);
  });

  it('must exist when a model names them', async () => {
    expect(errorOf(await modelOn(999_999))).toMatchObject({ statusCode: 400, details: [{ field: 'connectionId' }] });
    const { body } = await modelOn(null);
    const refused = await admin.patch(`/api/admin/models/${body.id}`, { connectionId: 999_999 });
    expect(errorOf(refused)).toMatchObject({ statusCode: 400, details: [{ field: 'connectionId' }] });
  });

  it('take their models out of the offer while they are disabled', async () => {
    const { id } = await create();
    const { modelId } = (await modelOn(id)).body;
    const offered = async () =>
      (await server.client().get<PublicModel[]>('/api/models')).body.find((each) => each.modelId === modelId)!
        .isEnabled;
    expect(await offered()).toBe(true);
    await admin.patch(`${PATH}/${id}`, { enabled: false });
    expect(await offered()).toBe(false);
    await admin.patch(`${PATH}/${id}`, { enabled: true });
    expect(await offered()).toBe(true);
  });
});
