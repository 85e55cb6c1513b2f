import type { ApiKey, CreatedApiKey } from '@tanya/contract';
import type { ChatHarness } from '../harness/chat-harness.js';
import type { Member } from '../harness/test-app.js';
import { ENDLESS, startTwoNodes, type TwoNodes } from '../chat/nodes/two-nodes.js';
import { waitForLockWait } from '../harness/lock-waits.js';
import { waitUntil } from '../harness/wait-until.js';
import { ask, errorIn } from '../public-api/public-api-harness.js';

let nodes: TwoNodes;

beforeAll(async () => {
  nodes = await startTwoNodes();
});

afterEach(() => nodes.settle());

afterAll(() => nodes.close());

const create = async ({ client }: Member, messageCap: number) =>
  (await client.post<CreatedApiKey>('/api/user/keys', { name: 'capped', messageCap })).body;

const call = (node: ChatHarness, key: string, text: string, more: object = {}) =>
  node.client().post<unknown>('/api/v1/chat', ask(text, more), { headers: { Authorization: `Bearer ${key}` } });

const usedBy = async ({ client }: Member) => (await client.get<ApiKey[]>('/api/user/keys')).body[0]!.messagesUsed;

describe('the message cap of an API key', () => {
  it('admits exactly its messages of 40 parallel calls on two nodes (LIM-3)', async () => {
    const member = await nodes.one.member();
    const { key } = await create(member, 5);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => call(index % 2 ? nodes.one : nodes.two, key, `call ${index}`)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, errorIn(body).code])).toEqual(
      Array(35).fill([403, 'quota_exceeded']),
    );
    expect(await usedBy(member)).toBe(5);
  });

  it('is not spent by failures, and can be raised', async () => {
    const member = await nodes.one.member();
    const { key, id } = await create(member, 1);
    expect((await call(nodes.one, key, 'fails [[status=500]]')).status).toBe(500);
    expect((await call(nodes.two, key, 'fails again [[status=500]]')).status).toBe(500);
    expect(await usedBy(member)).toBe(0);
    expect((await call(nodes.one, key, 'answered')).status).toBe(200);
    expect((await call(nodes.two, key, 'one too many')).status).toBe(403);
    await member.client.patch(`/api/user/keys/${id}`, { messageCap: 2 });
    expect((await call(nodes.two, key, 'answered again')).status).toBe(200);
    expect(await usedBy(member)).toBe(2);
  });

  it('counts a running answer, and gives it back when the caller disconnects before the first text', async () => {
    const member = await nodes.one.member();
    const { key } = await create(member, 1);
    const leaving = new AbortController();
    const release = nodes.upstream.hold({});
    const calls = nodes.upstream.callsOf().length;
    const abandoned = nodes.one
      .client()
      .post('/api/v1/chat', ask('abandoned'), {
        headers: { Authorization: `Bearer ${key}` },
        signal: leaving.signal,
      })
      .catch(() => null);
    await waitUntil('the call of the provider', () => nodes.upstream.callsOf().length > calls);
    expect((await call(nodes.two, key, 'refused meanwhile')).status).toBe(403);
    leaving.abort();
    await abandoned;
    release();
    await waitUntil('the release', async () => (await call(nodes.two, key, 'admitted now')).status === 200);
    expect(await usedBy(member)).toBe(1);
  });

  it('is charged after the account, so that an end of all its keys can wait for neither', async () => {
    const member = await nodes.one.member();
    const { key, id } = await create(member, 2);
    await call(nodes.one, key, 'answered');
    const second = await nodes.one.dataSource.transaction(async (manager) => {
      await manager.query('select 1 from "user" where id = $1 for no key update', [member.user.id]);
      const answered = call(nodes.one, key, 'answered too');
      await waitForLockWait(nodes.database);
      await manager.query('select 1 from api_key where id = $1 for update nowait', [id]);
      return { answered };
    });
    expect((await second.answered).status).toBe(200);
    expect(await usedBy(member)).toBe(2);
  });

  it('leaves calls of the page and of other keys alone', async () => {
    const member = await nodes.one.member();
    const capped = await create(member, 1);
    const other = (await member.client.post<CreatedApiKey>('/api/user/keys', { name: 'free' })).body;
    expect((await call(nodes.one, capped.key, 'the only one')).status).toBe(200);
    expect((await call(nodes.one, other.key, 'free')).status).toBe(200);
    expect((await member.client.post('/api/chat/message', { content: 'page' })).status).toBe(201);
    expect((await call(nodes.one, capped.key, ENDLESS)).status).toBe(403);
  });
});
