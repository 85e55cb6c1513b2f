import type { AccountQuota, AdminModel, AdminUser, AuditEntry, Group, GroupMembers } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { refusalOf } from '../harness/socket-client.js';
import { changeSettings, changeUser, FEE } from '../quota/budget-harness.js';
import { addMembers, createGroup } from './group-harness.js';

const PATH = '/api/admin/groups';

let harness: ChatHarness;
let admin: HttpClient;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
  admin = await harness.admin();
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

const quotaOf = async (client: HttpClient): Promise<AccountQuota> =>
  (await client.get<AccountQuota>('/api/user/quota')).body;

const membersOf = async (id: number): Promise<number[]> =>
  (await admin.get<GroupMembers>(`${PATH}/${id}/members`)).body.userIds;

describe('groups', () => {
  it('are created, changed and listed with the number of their members', async () => {
    const { user } = await harness.member();
    const group = await createGroup(harness, { name: ' Science\n', externalName: 'cn=science', budgetUsd: 2.5 });
    expect(group).toEqual({
      id: group.id,
      name: 'Science',
      externalName: 'cn=science',
      quotaOverride: null,
      budgetUsd: '2.5',
      memberCount: 0,
      createdAt: expect.any(String),
    });
    await addMembers(harness, group.id, [user.id]);
    const changed = await admin.patch<Group>(`${PATH}/${group.id}`, { quotaOverride: -1, externalName: '' });
    expect(changed.body).toMatchObject({ name: 'Science', externalName: null, quotaOverride: -1, budgetUsd: '2.5' });
    expect((await admin.patch<Group>(`${PATH}/${group.id}`, { budgetUsd: -1 })).body.budgetUsd).toBe('-1');
    const { body } = await admin.get<Group[]>(PATH);
    expect(body.find(({ id }) => id === group.id)).toMatchObject({ name: 'Science', memberCount: 1 });
  });

  it('are a file, by name, which no spreadsheet runs', async () => {
    const { user } = await harness.member();
    const group = await createGroup(harness, { name: '=HYPERLINK("x")', quotaOverride: -1, budgetUsd: -1 });
    await addMembers(harness, group.id, [user.id]);
    const { body, headers } = await admin.get<string>(`${PATH}.csv`);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=groups-.*\.csv$/);
    const lines = body.trimEnd().split('\r\n');
    expect(lines[0]).toBe('id,name,external_name,members,message_limit,budget_usd,created_at');
    expect(lines).toContain(`${group.id},"'=HYPERLINK(""x"")",,1,-1,-1,${group.createdAt}`);
  });

  it('get members while a login refers to them, which may wait for one of these members', async () => {
    const { user } = await harness.member();
    const { id } = await createGroup(harness);
    await harness.dataSource.transaction(async (manager) => {
      await manager.query('select 1 from member_group where id = $1 for key share', [id]);
      await addMembers(harness, id, [user.id]);
    });
    expect(await membersOf(id)).toEqual([user.id]);
  });

  it('have names that differ in more than case', async () => {
    const { id, name } = await createGroup(harness, { name: 'Law' });
    for (const answer of [
      await admin.post(PATH, { name: 'LAW' }),
      await admin.patch(`${PATH}/${(await createGroup(harness)).id}`, { name }),
    ])
      expect(errorOf(answer)).toMatchObject({ statusCode: 409, code: 'conflict' });
    expect((await admin.patch(`${PATH}/${id}`, { name: 'law' })).status).toBe(200);
  });

  it.each([
    {},
    { name: '' },
    { name: null },
    { name: 'x'.repeat(61) },
    { name: 'x', quotaOverride: -2 },
    { name: 'x', quotaOverride: 1.5 },
    { name: 'x', budgetUsd: -2 },
    { name: 'x', budgetUsd: [-1] },
    { name: 'x', budgetUsd: 'much' },
    { name: 'x', memberCount: 3 },
  ])('are not created from %j', async (body) => {
    expect((await admin.post(PATH, body)).status).toBe(400);
  });

  it('are for admins alone', async () => {
    const { client } = await harness.member();
    const { id } = await createGroup(harness);
    for (const path of [PATH, `${PATH}/${id}/members`]) {
      expect((await client.get(path)).status).toBe(403);
      expect((await harness.client().get(path)).status).toBe(401);
    }
  });

  it('are 404 once they are deleted', async () => {
    const { id } = await createGroup(harness);
    expect((await admin.delete(`${PATH}/${id}`)).status).toBe(200);
    const calls = [
      admin.delete(`${PATH}/${id}`),
      admin.patch(`${PATH}/${id}`, { name: 'again' }),
      admin.get(`${PATH}/${id}/members`),
      admin.put(`${PATH}/${id}/members`, { userIds: [] }),
      admin.post(`${PATH}/${id}/members`, {}),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });

  it('that a model or a tool server names are deleted by force alone, which takes them out of the rules', async () => {
    const [group, other] = [await createGroup(harness), await createGroup(harness)];
    const rule = { access: 'groups', groupIds: [other.id, group.id] };
    const model = await admin.post<AdminModel>('/api/admin/models', { modelId: 'groups/used', ...rule });
    expect(errorOf(await admin.delete(`${PATH}/${group.id}`))).toMatchObject({ statusCode: 409, code: 'group_in_use' });
    expect(errorOf(await admin.delete(`${PATH}/${group.id}?force=false`)).code).toBe('group_in_use');
    expect((await admin.delete(`${PATH}/${group.id}?force=true`)).status).toBe(200);
    const { body } = await admin.get<AdminModel[]>('/api/admin/models');
    expect(body.find(({ id }) => id === model.body.id)).toMatchObject({ access: 'groups', groupIds: [other.id] });
    await admin.patch(`/api/admin/models/${model.body.id}`, { access: 'everyone' });
    expect((await admin.delete(`${PATH}/${other.id}`)).status).toBe(200);
  });

  it('write what changes to the audit log', async () => {
    const { user } = await harness.member();
    const { id, name } = await createGroup(harness, {}, [user.id]);
    await admin.patch(`${PATH}/${id}`, { quotaOverride: 5 });
    await admin.delete(`${PATH}/${id}`);
    const { body } = await admin.get<AuditEntry[]>('/api/admin/audit');
    const own = body.filter(({ target }) => target.kind === 'group' && target.id === id).toReversed();
    expect(own.map(({ action, before, after }) => ({ action, before, after }))).toMatchObject([
      { action: 'group.create', before: null, after: { name } },
      { action: 'group.members', after: { added: [user.id] } },
      { action: 'group.update', before: { quotaOverride: null }, after: { quotaOverride: 5 } },
      { action: 'group.delete', before: { name }, after: null },
    ]);
  });
});

