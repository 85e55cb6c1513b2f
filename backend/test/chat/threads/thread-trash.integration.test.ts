import { randomUUID } from 'node:crypto';
import type { Message, StoredFile, Thread, ThreadTrashed } from '@tanya/contract';
import { type ChatHarness, type MemberPage, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../../harness/http-client.js';
import { refusalOf } from '../../harness/socket-client.js';
import { PASSWORD } from '../../harness/test-app.js';
import { filesOnDisk, upload } from '../../harness/uploads.js';
import { eventually } from '../../harness/wait-until.js';

/** Longer than any test, so that only `expire` ends the time in the trash. */
const LONG_MS = 10 * 60_000;

let harness: ChatHarness;
let member: MemberPage;
let client: HttpClient;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false, timings: { threadTrash: LONG_MS, threadSweep: 100 } });
});

beforeEach(async () => {
  member = await harness.memberPage();
  client = member.client;
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

/** Sends a message with a file, and waits for its answer. */
async function thread(file?: StoredFile) {
  const content = { text: 'keep this', ...(file && { fileUrl: file.url, fileName: file.name, fileType: file.type }) };
  const started = await member.page.start('', { content });
  await member.page.ended(started.generationId);
  return started;
}

const remove = (id: number) => client.delete<ThreadTrashed>(`/api/chat/threads/${id}`);
const restore = (id: number, browser = client) => browser.post<Thread>(`/api/chat/threads/${id}/restore`);
const messages = (id: number) => client.get<Message[]>(`/api/chat/threads/${id}/messages`);

/** Ends the time of every thread in the trash. */
const expire = () => harness.dataSource.query(`update thread set expires_at = now() where owner like 'deleted:%'`);

/** The number of rows of a thread in a table. */
const rowsOf = async (table: string, threadId: number): Promise<number> =>
  (await harness.dataSource.query<unknown[]>(`select 1 from ${table} where thread_id = $1`, [threadId])).length;

describe('a deleted thread', () => {
  it('is missing for every read at once (AZ-9)', async () => {
    const { body: file } = await upload(client, 'secret words', 'a.txt', 'text/plain');
    const { threadId, generationId, aiMessage } = await thread(file);
    await client.patch(`/api/chat/threads/${threadId}`, { title: 'Visible title' });
    expect((await remove(threadId)).status).toBe(200);
    const path = `/api/chat/threads/${threadId}`;
    for (const read of [path, `${path}/messages`, `${path}/export`, file.url])
      expect([read, (await client.get(read)).status]).toEqual([read, 404]);
    for (const call of [
      client.patch(path, { title: 'x' }),
      client.delete(path),
      client.put(`/api/chat/messages/${aiMessage.id}/feedback`, { rating: 'up' }),
      client.post(`/api/chat/generations/${generationId}/stop`),
      client.post('/api/chat/message', { content: 'more', threadId }),
      client.post('/api/chat/message', { content: JSON.stringify({ text: 'x', fileUrl: file.url }) }),
    ])
      expect(errorOf(await call).code).toBe('not_found');
    for (const found of ['/api/chat/threads', '/api/chat/threads?query=visible', '/api/chat/search?query=keep'])
      expect([found, (await client.get(found)).body]).toEqual([found, []]);
    const { page } = member;
    expect(refusalOf(await page.tryRegenerate(aiMessage.id)).code).toBe('not_found');
    expect(refusalOf(await page.tryStop(generationId)).code).toBe('not_found');
    expect(await page.tryResume(generationId, 0)).toEqual({ ok: true, data: { outcome: 'resync', message: null } });
    const { body } = await client.get<{ threads: unknown[]; files: unknown[] }>('/api/user/export');
    expect([body.threads, body.files]).toEqual([[], []]);
  });

  it('comes back whole: messages, place, file, search and generations', async () => {
    const { body: file } = await upload(client, 'words', 'a.txt', 'text/plain');
    const { threadId, generationId } = await thread(file);
    await client.patch(`/api/chat/threads/${threadId}`, { isPinned: true });
    const before = [(await client.get(`/api/chat/threads/${threadId}`)).body, (await messages(threadId)).body];
    const { body } = await remove(threadId);
    expect(new Date(body.restorableUntil).getTime()).toBeGreaterThan(Date.now());
    expect((await client.get<Thread[]>('/api/chat/threads?state=trash')).body).toMatchObject([
      { id: threadId, userId: member.user.id, restorableUntil: body.restorableUntil, title: 'keep this' },
    ]);
    const restored = await restore(threadId);
    expect([restored.status, restored.body]).toEqual([200, before[0]]);
    expect((await messages(threadId)).body).toEqual(before[1]);
    expect((await client.get(file.url)).text).toBe('words');
    expect((await client.get<Thread[]>('/api/chat/threads?query=keep')).body).toHaveLength(1);
    expect((await client.get('/api/chat/threads?state=trash')).body).toEqual([]);
    expect((await client.post(`/api/chat/generations/${generationId}/stop`)).body).toEqual({ status: 'complete' });
    expect(errorOf(await restore(threadId)).code).toBe('not_found');
  });

  it('is restored once by parallel calls', async () => {
    const { threadId } = await thread();
    await remove(threadId);
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await restore(threadId)).status));
    expect(statuses.sort()).toEqual([200, 404, 404, 404, 404, 404]);
    expect((await messages(threadId)).body).toHaveLength(2);
  });

  it('is restored by its owner alone (AZ-1)', async () => {
    const { threadId } = await thread();
    await remove(threadId);
    for (const stranger of [(await harness.member()).client, await harness.guest(), await harness.admin()])
      expect(errorOf(await restore(threadId, stranger)).code).toBe('not_found');
    expect((await restore(threadId)).status).toBe(200);
  });

  it('is final when its time is over: rows and files are deleted', async () => {
    const { body: file } = await upload(client, 'words', 'a.txt', 'text/plain');
    const { threadId } = await thread(file);
    await remove(threadId);
    await expire();
    expect(errorOf(await restore(threadId)).code).toBe('not_found');
    await eventually(async () => {
      expect([await rowsOf('message', threadId), await rowsOf('generation', threadId)]).toEqual([0, 0]);
      expect(await filesOnDisk(harness)).not.toContain(file.id);
    });
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
  });

  it('keeps a file that another thread uses, and comes back with it', async () => {
    const { body: file } = await upload(client, 'words', 'a.txt', 'text/plain');
    const [first, second] = [await thread(file), await thread(file)];
    await remove(first.threadId);
    expect((await client.get(file.url)).status).toBe(200);
    await remove(second.threadId);
    expect((await client.get(file.url)).status).toBe(404);
    await restore(second.threadId);
    expect((await client.get(file.url)).status).toBe(200);
    await expire();
    await eventually(async () => expect(await rowsOf('message', first.threadId)).toBe(0));
    expect((await client.get(file.url)).status).toBe(200);
  });

  it('restores beside a later use of its idempotency key', async () => {
    const clientMessageId = randomUUID();
    const send = () => member.page.start('same key', { clientMessageId });
    const first = await send();
    await member.page.ended(first.generationId);
    await remove(first.threadId);
    const second = await send();
    await member.page.ended(second.generationId);
    expect(second.threadId).not.toBe(first.threadId);
    await remove(second.threadId);
    const { body } = await client.post('/api/chat/threads/batch', {
      action: 'restore',
      ids: [first.threadId, second.threadId],
    });
    expect(body).toMatchObject({ ids: [first.threadId, second.threadId] });
    expect((await send()).threadId).toBe(first.threadId);
  });

  it('goes with its account', async () => {
    const { body: file } = await upload(client, 'words', 'a.txt', 'text/plain');
    const { threadId } = await thread(file);
    await remove(threadId);
    expect((await client.delete('/api/user', { password: PASSWORD })).status).toBe(200);
    expect([await rowsOf('message', threadId), await rowsOf('file', threadId)]).toEqual([0, 0]);
    expect(await filesOnDisk(harness)).not.toContain(file.id);
  });
});

