import type { AdminModel, CreateModelRequest, UpdateModelRequest } from '@tanya/contract';
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

const refused = (reason: string): unknown => [
  400,
  'invalid',
  [{ field: 'fallbacks', message: expect.any(String) as string, ...(reason && { code: reason }) }],
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
});
