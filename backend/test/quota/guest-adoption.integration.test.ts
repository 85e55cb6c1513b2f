import { randomUUID } from 'node:crypto';
import type { Quota, SendMessageResponse, User } from '@tanya/contract';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { lockWaits, waitForLockWait, withConnection } from '../harness/lock-waits.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { dataOf, type SocketClient } from '../harness/socket-client.js';
import { PASSWORD } from '../harness/test-app.js';
import { waitUntil } from '../harness/wait-until.js';

describe.each(ADAPTERS)('a guest who signs in, %s', (_name, redis) => {
  let database: TestDatabase;
  let harness: ChatHarness;

  beforeAll(async () => {
    database = await createDatabase();
    harness = await startChatHarness({ redis, database });
  });

  afterEach(() => harness.settle());

  afterAll(async () => {
    await harness.close();
    await database.drop();
  });

  const quotaOf = async (browser: HttpClient): Promise<Quota> => (await browser.get<Quota>('/api/user/quota')).body;

  const quotaAccounts = async (): Promise<{ count: string }> =>
    (await harness.dataSource.query<[{ count: string }]>('select count(*) from quota_account'))[0];

  const chat = async (page: SocketClient, text: string) => page.ended((await page.start(text)).generationId);

  it('keeps threads, files, usage and the running answer', async () => {
    const guest = await harness.guest();
    const page = await harness.page(guest);
    await chat(page, 'before');
    const form = new FormData();
    form.append('file', new Blob(['hello from a file'], { type: 'text/plain' }), 'note.txt');
    const upload = await guest.post<{ url: string }>('/api/files', undefined, { raw: form });
    expect(upload.status).toBe(201);
    const release = harness.upstream.holdAfter('goes on');
    const running = await page.start('during', {
      content: { text: 'during', fileUrl: upload.body.url, fileName: 'note.txt' },
    });
    await page.firstText(running.generationId);
    const registered = await guest.post<User>('/api/register', {
      username: `guest-${randomUUID()}`,
      password: PASSWORD,
    });
    expect(registered.status).toBe(201);
    const member = await harness.page(guest);
    const resumed = dataOf(await member.tryResume(running.generationId, 0));
    expect(resumed.outcome).toBe('resumed');
    release();
    const { message } = await member.ended(running.generationId);
    expect(message.status).toBe('complete');
    expect(await quotaOf(guest)).toMatchObject({ used: 2, max: 100 });
    expect((await guest.get<User>('/api/user')).body.messageCount).toBe(2);
    expect((await guest.get<unknown[]>('/api/chat/threads')).body).toHaveLength(2);
    expect((await guest.get<string>(upload.body.url)).text).toBe('hello from a file');
    expect((await guest.get(`/api/chat/threads/${running.threadId}/messages`)).status).toBe(200);
  });

  it('gets the response to a REST send that is waiting', async () => {
    const guest = await harness.guest();
    const before = guest.copy();
    const release = harness.upstream.holdAfter('goes on');
    const waiting = before.post<SendMessageResponse>('/api/chat/message', { content: 'slow' });
    await waitUntil('the admission', async () => (await quotaOf(guest)).used > 0);
    await guest.post('/api/register', { username: `guest-${randomUUID()}`, password: PASSWORD });
    release();
    const answer = await waiting;
    expect([answer.status, answer.body.aiMessage.status]).toEqual([201, 'complete']);
  });

  it('concurrently is adopted once', async () => {
    const member = await harness.member();
    const guest = await harness.guest();
    await chat(await harness.page(guest), 'counted once');
    const login = { username: member.username, password: PASSWORD };
    const copies = [guest.copy(), guest.copy(), guest.copy()];
    const answers = await Promise.all(copies.map((copy) => copy.post('/api/login', login)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await quotaOf(member.client)).toMatchObject({ used: 1 });
    expect((await member.client.get<User>('/api/user')).body.messageCount).toBe(1);
  });

  it('leaves no hold behind when the first message is sent meanwhile (I3)', async () => {
    const guest = await harness.guest();
    const page = await harness.page(guest.copy());
    const registered = await withConnection(database, async (client) => {
      await client.query('begin');
      // The migration waits here, after it has moved the generations.
      await client.query('lock table file in share row exclusive mode');
      const registering = guest.post('/api/register', { username: `guest-${randomUUID()}`, password: PASSWORD });
      await waitForLockWait(database);
      let isAdmitted = false;
      const sending = page.start('first').finally(() => (isAdmitted = true));
      await waitUntil('the send', async () => isAdmitted || (await lockWaits(database)) > 1);
      await client.query('rollback');
      await sending;
      return registering;
    });
    expect(registered.status).toBe(201);
    await harness.settle();
  });

  it('without messages leaves no quota account', async () => {
    const guest = await harness.guest();
    const { count } = await quotaAccounts();
    await guest.post('/api/register', { username: `guest-${randomUUID()}`, password: PASSWORD });
    expect(await quotaAccounts()).toEqual({ count });
  });

  it('may have used an idempotency key of the account (F26)', async () => {
    const { page, username } = await harness.memberPage();
    const guest = await harness.guest();
    const clientMessageId = randomUUID();
    const theirs = await harness.page(guest);
    const first = await theirs.start('as a guest', { clientMessageId });
    await theirs.ended(first.generationId);
    const second = await page.start('as a member', { clientMessageId });
    await page.ended(second.generationId);
    expect((await guest.post('/api/login', { username, password: PASSWORD })).status).toBe(200);
    const again = await page.start('as a member', { clientMessageId });
    expect(again).toMatchObject({ duplicate: true, generationId: second.generationId });
    expect((await guest.get<unknown[]>('/api/chat/threads')).body).toHaveLength(2);
  });
});