describe('the members of a group', () => {
  it('are replaced, added and removed', async () => {
    const ids = (await Promise.all([1, 2, 3].map(() => harness.member())))
      .map(({ user }) => user.id)
      .sort((a, b) => a - b);
    const [a, b, c] = ids as [number, number, number];
    const { id } = await createGroup(harness);
    const path = `${PATH}/${id}/members`;
    expect((await admin.put(path, { userIds: [b, a] })).body).toEqual({ userIds: [a, b] });
    expect((await admin.post(path, { add: [c, a], remove: [b] })).body).toEqual({ userIds: [a, c] });
    expect((await admin.post(path, { remove: [b] })).body).toEqual({ userIds: [a, c] });
    expect((await admin.put(path, { userIds: [] })).body).toEqual({ userIds: [] });
  });

  it('are existing accounts, each once, at most 1,000 in a call', async () => {
    const { user } = await harness.member();
    const { id } = await createGroup(harness, {}, [user.id]);
    const path = `${PATH}/${id}/members`;
    const many = Array.from({ length: 1_001 }, (_, index) => index + 1);
    for (const body of [
      { userIds: [2_000_000_000] },
      { userIds: [user.id, user.id] },
      { userIds: many },
      { userIds: ['1'] },
      {},
    ])
      expect([body, (await admin.put(path, body)).status]).toEqual([body, 400]);
    for (const body of [{ add: [2_000_000_000] }, { add: many }, { add: [user.id], remove: [user.id] }])
      expect([body, (await admin.post(path, body)).status]).toEqual([body, 400]);
    expect(refusedField(await admin.post(path, { add: [2_000_000_000] }))).toBe('add');
    expect(refusedField(await admin.put(path, { userIds: [2_000_000_000] }))).toBe('userIds');
    expect(await membersOf(id)).toEqual([user.id]);
  });

  it('leave it with their account', async () => {
    const { user } = await harness.member();
    const { id } = await createGroup(harness, {}, [user.id]);
    await admin.delete(`/api/admin/users/${user.id}`);
    expect(await membersOf(id)).toEqual([]);
  });
});

