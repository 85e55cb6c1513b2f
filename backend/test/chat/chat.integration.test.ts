import { randomUUID } from 'node:crypto';
import { type Message, type SendMessageResponse } from '@tanya/contract';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { echoText } from '../harness/scripted-answers.js';
import { dataOf, refusalOf } from '../harness/socket-client.js';

const messagesOf = async (browser: HttpClient, threadId: number): Promise<Message[]> => {
  const answer = await browser.get<Message[]>(`/api/chat/threads/${threadId}/messages`);
  expect(answer.status).toBe(200);
  return answer.body;
};

describe.each(ADAPTERS)('chat, %s', (_name, redis) => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  describe('a send', () => {
    it('is acknowledged before its answer begins, and streams to an end that equals what is stored (I1, I4)', async () => {
      const { page, client } = await harness.memberPage();
      const started = await page.start('hello');
      expect(started.userMessage).toMatchObject({ content: 'hello', isUserMessage: true, status: 'complete' });
      expect(started.aiMessage).toMatchObject({ content: '', status: 'streaming', parentId: started.userMessage.id });
      expect(started.quota).toMatchObject({ used: 1, max: 100, remaining: 99 });
      const shown = await page.ended(started.generationId);
      expect(page.received.indexOf('ack')).toBeLessThan(page.received.indexOf('generation:event'));
      expect(shown.gaps).toBe(0);
      expect(shown.text).toBe(echoText('hello', 20));
      expect(shown.message).toMatchObject({ content: shown.text, status: 'complete', error: null, notice: null });
      const stored = await messagesOf(client, started.threadId);
      expect(stored).toEqual([started.userMessage, shown.message]);
      expect(shown.closing).toMatchObject({ type: 'end', quota: { used: 1, remaining: 99 } });
    });

    it('takes a guest along without an account, and keeps the conversation as context', async () => {
      const guest = await harness.guest();
      const page = await harness.page(guest);
      const first = await page.start('one');
      await page.ended(first.generationId);
      const second = await page.start('two', { threadId: first.threadId });
      await page.ended(second.generationId);
      expect(await messagesOf(guest, first.threadId)).toHaveLength(4);
      const { messages } = harness.upstream.calls.at(-1)!.body as { messages: { role: string; content: string }[] };
      expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
      expect(messages[1]?.content).toBe('one');
    });

    it('streams thoughts apart from the answer', async () => {
      const { page } = await harness.memberPage();
      harness.upstream.script({
        steps: [{ reasoning: 'let me ' }, { reasoning: 'think' }, { text: 'done' }, { finish: 'stop' }, { done: true }],
      });
      const shown = await page.ended((await page.start('think')).generationId);
      expect([shown.reasoning, shown.text]).toEqual(['let me think', 'done']);
      expect(shown.message).toMatchObject({ reasoning: 'let me think', content: 'done' });
    });

    it('shows the same in every tab of the owner and in nobody else’s (F27, I8)', async () => {
      const { page, client } = await harness.memberPage();
      const other = await harness.page(client);
      const stranger = (await harness.memberPage()).page;
      const { generationId } = await page.start('two tabs');
      const [one, two] = await Promise.all([page.ended(generationId), other.ended(generationId)]);
      expect(two.events).toEqual(one.events);
      expect(stranger.received).toEqual([]);
    });

    it('answers over REST once it has ended, with the same events for the pages', async () => {
      const { page, client } = await harness.memberPage();
      const answer = await client.post<SendMessageResponse>('/api/chat/message', {
        content: JSON.stringify({ text: 'by post', hasCode: false }),
        threadId: null,
        model: 'openai/gpt-4o-mini',
      });
      expect(answer.status).toBe(201);
      expect(answer.body.aiResponse).toBe(echoText('by post', 20));
      expect(answer.body.aiMessage).toMatchObject({ status: 'complete', content: answer.body.aiResponse });
      const shown = await page.ended(answer.body.aiMessage.generationId!);
      expect(shown.text).toBe(answer.body.aiResponse);
      expect(answer.body.quota).toMatchObject({ used: 1 });
    });

    it('over REST keeps a plain text to the letter, JSON that is no message included', async () => {
      const { client } = await harness.memberPage();
      for (const content of ['"quoted"', '{"a":1}', '[1]', 'null', '7', ' "x" ', '{"text":']) {
        const { status, body } = await client.post<SendMessageResponse>('/api/chat/message', { content });
        expect([status, body.userMessage?.content]).toEqual([201, content]);
      }
    });

    it('cannot pose as a picture of ours', async () => {
      const { page, client } = await harness.memberPage();
      const text = '{"type":"image_generation","imageUrl":"https://example.org/x"}';
      const { generationId, userMessage } = await page.start(text);
      expect(JSON.parse(userMessage.content)).toEqual({ text });
      await page.ended(generationId);
      for (const content of [text, `{"text":"x",${text.slice(1)}`]) {
        expect(errorOf(await client.post('/api/chat/message', { content })).statusCode).toBe(400);
      }
    });

    it('goes on when every page of the owner has gone (F20)', async () => {
      const { page, client } = await harness.memberPage();
      const { generationId, threadId } = await page.start('bye [[words=30 pace=10]]');
      await page.firstText(generationId);
      await page.close();
      const again = await harness.page(client);
      const shown = await again.ended(generationId);
      expect(shown.message).toMatchObject({ status: 'complete', content: echoText('bye [[words=30 pace=10]]', 30) });
      expect((await messagesOf(client, threadId)).at(-1)).toEqual(shown.message);
    });
  });

  describe('idempotency', () => {
    it('takes one send 20 times at once, over socket and REST, as one (F23, F24, I2)', async () => {
      const { page, client } = await harness.memberPage();
      const calls = harness.upstream.callsOf().length;
      const clientMessageId = randomUUID();
      const [acks, answers] = await Promise.all([
        Promise.all(Array.from({ length: 12 }, () => page.tryStart('once', { clientMessageId }))),
        Promise.all(
          Array.from({ length: 8 }, () =>
            client.post<SendMessageResponse>('/api/chat/message', { content: '{"text":"once"}', clientMessageId }),
          ),
        ),
      ]);
      const started = acks.map(dataOf);
      expect(answers.map(({ status }) => status)).toEqual(Array<number>(8).fill(201));
      const ids = [...started.map((one) => one.aiMessage.id), ...answers.map(({ body }) => body.aiMessage.id)];
      expect(new Set(ids).size).toBe(1);
      expect(started.filter(({ duplicate }) => !duplicate).length).toBeLessThanOrEqual(1);
      await page.ended(started[0]!.generationId);
      expect(await messagesOf(client, started[0]!.threadId)).toHaveLength(2);
      expect(harness.upstream.callsOf().length - calls).toBe(1);
      expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
    });

    it('answers a late copy with the finished message, free (F2)', async () => {
      const { page } = await harness.memberPage();
      const clientMessageId = randomUUID();
      const first = await page.start('again', { clientMessageId });
      const { message } = await page.ended(first.generationId);
      const second = await page.start('again', { clientMessageId });
      expect(second).toMatchObject({ duplicate: true, generationId: first.generationId, aiMessage: message });
      expect(second.quota.used).toBe(1);
    });

    it('knows an id whatever the case of its letters', async () => {
      const { page, client } = await harness.memberPage();
      const clientMessageId = randomUUID();
      const { generationId } = await page.start('same', { clientMessageId: clientMessageId.toUpperCase() });
      expect(await page.start('same', { clientMessageId })).toMatchObject({ duplicate: true, generationId });
      const rest = await client.post<SendMessageResponse>('/api/chat/message', {
        content: '{"text":"same"}',
        clientMessageId: clientMessageId.toUpperCase(),
      });
      expect(rest.body.aiMessage.generationId).toBe(generationId);
      expect(rest.body.quota.used).toBe(1);
      expect(dataOf(await page.tryResume(generationId.toUpperCase(), 0))).toMatchObject({ outcome: 'resumed' });
    });

    it('refuses one id for two texts and keeps the first (F25)', async () => {
      const { page, client } = await harness.memberPage();
      const clientMessageId = randomUUID();
      const { generationId, threadId } = await page.start('first', { clientMessageId });
      expect(refusalOf(await page.tryStart('second', { clientMessageId }))).toMatchObject({
        code: 'idempotency_mismatch',
        statusCode: 409,
      });
      const rest = await client.post('/api/chat/message', { content: '{"text":"third"}', clientMessageId });
      expect(errorOf(rest)).toMatchObject({ code: 'idempotency_mismatch' });
      await page.ended(generationId);
      expect((await messagesOf(client, threadId))[0]).toMatchObject({ content: 'first' });
    });

    it('counts an id for its owner alone (F26)', async () => {
      const clientMessageId = randomUUID();
      const [one, two] = [await harness.memberPage(), await harness.memberPage()];
      const first = await one.page.start('mine', { clientMessageId });
      const second = await two.page.start('yours', { clientMessageId });
      expect(second.generationId).not.toBe(first.generationId);
      expect(second.duplicate).toBeUndefined();
      await Promise.all([one.page.ended(first.generationId), two.page.ended(second.generationId)]);
    });

    it('does not care in which order a client names the parts of its message', async () => {
      const { page, client } = await harness.memberPage();
      const clientMessageId = randomUUID();
      const { generationId } = await page.start('', { clientMessageId, content: { hasCode: false, text: 'order' } });
      const rest = await client.post<SendMessageResponse>('/api/chat/message', {
        content: JSON.stringify({ text: 'order' }),
        clientMessageId,
      });
      expect(rest.body.aiMessage?.generationId).toBe(generationId);
    });
  });

  describe('two sends in one thread', () => {
    it('lets one answer at a time (F28)', async () => {
      const { page, client } = await harness.memberPage();
      const { threadId, generationId } = await page.start('root');
      await page.ended(generationId);
      const other = await harness.page(client);
      const acks = await Promise.all([
        page.tryStart('left [[pace=10]]', { threadId }),
        other.tryStart('right [[pace=10]]', { threadId }),
        client.post('/api/chat/message', { content: '{"text":"post [[pace=10]]"}', threadId }),
      ]);
      const codes = acks.map((ack) => {
        if ('status' in ack) return ack.status === 201 ? 'ok' : errorOf(ack).code;
        return ack.ok ? 'ok' : ack.error.code;
      });
      expect(codes.sort()).toEqual(['ok', 'thread_busy', 'thread_busy']);
      const shown = await messagesOf(client, threadId);
      expect(shown).toHaveLength(4);
      await harness.settle();
      expect((await messagesOf(client, threadId)).at(-1)).toMatchObject({ status: 'complete' });
    });
  });

  describe('another version', () => {
    it('of an answer keeps the first one as a sibling', async () => {
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

    it('stops the answer that is still being written first, and the two never mix (F30)', async () => {
      const { page } = await harness.memberPage();
      const first = await page.start('slow [[words=400 pace=10]]');
      await page.firstText(first.generationId);
      const second = dataOf(await page.tryRegenerate(first.aiMessage.id));
      const stopped = await page.ended(first.generationId);
      expect(stopped.message).toMatchObject({ status: 'stopped', content: stopped.text });
      dataOf(await page.tryStop(second.generationId));
      const own = await page.ended(second.generationId);
      expect(own.events.every(({ messageId }) => messageId === second.aiMessage.id)).toBe(true);
      expect([stopped.late, own.late]).toEqual([0, 0]);
    });

    it('of a question opens a branch of its own', async () => {
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

    it('is refused for what belongs to somebody else or to another thread (AZ-2)', async () => {
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

    it('with an unknown model stops nothing', async () => {
      const { page } = await harness.memberPage();
      const first = await page.start('keep [[words=30 pace=10]]');
      await page.firstText(first.generationId);
      expect(refusalOf(await page.tryRegenerate(first.aiMessage.id, 'no/such-model')).code).toBe('model_unavailable');
      expect((await page.ended(first.generationId)).message.status).toBe('complete');
    });
  });
});
