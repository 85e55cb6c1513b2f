import type { Message } from '@tanya/contract';
import { RateLimits } from '../../../src/platform/rate-limits/rate-limits.js';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { type Answer, errorOf, type HttpClient } from '../../harness/http-client.js';
import { dataOf, refusalOf } from '../../harness/socket-client.js';
import { waitUntil } from '../../harness/wait-until.js';

const messagesOf = async (browser: HttpClient, threadId: number): Promise<Message[]> => {
  const answer = await browser.get<Message[]>(`/api/chat/threads/${threadId}/messages`);
  expect(answer.status).toBe(200);
  return answer.body;
};

describe.each(ADAPTERS)('versions of a message, %s', (_name, redis) => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('allows one running answer per thread (F28)', async () => {
    const { page, client } = await harness.memberPage();
    const { threadId, generationId } = await page.start('root');
    await page.ended(generationId);
    const other = await harness.page(client);
    const release = harness.upstream.hold({ steps: [{ text: 'held' }, { finish: 'stop' }, { done: true }] });
    let refused = 0;
    const codeOf = (ack: Awaited<ReturnType<typeof page.tryStart>> | Answer<unknown>): string => {
      const isAccepted = 'ok' in ack ? ack.ok : ack.status === 201;
      if (isAccepted) return 'ok';
      // Both other sends have been refused while the first answer ran.
      if (++refused === 2) release();
      return 'ok' in ack ? refusalOf(ack).code : errorOf(ack).code;
    };
    const codes = await Promise.all([
      page.tryStart('left', { threadId }).then(codeOf),
      other.tryStart('right', { threadId }).then(codeOf),
      client.post('/api/chat/message', { content: '{"text":"post"}', threadId }).then(codeOf),
    ]);
    expect(codes.sort()).toEqual(['ok', 'thread_busy', 'thread_busy']);
    const shown = await messagesOf(client, threadId);
    expect(shown).toHaveLength(4);
    await harness.settle();
    expect((await messagesOf(client, threadId)).at(-1)).toMatchObject({ status: 'complete' });
  });

  it('keep the first answer as a sibling of a regenerated one', async () => {
    const { page, client } = await harness.memberPage();
    const first = await page.start('again please');
    await page.ended(first.generationId);
    const second = dataOf(await page.tryRegenerate(first.aiMessage.id));
    expect(second.userMessage.id).toBe(first.userMessage.id);
    const shown = await page.ended(second.generationId);
    expect(shown.message.siblingIds).toEqual([first.aiMessage.id, second.aiMessage.id]);
    const path = await messagesOf(client, first.threadId);
    expect(path.map(({ id }) => id)).toEqual([first.userMessage.id, second.aiMessage.id]);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 2 });
    await client.patch(`/api/chat/threads/${first.threadId}`, { activeLeafId: first.aiMessage.id });
    expect((await messagesOf(client, first.threadId)).at(-1)).toMatchObject({
      id: first.aiMessage.id,
      siblingIds: shown.message.siblingIds,
    });
  });

  it('stop a running answer before it is regenerated, and do not mix their events (F30)', async () => {
    const { page } = await harness.memberPage();
    const first = await page.start('slow [[words=20000 pace=10]]');
    await page.firstText(first.generationId);
    const second = dataOf(await page.tryRegenerate(first.aiMessage.id));
    const stopped = await page.ended(first.generationId);
    expect(stopped.message).toMatchObject({ status: 'stopped', content: stopped.text });
    dataOf(await page.tryStop(second.generationId));
    const own = await page.ended(second.generationId);
    expect(own.events.every(({ messageId }) => messageId === second.aiMessage.id)).toBe(true);
    expect([stopped.late, own.late]).toEqual([0, 0]);
  });

  it('open a branch for an edited question', async () => {
    const { page, client } = await harness.memberPage();
    const first = await page.start('draft');
    await page.ended(first.generationId);
    const reply = await page.start('more', { threadId: first.threadId });
    await page.ended(reply.generationId);
    const edit = await page.start('edited', { threadId: first.threadId, editOf: first.userMessage.id });
    expect(edit.userMessage).toMatchObject({
      parentId: null,
      siblingIds: [first.userMessage.id, edit.userMessage.id],
    });
    await page.ended(edit.generationId);
    expect((await messagesOf(client, first.threadId)).map(({ id }) => id)).toEqual([
      edit.userMessage.id,
      edit.aiMessage.id,
    ]);
    await client.patch(`/api/chat/threads/${first.threadId}`, { activeLeafId: first.userMessage.id });
    expect((await messagesOf(client, first.threadId)).map(({ id }) => id)).toEqual([
      first.userMessage.id,
      first.aiMessage.id,
      reply.userMessage.id,
      reply.aiMessage.id,
    ]);
  });

  it('refuse messages of other users and of other threads (AZ-2)', async () => {
    const [mine, yours] = [await harness.memberPage(), await harness.memberPage()];
    const first = await mine.page.start('mine');
    const second = await yours.page.start('yours');
    await Promise.all([mine.page.ended(first.generationId), yours.page.ended(second.generationId)]);
    expect(refusalOf(await yours.page.tryRegenerate(first.aiMessage.id)).code).toBe('not_found');
    const foreign = [
      { threadId: first.threadId },
      { threadId: second.threadId, editOf: first.userMessage.id },
      { threadId: second.threadId, editOf: second.aiMessage.id },
      { threadId: null, editOf: second.userMessage.id },
    ];
    for (const fields of foreign) {
      expect(refusalOf(await yours.page.tryStart('x', fields)).code).toBe('not_found');
    }
    expect(await messagesOf(mine.client, first.threadId)).toHaveLength(2);
  });

  it('keep the running answer when the model of a regeneration is unknown', async () => {
    const { page } = await harness.memberPage();
    const first = await page.start('keep [[words=100 pace=10]]');
    await page.firstText(first.generationId);
    expect(refusalOf(await page.tryRegenerate(first.aiMessage.id, 'no/such-model')).code).toBe('model_unavailable');
    expect((await page.ended(first.generationId)).message.status).toBe('complete');
  });

  describe('a regeneration during an answer', () => {
    const limitTo = async (userId: number, quotaOverride: number) => {
      const admin = await harness.admin();
      expect((await admin.patch(`/api/admin/users/${userId}`, { quotaOverride })).status).toBe(200);
    };

    it('that the quota refuses keeps the answer', async () => {
      const { page, client, user } = await harness.memberPage();
      await limitTo(user.id, 1);
      const first = await page.start('keep [[words=100 pace=10]]');
      await page.firstText(first.generationId);
      expect(refusalOf(await page.tryRegenerate(first.aiMessage.id)).code).toBe('quota_exceeded');
      expect((await page.ended(first.generationId)).message.status).toBe('complete');
      expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
    });

    it('that the rate limit refuses keeps the answer', async () => {
      const { page, user } = await harness.memberPage();
      const first = await page.start('keep [[words=100 pace=10]]');
      await page.firstText(first.generationId);
      const limit = { name: 'sends', points: 120, window: 60 };
      const limits = harness.app.get(RateLimits);
      await Promise.all(Array.from({ length: 120 }, () => limits.count(limit, `user:${user.id}`)));
      expect(refusalOf(await page.tryRegenerate(first.aiMessage.id)).code).toBe('rate_limited');
      expect((await page.ended(first.generationId)).message.status).toBe('complete');
    });

    it('takes the last message of an answer that nothing is visible of, and counts as one send', async () => {
      const { page, client, user } = await harness.memberPage();
      await limitTo(user.id, 1);
      const calls = harness.upstream.callsOf().length;
      const release = harness.upstream.hold({ steps: [{ text: 'late' }, { finish: 'stop' }, { done: true }] });
      const first = await page.start('unseen');
      await waitUntil('the call', () => harness.upstream.callsOf().length === calls + 1);
      const second = dataOf(await page.tryRegenerate(first.aiMessage.id));
      release();
      expect((await page.ended(first.generationId)).message.status).toBe('stopped');
      expect((await page.ended(second.generationId)).message.status).toBe('complete');
      expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
      const limit = { name: 'sends', points: 120, window: 60 };
      expect(await harness.app.get(RateLimits).used(limit, `user:${user.id}`)).toBe(2);
    });
  });
});