describe('the quota of a group', () => {
  it('is each member’s: the own one comes first, then the highest of the groups, then the plan’s', async () => {
    const { client, user } = await harness.member();
    const plan = (await quotaOf(client)).max;
    const [low, high] = [
      await createGroup(harness, { quotaOverride: 7 }, [user.id]),
      await createGroup(harness, { quotaOverride: 9 }, [user.id]),
    ];
    await createGroup(harness, {}, [user.id]);
    expect((await quotaOf(client)).max).toBe(9);
    await admin.patch(`${PATH}/${low.id}`, { quotaOverride: -1 });
    expect(await quotaOf(client)).toMatchObject({ max: -1, remaining: -1 });
    await changeUser(harness, user.id, { quotaOverride: 3 });
    expect((await quotaOf(client)).max).toBe(3);
    const { body } = await admin.get<AdminUser[]>(`/api/admin/users?query=${user.username}`);
    expect(body).toMatchObject([
      { quotaOverride: 3, quotaLimit: 3, groupIds: expect.arrayContaining([low.id, high.id]) },
    ]);
    await changeUser(harness, user.id, { quotaOverride: null });
    await admin.delete(`${PATH}/${low.id}`);
    await admin.delete(`${PATH}/${high.id}`);
    expect((await quotaOf(client)).max).toBe(plan);
  });

  it('decides the next send, and reaches open pages', async () => {
    const { client, user, page } = await harness.memberPage();
    const group = await createGroup(harness, { quotaOverride: 1 }, [user.id]);
    const first = await page.start('one');
    expect(first.quota).toMatchObject({ used: 1, max: 1 });
    const { closing } = await page.ended(first.generationId);
    expect(closing).toMatchObject({ type: 'end', quota: { max: 1 } });
    expect(refusalOf(await page.tryStart('two')).code).toBe('quota_exceeded');
    page.received.length = 0;
    await admin.patch(`${PATH}/${group.id}`, { quotaOverride: 2 });
    await page.until(() => page.received.includes('settings:changed'));
    expect((await quotaOf(client)).max).toBe(2);
    const second = await page.start('two');
    await page.ended(second.generationId);
    expect(second.quota).toMatchObject({ used: 2, max: 2 });
  });
});

describe('the budget of a group', () => {
  it('is each member’s, and is held and spent like the plan’s', async () => {
    const { body } = await admin.post<AdminModel>('/api/admin/models', { modelId: 'groups/priced', pricing: FEE });
    const [one, two] = [await harness.memberPage(), await harness.memberPage()];
    await createGroup(harness, { budgetUsd: '0.01' }, [one.user.id, two.user.id]);
    for (const { page, client } of [one, two]) {
      const started = await page.start('x', { model: body.modelId });
      await page.ended(started.generationId);
      expect((await quotaOf(client)).budget).toMatchObject({ limitUsd: '0.01', spentUsd: '0.01' });
      expect(refusalOf(await page.tryStart('y', { model: body.modelId })).code).toBe('budget_exceeded');
    }
  });

  it('of -1 lifts the budget of the plan, and an own budget comes first', async () => {
    await changeSettings(harness, { freeUserBudgetUsd: '1' });
    const { client, user } = await harness.member();
    expect((await quotaOf(client)).budget).toMatchObject({ limitUsd: '1' });
    await createGroup(harness, { budgetUsd: '5' }, [user.id]);
    expect((await quotaOf(client)).budget).toMatchObject({ limitUsd: '5' });
    await createGroup(harness, { budgetUsd: -1 }, [user.id]);
    expect((await quotaOf(client)).budget).toBeUndefined();
    await changeUser(harness, user.id, { budgetUsd: '3' });
    expect((await quotaOf(client)).budget).toMatchObject({ limitUsd: '3' });
    const { body } = await admin.get<AdminUser[]>(`/api/admin/users?query=${user.username}`);
    expect(body).toMatchObject([{ budgetUsd: '3', budget: { limitUsd: '3' } }]);
    await changeSettings(harness, { freeUserBudgetUsd: null });
  });
});
