import type { AdminUser, CreatedApiKey, Quota } from '@tanya/contract';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { refusalOf } from '../harness/socket-client.js';
import { statementsOf } from '../harness/statements.js';
import { eventually } from '../harness/wait-until.js';
import { ask } from '../public-api/public-api-harness.js';

describe.each(ADAPTERS)('an account that an admin manages, %s', (_name, redis) => {
  let harness: ChatHarness;
  let admin: HttpClient;

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
    admin = await harness.admin();
    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 2 });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const change = (id: number, changes: object) => admin.patch<AdminUser>(`/api/admin/users/${id}`, changes);

  const quotaOf = async (client: HttpClient) => (await client.get<Quota>('/api/user/quota')).body;

  it('has a quota of its own on every transport, until it is removed', async () => {
    const { client, page, user } = await harness.memberPage();
    const { key } = (await client.post<CreatedApiKey>('/api/user/keys', { name: 'program' })).body;
    const headers = { Authorization: `Bearer ${key}` };
    const received: Quota[] = [];
    page.socket.on('quota:changed', (quota: Quota) => received.push(quota));
    expect((await change(user.id, { quotaOverride: 3 })).body.quotaOverride).toBe(3);
    await eventually(async () => expect(received.at(-1)).toMatchObject({ used: 0, max: 3 }));
    const { closing } = await page.ended((await page.start('one')).generationId);
    expect(closing).toMatchObject({ quota: { used: 1, max: 3, remaining: 2 } });
    const sent = await client.post<{ quota: Quota }>('/api/chat/message', { content: 'two' });
    expect(sent.body.quota).toMatchObject({ used: 2, max: 3 });
    const answer = await harness.client().post('/api/v1/chat', ask('three'), { headers });
    expect(answer.headers.get('x-ratelimit-limit-requests')).toBe('3');
    expect(refusalOf(await page.tryStart('four')).code).toBe('quota_exceeded');
    await change(user.id, { quotaOverride: -1 });
    expect(await quotaOf(client)).toMatchObject({ used: 3, max: -1, remaining: -1 });
    expect((await client.post('/api/chat/message', { content: 'four' })).status).toBe(201);
    await change(user.id, { quotaOverride: null });
    expect(await quotaOf(client)).toMatchObject({ used: 4, max: 2, remaining: 0 });
    await change(user.id, { quotaOverride: 0 });
    expect(await quotaOf(client)).toMatchObject({ max: 0, remaining: 0 });
  });

  it.each([[-2], [1.5], ['3'], [1_000_001]])('refuses %s as a quota', async (quotaOverride) => {
    const { user } = await harness.member();
    expect((await change(user.id, { quotaOverride })).status).toBe(400);
  });

  it('gets its usage of the period back, with its holds and its message count kept', async () => {
    const { client, page, user } = await harness.memberPage();
    for (const text of ['one', 'two']) await page.ended((await page.start(text)).generationId);
    expect(refusalOf(await page.tryStart('three')).code).toBe('quota_exceeded');
    const reset = await admin.post<AdminUser>(`/api/admin/users/${user.id}/reset-usage`);
    expect([reset.status, reset.body.messageCount, reset.body.quotaUsed]).toEqual([200, 2, 0]);
    expect(await quotaOf(client)).toMatchObject({ used: 0, max: 2 });
    await page.ended((await page.start('three')).generationId);
    expect(await quotaOf(client)).toMatchObject({ used: 1 });
    expect((await admin.post(`/api/admin/users/${user.id}/reset-usage`)).status).toBe(200);
    expect((await admin.post(`/api/admin/users/${user.id}/reset-usage`)).status).toBe(200);
    expect(errorOf(await admin.post('/api/admin/users/2147483646/reset-usage')).code).toBe('not_found');
  });

  it('shows its usage of the quota period', async () => {
    const { client, page, user, username } = await harness.memberPage();
    const shown = async () => {
      const found = (await admin.get<AdminUser[]>(`/api/admin/users?query=${username}`)).body;
      const { messageCount, quotaUsed } = found.find(({ id }) => id === user.id)!;
      const { used } = await quotaOf(client);
      expect(quotaUsed).toBe(used);
      return { messageCount, quotaUsed };
    };
    expect(await shown()).toEqual({ messageCount: 0, quotaUsed: 0 });
    await page.ended((await page.start('one')).generationId);
    await eventually(async () => expect(await shown()).toEqual({ messageCount: 1, quotaUsed: 1 }));
    await admin.patch('/api/admin/general-settings', { quotaPeriod: 'daily' });
    expect(await shown()).toEqual({ messageCount: 1, quotaUsed: 0 });
    await page.ended((await page.start('two')).generationId);
    await eventually(async () => expect(await shown()).toEqual({ messageCount: 2, quotaUsed: 1 }));
    expect((await change(user.id, { isPremium: false })).body).toMatchObject({ messageCount: 2, quotaUsed: 1 });
    await admin.patch('/api/admin/general-settings', { quotaPeriod: 'never' });
    expect(await shown()).toEqual({ messageCount: 2, quotaUsed: 1 });
  });

  it('reads the usage of a page of accounts in one statement', async () => {
    const members = await Promise.all([harness.member(), harness.member()]);
    const statements = await statementsOf(harness.dataSource, () => admin.get('/api/admin/users'));
    const accounts = statements
      .filter(({ sql }) => sql.includes('from quota_account'))
      .map(({ parameters: [owners] }) => owners as string[]);
    const [first, second] = members.map(({ user }) => `user:${user.id}`);
    // The login of a new member reads its own account meanwhile.
    const ofThePage = accounts.filter((owners) => owners.join() !== first && owners.join() !== second);
    expect(ofThePage).toEqual([expect.arrayContaining([first, second])]);
  });

  it('shows when it was last seen', async () => {
    const { user, client, username } = await harness.member();
    const find = async () =>
      (await admin.get<AdminUser[]>(`/api/admin/users?query=${username}`)).body.find(({ id }) => id === user.id)!;
    await client.get('/api/user');
    await eventually(async () => {
      const { lastSeenAt, createdAt } = await find();
      expect(Date.parse(lastSeenAt!)).toBeGreaterThanOrEqual(Date.parse(createdAt));
    });
  });
});
