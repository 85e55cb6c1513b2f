import type { AdminModel, DefaultModel, ModelList, PublicModel, ToolInfo, ToolServer } from '@tanya/contract';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { type PublicApiHarness, startPublicApiHarness } from '../public-api/public-api-harness.js';
import { McpServer } from '../tools/mcp-server.js';
import { addMembers, createGroup, removeMembers } from './group-harness.js';

const MODELS = '/api/admin/models';

let harness: PublicApiHarness;
let admin: HttpClient;

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false });
  admin = await harness.admin();
});

afterAll(() => harness.close());

let count = 0;
const create = async (fields: object = {}): Promise<AdminModel> => {
  const answer = await admin.post<AdminModel>(MODELS, { modelId: `access/model-${(count += 1)}`, ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.body;
};
const change = (id: number, changes: object) => admin.patch<AdminModel>(`${MODELS}/${id}`, changes);
const listed = async (client: HttpClient, modelId: string) =>
  (await client.get<PublicModel[]>('/api/models')).body.find((model) => model.modelId === modelId);

describe('the access of a model', () => {
  it('is everyone by default, and premium for older clients that ask for isPremium', async () => {
    expect(await create()).toMatchObject({ access: 'everyone', groupIds: [], isPremium: false });
    expect(await create({ isPremium: true })).toMatchObject({ access: 'premium', isPremium: true });
    expect(await create({ isPremium: false })).toMatchObject({ access: 'everyone', isPremium: false });
  });

  it('names groups in order, and forgets them with another access', async () => {
    const [a, b] = [await createGroup(harness), await createGroup(harness)];
    const model = await create({ access: 'groups', groupIds: [b.id, a.id] });
    expect(model).toMatchObject({ access: 'groups', groupIds: [a.id, b.id], isPremium: true });
    expect((await change(model.id, { groupIds: [b.id] })).body).toMatchObject({ access: 'groups', groupIds: [b.id] });
    expect((await change(model.id, { name: 'Other' })).body).toMatchObject({ access: 'groups', groupIds: [b.id] });
    expect((await change(model.id, { access: 'premium' })).body).toMatchObject({ access: 'premium', groupIds: [] });
    expect((await change(model.id, { access: 'groups' })).body).toMatchObject({ access: 'groups', groupIds: [] });
  });

  it('is refused with unknown groups and unknown words', async () => {
    const { id } = await create();
    expect(refusedField(await change(id, { access: 'groups', groupIds: [2_000_000_000] }))).toBe('groupIds');
    for (const rule of [
      { access: 'nobody' },
      { access: null },
      { groupIds: 1 },
      { groupIds: [1, 1] },
      { groupIds: [0] },
    ])
      expect([rule, (await change(id, rule)).status]).toEqual([rule, 400]);
    expect((await change(id, {})).body).toMatchObject({ access: 'everyone', groupIds: [] });
  });

  it.each([
    ['everyone', true, 200, 'premium'],
    ['everyone', false, 200, 'everyone'],
    ['premium', true, 200, 'premium'],
    ['premium', false, 200, 'everyone'],
    ['groups', true, 200, 'groups'],
    ['groups', false, 409, 'groups'],
  ])('%s with isPremium %s: %i, then %s', async (access, isPremium, status, after) => {
    const { id } = await create({ access });
    const answer = await change(id, { isPremium });
    expect(answer.status).toBe(status);
    if (status === 409) expect(errorOf(answer).code).toBe('conflict');
    expect((await change(id, {})).body).toMatchObject({ access: after, isPremium: after !== 'everyone' });
  });

  it('comes before isPremium in one request', async () => {
    const { id } = await create({ access: 'groups', isPremium: false });
    expect((await change(id, { access: 'premium', isPremium: false })).body).toMatchObject({ access: 'premium' });
  });
});

describe('a model for groups', () => {
  it('is listed for its members and admins alone, on the page and for programs (AZ-11)', async () => {
    const group = await createGroup(harness);
    const { modelId } = await create({ access: 'groups', groupIds: [group.id] });
    const [caller, premium] = [await harness.caller(), await harness.member({ isPremium: true })];
    const headers = { Authorization: `Bearer ${caller.key}` };
    const ofApi = async () => {
      const { body } = await harness.client().get<ModelList>('/api/v1/models', { headers });
      const one = await harness.client().get(`/api/v1/models/${modelId}`, { headers });
      return [body.data.some(({ id }) => id === modelId), one.status];
    };
    for (const client of [await harness.guest(), premium.client, caller.client])
      expect(await listed(client, modelId)).toBeUndefined();
    expect(await listed(admin, modelId)).toBeDefined();
    expect(await ofApi()).toEqual([false, 404]);
    await addMembers(harness, group.id, [caller.user.id]);
    const shown = await listed(caller.client, modelId);
    expect(shown).toMatchObject({ access: 'groups', isPremium: true });
    expect(shown).not.toHaveProperty('groupIds');
    expect(await ofApi()).toEqual([true, 200]);
    await removeMembers(harness, group.id, [caller.user.id]);
    expect(await listed(caller.client, modelId)).toBeUndefined();
    expect(await ofApi()).toEqual([false, 404]);
  });

  it('is not named as the default of those who may not use it', async () => {
    const group = await createGroup(harness);
    const { id, modelId } = await create({ access: 'groups', groupIds: [group.id] });
    const before = (await admin.get<DefaultModel>('/api/settings/default-model')).body.modelId;
    await admin.put('/api/admin/settings/default-model', { modelId });
    const [member, guest] = [await harness.member(), await harness.guest()];
    const defaultOf = async (client: HttpClient) =>
      (await client.get<DefaultModel>('/api/settings/default-model')).body.modelId;
    for (const client of [member.client, guest]) {
      expect(await listed(client, await defaultOf(client))).toMatchObject({ kind: 'chat', access: 'everyone' });
      expect((await client.post('/api/chat/message', { content: 'x' })).status).toBe(201);
    }
    await addMembers(harness, group.id, [member.user.id]);
    expect(await defaultOf(member.client)).toBe(modelId);
    await admin.put('/api/admin/settings/default-model', { modelId: before });
    expect((await admin.delete(`${MODELS}/${id}`)).status).toBe(200);
  });
});

describe('a premium model', () => {
  it('is listed with a lock on the page, and not at all for programs', async () => {
    const { modelId } = await create({ access: 'premium' });
    const caller = await harness.caller();
    const ids = async () => {
      const headers = { Authorization: `Bearer ${caller.key}` };
      const { body } = await harness.client().get<ModelList>('/api/v1/models', { headers });
      return body.data.map(({ id }) => id);
    };
    expect(await listed(await harness.guest(), modelId)).toMatchObject({ access: 'premium', isPremium: true });
    expect(await listed(caller.client, modelId)).toMatchObject({ access: 'premium' });
    expect(await ids()).not.toContain(modelId);
    await admin.patch(`/api/admin/users/${caller.user.id}/premium`, { isPremium: true });
    expect(await ids()).toContain(modelId);
  });
});

describe('a tool server', () => {
  it('needs the plan and the access to agree', async () => {
    const mcp = await new McpServer().start();
    const group = await createGroup(harness);
    const path = '/api/admin/tool-servers';
    const rule = { plans: ['free'], access: 'groups', groupIds: [group.id] };
    const created = await admin.post<ToolServer>(path, { name: 'Ours', url: mcp.url, ...rule });
    expect(created.body).toMatchObject(rule);
    const { id } = created.body;
    const [free, premium] = [await harness.member(), await harness.member({ isPremium: true })];
    const offers = async (client: HttpClient) =>
      (await client.get<ToolInfo[]>('/api/tools')).body.some(({ server }) => server?.id === id);
    expect([await offers(free.client), await offers(premium.client)]).toEqual([false, false]);
    await addMembers(harness, group.id, [free.user.id, premium.user.id]);
    expect([await offers(free.client), await offers(premium.client)]).toEqual([true, false]);
    await admin.patch(`${path}/${id}`, { plans: ['premium'] });
    expect([await offers(free.client), await offers(premium.client)]).toEqual([false, true]);
    await admin.patch(`${path}/${id}`, { plans: ['free', 'premium'], access: 'premium' });
    expect([await offers(free.client), await offers(premium.client)]).toEqual([false, true]);
    expect((await admin.patch(`${path}/${id}`, { groupIds: [2_000_000_000] })).status).toBe(400);
    const both = { access: 'groups', groupIds: [group.id] };
    await admin.patch(`${path}/${id}`, both);
    expect(errorOf(await admin.delete(`/api/admin/groups/${group.id}`)).code).toBe('group_in_use');
    await admin.delete(`/api/admin/groups/${group.id}?force=true`);
    expect((await admin.get<ToolServer>(`${path}/${id}`)).body).toMatchObject({ access: 'groups', groupIds: [] });
    expect([await offers(free.client), await offers(premium.client)]).toEqual([false, false]);
    await admin.delete(`${path}/${id}`);
    mcp.close();
  });
});
