import type { AdminModel, CreateModelRequest, ModelBatchResult, UpdateModelRequest } from '@tanya/contract';
import { type Answer, errorOf, type HttpClient } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';

let app: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.admin();
});

afterAll(() => app.close());

const create = async (modelId: string, fields: Partial<CreateModelRequest> = {}): Promise<AdminModel> => {
  const answer = await admin.post<AdminModel>('/api/admin/models', { modelId, ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.body;
};

const change = ({ id }: AdminModel, changes: UpdateModelRequest): Promise<Answer<AdminModel>> =>
  admin.patch<AdminModel>(`/api/admin/models/${id}`, changes);

const refusalIn = (answer: Answer<unknown>): unknown => {
  const { code, details } = errorOf(answer);
  return [answer.status, code, details];
};

const refused = (reason: string, field = 'fallbacks'): unknown => [
  400,
  'invalid',
  [{ field, message: expect.any(String) as string, code: reason }],
];

describe('the fallbacks of a model', () => {
  it('are kept in their order, and can be taken away', async () => {
    await create('kept/one');
    await create('kept/two');
    const made = await create('kept/main', { fallbacks: ['kept/two', 'kept/one'] });
    expect(made.fallbacks).toEqual(['kept/two', 'kept/one']);
    expect((await change(made, { fallbacks: ['kept/one', 'kept/two'] })).body.fallbacks).toEqual([
      'kept/one',
      'kept/two',
    ]);
    expect((await change(made, { name: 'Main' })).body.fallbacks).toHaveLength(2);
    expect((await change(made, { fallbacks: [] })).body.fallbacks).toEqual([]);
    const { body } = await admin.get<{ data: { action: string }[] }>('/api/admin/audit?limit=1');
    expect(JSON.stringify(body)).toContain('fallbacks');
  });

  it('are at most three known models for chats, each once', async () => {
    const main = await create('bounds/main');
    for (const name of ['a', 'b', 'c', 'd']) await create(`bounds/${name}`);
    await create('bounds/image', { kind: 'image' });
    const four = await change(main, { fallbacks: ['bounds/a', 'bounds/b', 'bounds/c', 'bounds/d'] });
    expect([four.status, errorOf(four).details]).toEqual([400, [expect.objectContaining({ field: 'fallbacks' })]]);
    expect(refusalIn(await change(main, { fallbacks: ['no/such'] }))).toEqual(refused('fallback_unknown'));
    expect(refusalIn(await change(main, { fallbacks: ['bounds/a', 'bounds/a'] }))).toEqual(refused('fallback_twice'));
    expect(refusalIn(await change(main, { fallbacks: ['bounds/image'] }))).toEqual(refused('fallback_kind'));
    const created = await admin.post('/api/admin/models', { modelId: 'bounds/new', fallbacks: ['no/such'] });
    expect(refusalIn(created)).toEqual(refused('fallback_unknown'));
    expect((await change(main, { fallbacks: ['bounds/a', 'bounds/b', 'bounds/c'] })).status).toBe(200);
  });

  it('do not lead back to it', async () => {
    const [one, two, three] = [await create('circle/1'), await create('circle/2'), await create('circle/3')];
    expect(refusalIn(await change(one, { fallbacks: ['circle/1'] }))).toEqual(refused('fallback_cycle'));
    const own = await admin.post('/api/admin/models', { modelId: 'circle/own', fallbacks: ['circle/own'] });
    expect(refusalIn(own)).toEqual(refused('fallback_cycle'));
    expect((await change(one, { fallbacks: ['circle/2'] })).status).toBe(200);
    expect((await change(two, { fallbacks: ['circle/3'] })).status).toBe(200);
    expect(refusalIn(await change(three, { fallbacks: ['circle/1'] }))).toEqual(refused('fallback_cycle'));
    await change(three, { fallbacks: [] });
    // Of two changes at once that close a circle, one is refused.
    await change(one, { fallbacks: [] });
    await change(two, { fallbacks: [] });
    const both = await Promise.all([
      change(one, { fallbacks: ['circle/2'] }),
      change(two, { fallbacks: ['circle/1'] }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('stay when one of them is deleted, so that the dialog can be saved', async () => {
    const gone = await create('deleted/gone');
    const main = await create('deleted/main', { fallbacks: ['deleted/gone'] });
    await admin.delete(`/api/admin/models/${gone.id}`);
    const { body } = await admin.get<AdminModel[]>('/api/admin/models');
    expect(body.find(({ id }) => id === main.id)?.fallbacks).toEqual(['deleted/gone']);
    expect((await change(main, { fallbacks: ['deleted/gone'] })).status).toBe(200);
  });

  it('keep a model with fallbacks from getting another kind', async () => {
    await create('kind/spare');
    const main = await create('kind/main', { fallbacks: ['kind/spare'] });
    expect(refusalIn(await change(main, { kind: 'image' }))).toEqual(refused('fallback_kind'));
    const both = await change(main, { kind: 'image', fallbacks: [] });
    expect(both.body).toMatchObject({ kind: 'image', fallbacks: [] });
    expect(refusalIn(await change(main, { fallbacks: ['kind/spare'] }))).toEqual(refused('fallback_kind'));
    const back = await change(main, { kind: 'chat', fallbacks: ['kind/spare'] });
    expect(back.body).toMatchObject({ kind: 'chat', fallbacks: ['kind/spare'] });
    expect((await change(main, { kind: 'chat' })).status).toBe(200);
  });

  it('keep a model that is one from getting another kind', async () => {
    const spare = await create('named/spare');
    const main = await create('named/main', { fallbacks: ['named/spare'] });
    expect(refusalIn(await change(spare, { kind: 'embedding' }))).toEqual(refused('fallback_of_others', 'kind'));
    // Deleted, it stays in the list, where it may not come back as another kind.
    await admin.delete(`/api/admin/models/${spare.id}`);
    const again = await admin.post('/api/admin/models', { modelId: 'named/spare', kind: 'embedding' });
    expect(refusalIn(again)).toEqual(refused('fallback_of_others', 'kind'));
    const chat = await create('named/spare', { kind: 'chat' });
    await change(main, { fallbacks: [] });
    expect((await change(chat, { kind: 'embedding' })).body.kind).toBe('embedding');
  });

  it('keep single models of a batch from getting another kind', async () => {
    const spare = await create('batch/spare');
    const main = await create('batch/main', { fallbacks: ['batch/spare'] });
    const free = await create('batch/free');
    const ids = [spare.id, main.id, free.id];
    const { status, body } = await admin.post<ModelBatchResult>('/api/admin/models/batch', {
      ids,
      changes: { kind: 'image' },
    });
    const skipped = [spare.id, main.id].map((id) => ({ id, code: 'invalid' }));
    expect([status, body]).toEqual([200, { ids: [free.id], skipped }]);
    const kinds = (await admin.get<AdminModel[]>('/api/admin/models')).body.filter(({ id }) => ids.includes(id));
    expect(kinds.map(({ modelId, kind }) => [modelId, kind]).toSorted()).toEqual([
      ['batch/free', 'image'],
      ['batch/main', 'chat'],
      ['batch/spare', 'chat'],
    ]);
    expect((await admin.post('/api/admin/models/batch', { ids, changes: { kind: 'chat' } })).body).toEqual({
      ids,
      skipped: [],
    });
  });
});