it('the thread of a guest is restored with its lifetime', async () => {
  const guest = await harness.guest();
  const page = await harness.page(guest);
  const { threadId, generationId } = await page.start('a guest');
  await page.ended(generationId);
  const expiry = async () =>
    (
      await harness.dataSource.query<[{ expires_at: Date }]>('select expires_at from thread where id = $1', [threadId])
    )[0].expires_at.getTime();
  const before = await expiry();
  expect((await guest.delete(`/api/chat/threads/${threadId}`)).status).toBe(200);
  expect((await guest.get(`/api/chat/threads/${threadId}`)).status).toBe(404);
  expect((await restore(threadId, guest)).status).toBe(200);
  expect(Math.abs((await expiry()) - before)).toBeLessThan(30_000);
  expect((await guest.get(`/api/chat/threads/${threadId}/messages`)).status).toBe(200);
});

it('the deleted thread of a guest is restored by the account that the guest registers', async () => {
  const guest = await harness.guest();
  const page = await harness.page(guest);
  const { body: file } = await upload(guest, 'words of a guest', 'a.txt', 'text/plain');
  const content = { text: 'keep the harbour', fileUrl: file.url, fileName: file.name, fileType: file.type };
  const { threadId, generationId } = await page.start('', { content });
  await page.ended(generationId);
  expect((await guest.delete(`/api/chat/threads/${threadId}`)).status).toBe(200);
  const account = { username: `restores-${randomUUID().slice(0, 8)}`, password: PASSWORD };
  expect((await guest.post('/api/register', account)).status).toBe(201);
  expect((await guest.get<Thread[]>('/api/chat/threads?state=trash')).body).toMatchObject([{ id: threadId }]);
  expect(errorOf(await restore(threadId, client)).code).toBe('not_found');
  expect((await restore(threadId, guest)).status).toBe(200);
  expect((await guest.get(file.url)).text).toBe('words of a guest');
  expect((await guest.get<Thread[]>('/api/chat/threads?query=harbour')).body).toMatchObject([{ id: threadId }]);
  expect((await guest.post(`/api/chat/generations/${generationId}/stop`)).body).toEqual({ status: 'complete' });
  const expiry = 'select 1 from thread where id = $1 and expires_at is null';
  expect(await harness.dataSource.query<unknown[]>(expiry, [threadId])).toHaveLength(1);
});

