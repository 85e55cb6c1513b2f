import type { Failure, Message, SendMessageResponse, Thread } from '@tanya/contract';
import { type ChatHarness, type MemberPage, startChatHarness } from '../../harness/chat-harness.js';
import { callsOf, registerTools, ScriptedTool } from '../scripted-tools.js';
import { errorOf } from '../../harness/http-client.js';
import { PASSWORD } from '../../harness/test-app.js';
import { download, filesOnDisk, upload } from '../../harness/uploads.js';
import { eventually, waitUntil } from '../../harness/wait-until.js';

const DAY_MS = 24 * 60 * 60_000;

let harness: ChatHarness;
let member: MemberPage;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false, timings: { threadSweep: 100, titlePause: 1 } });
});

beforeEach(async () => {
  member = await harness.memberPage();
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

/** Begins a temporary chat on the member's page, and waits for its answer. */
async function temporary(fields: object = {}) {
  const started = await member.page.start('a secret harbour', { temporary: true, ...fields });
  await member.page.ended(started.generationId);
  return started;
}

const path = (id: number) => `/api/chat/threads/${id}`;
const keep = (id: number) => member.client.patch<Thread>(path(id), { temporary: false });
const messages = async (id: number) => (await member.client.get<Message[]>(`${path(id)}/messages`)).body;

/** Ends the time of a thread. */
const expire = (id: number) => harness.dataSource.query('update thread set expires_at = now() where id = $1', [id]);

it('is in no list, search, share or export, and its owner can read it and go on', async () => {
  const { threadId } = await temporary();
  const { client, page } = member;
  for (const list of ['', '?state=archived', '?query=harbour', '?state=waiting'])
    expect([list, (await client.get(`/api/chat/threads${list}`)).body]).toEqual([list, []]);
  expect((await client.get('/api/chat/search?query=harbour')).body).toEqual([]);
  for (const call of [
    client.post(`${path(threadId)}/share`, {}),
    client.post(`${path(threadId)}/duplicate`, {}),
    client.get(`${path(threadId)}/export`),
    client.patch(path(threadId), { isPinned: true }),
  ])
    expect(errorOf(await call)).toMatchObject({
      code: 'conflict',
      message: 'This chat is temporary. Please keep it first.',
    });
  expect((await client.get<{ threads: unknown[]; messages: unknown[] }>('/api/user/export')).body).toMatchObject({
    threads: [],
    messages: [],
  });
  const { generationId } = await page.start('and more', { threadId });
  await page.ended(generationId);
  expect(await messages(threadId)).toHaveLength(4);
  expect((await client.get<Thread>(path(threadId))).body).toMatchObject({ id: threadId, temporary: true });
});

it('begins by the call of REST too, and only for a new thread', async () => {
  const { client } = member;
  const { body } = await client.post<SendMessageResponse>('/api/chat/message', { content: 'hello', temporary: true });
  expect((await client.get<Thread>(path(body.threadId))).body.temporary).toBe(true);
  const again = { content: 'again', threadId: body.threadId, temporary: true };
  expect(errorOf(await client.post('/api/chat/message', again)).code).toBe('invalid');
  expect(errorOf(await client.patch(path(body.threadId), { temporary: true })).code).toBe('invalid');
});

it('counts against the quota', async () => {
  const used = async () => (await member.client.get<{ used: number }>('/api/user/quota')).body.used;
  const before = await used();
  await temporary();
  expect(await used()).toBe(before + 1);
});

it('sends its changes to the page alone on which it is used', async () => {
  const other = await harness.page(member.client);
  const { threadId } = await temporary();
  await waitUntil('both changes', () => member.page.received.filter((name) => name === 'thread:changed').length === 2);
  await member.client.patch(path(threadId), { title: 'Another title' });
  const isToldOf = () => other.received.includes('thread:changed');
  expect(isToldOf()).toBe(false);
  await keep(threadId);
  await waitUntil('the kept thread', isToldOf);
});

it('gets a title from a model only after it is kept', async () => {
  const calls = () =>
    harness.upstream.callsOf().filter(({ body }) => JSON.stringify(body).includes('You name chats')).length;
  const before = calls();
  const { threadId } = await temporary();
  await temporary();
  expect(
    (await harness.dataSource.query('select titles_left from thread where id = $1', [threadId]))[0].titles_left,
  ).toBe(0);
  expect(calls()).toBe(before);
  await keep(threadId);
  const { generationId } = await member.page.start('more', { threadId });
  await member.page.ended(generationId);
  await waitUntil('a call for the title', () => calls() > before);
});

it('ends a day after its last message, with its files', async () => {
  const { body: file } = await upload(member.client, 'secret words', 'a.txt', 'text/plain');
  const { threadId } = await temporary({ content: { text: 'read', attachments: [{ fileId: file.id }] } });
  const endOf = async () => Date.parse((await member.client.get<Thread>(path(threadId))).body.expiresAt!);
  const first = await endOf();
  expect(Math.abs(first - Date.now() - DAY_MS)).toBeLessThan(60_000);
  const { generationId } = await member.page.start('more', { threadId });
  await member.page.ended(generationId);
  expect(await endOf()).toBeGreaterThan(first);
  await expire(threadId);
  const late = await member.client.post('/api/chat/message', { content: 'too late', threadId });
  expect(late.status).toBe(404);
  expect((await member.client.get(path(threadId))).status).toBe(404);
  await eventually(async () => {
    expect(await harness.dataSource.query('select id from thread where id = $1', [threadId])).toEqual([]);
    expect(await filesOnDisk(harness)).not.toContain(file.id);
  });
});

it('can be deleted and brought back, still temporary', async () => {
  const { threadId } = await temporary();
  await member.client.delete(path(threadId));
  expect((await member.client.get('/api/chat/threads?state=trash')).body).toEqual([]);
  const { body } = await member.client.post<Thread>(`${path(threadId)}/restore`);
  expect(body).toMatchObject({ temporary: true });
  expect(Date.parse(body.expiresAt!)).toBeGreaterThan(Date.now() + DAY_MS / 2);
});

it('is a chat like the others once it is kept', async () => {
  const { threadId } = await temporary();
  const { body } = await keep(threadId);
  expect(body.temporary).toBeUndefined();
  expect((await member.client.get<Thread[]>('/api/chat/threads')).body).toMatchObject([{ id: threadId }]);
  expect((await member.client.get<unknown[]>('/api/chat/search?query=harbour')).body).toHaveLength(1);
  expect((await keep(threadId)).status).toBe(200);
  const [row] = await harness.dataSource.query('select expires_at from thread where id = $1', [threadId]);
  expect(row.expires_at).toBeNull();
});

it('stays behind with its files when a guest logs in, and ends then', async () => {
  const { username, user } = await harness.member();
  const browser = await harness.guest();
  const page = await harness.page(browser);
  const { body: secret } = await upload(browser, 'secret words', 'a.txt', 'text/plain');
  const { body: open } = await upload(browser, 'open words', 'b.txt', 'text/plain');
  const withFile = (fileId: string) => ({ text: 'read the harbour', attachments: [{ fileId }] });
  const left = await page.start('', { temporary: true, content: withFile(secret.id) });
  const taken = await page.start('', { content: withFile(open.id) });
  await Promise.all([page.ended(left.generationId), page.ended(taken.generationId)]);
  await browser.post('/api/login', { username, password: PASSWORD });
  expect((await browser.get<Thread[]>('/api/chat/threads')).body).toMatchObject([
    { id: taken.threadId, userId: user.id },
  ]);
  expect((await browser.get(path(left.threadId))).status).toBe(404);
  expect((await browser.get<unknown[]>('/api/chat/search?query=harbour')).body).toHaveLength(1);
  expect((await download(browser, open.url)).status).toBe(200);
  expect((await download(browser, secret.url)).status).toBe(404);
  await eventually(async () => {
    expect(await harness.dataSource.query('select id from thread where id = $1', [left.threadId])).toEqual([]);
    expect(await filesOnDisk(harness)).not.toContain(secret.id);
  });
});

it('moves the quota of an answer that is being written while its guest logs in, and charges what was read', async () => {
  const { username } = await harness.member();
  const browser = await harness.guest();
  const page = await harness.page(browser);
  harness.upstream.script({ steps: [{ text: 'so far' }, { stall: true }] });
  const { generationId, threadId } = await page.start('wait', { temporary: true });
  await page.firstText(generationId);
  await browser.post('/api/login', { username, password: PASSWORD });
  await eventually(async () => {
    expect(await harness.dataSource.query('select id from thread where id = $1', [threadId])).toEqual([]);
    expect((await browser.get('/api/user/quota')).body).toMatchObject({ used: 1 });
  });
});

it('is free when its time is over while the answer waits for an approval', async () => {
  const ask = new ScriptedTool('ask_first');
  ask.policy = 'ask';
  registerTools(harness, ask);
  harness.upstream.script(callsOf('Let me see. ', { id: 'ask_1', name: ask.name }));
  const { threadId } = await member.page.start('ask me', { temporary: true, tools: [ask.name] });
  await eventually(async () => expect((await messages(threadId)).at(-1)?.status).toBe('waiting'));
  // As after a login; the end of an answer would put off that of another thread.
  await harness.dataSource.query('update thread set lifetime = 0, expires_at = now() where id = $1', [threadId]);
  await eventually(async () => {
    expect(await harness.dataSource.query('select id from thread where id = $1', [threadId])).toEqual([]);
    expect((await member.client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
  });
});

it('leaves no words of the provider among the failures', async () => {
  harness.upstream.script({ status: 400, body: JSON.stringify({ error: { message: 'Bad harbour', code: 'rules' } }) });
  const { generationId } = await temporary();
  const admin = await harness.admin();
  let found: Failure[] = [];
  await waitUntil('the failure', async () => {
    found = (await admin.get<Failure[]>(`/api/admin/failures?id=${generationId}`)).body;
    return found.length > 0;
  });
  expect(found[0]).toMatchObject({ code: 'provider_refused', generationId });
  expect(JSON.stringify(found)).not.toMatch(/harbour|rules/);
});