it('the trash has pages, the last deleted thread first', async () => {
  const ids: number[] = [];
  for (let count = 0; count < 3; count += 1) ids.push((await thread()).threadId);
  for (const id of ids) await remove(id);
  for (const words of ['', '&query=keep']) {
    const pages: number[][] = [];
    for (let before = ''; ;) {
      const { body, headers } = await client.get<Thread[]>(`/api/chat/threads?state=trash&limit=2${words}${before}`);
      pages.push(body.map(({ id }) => id));
      const next = headers.get('x-next-cursor');
      if (next === null) break;
      before = `&before=${next}`;
    }
    expect(pages).toEqual([[ids[2], ids[1]], [ids[0]]]);
  }
});

it('a deletion of several threads ends their answers and is taken back as a whole', async () => {
  const { page } = member;
  const running = [];
  for (let count = 0; count < 3; count += 1) {
    const started = await page.start(`running ${count} [[words=20000 pace=10]]`);
    await page.firstText(started.generationId);
    running.push(started);
  }
  const ids = running.map(({ threadId }) => threadId);
  expect((await client.post('/api/chat/threads/batch', { action: 'delete', ids })).body).toMatchObject({ ids });
  for (const { generationId } of running) expect((await page.ended(generationId)).message.status).toBe('stopped');
  expect((await client.post('/api/chat/threads/batch', { action: 'restore', ids })).body).toMatchObject({ ids });
  for (const id of ids) expect((await messages(id)).body.at(-1)).toMatchObject({ status: 'stopped' });
});
