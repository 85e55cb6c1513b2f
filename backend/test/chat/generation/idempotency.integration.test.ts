import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { Message, SendMessageResponse } from '@tanya/contract';
import { AppError } from '../../../src/platform/errors/app-error.js';
import { RateLimits } from '../../../src/platform/rate-limits/rate-limits.js';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../../harness/http-client.js';
import { dataOf, refusalOf } from '../../harness/socket-client.js';
import { PNG } from '../../harness/uploads.js';

const messagesOf = async (browser: HttpClient, threadId: number): Promise<Message[]> => {
  const answer = await browser.get<Message[]>(`/api/chat/threads/${threadId}/messages`);
  expect(answer.status).toBe(200);
  return answer.body;
};

describe.each(ADAPTERS)('an idempotency key, %s', (_name, redis) => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('makes 20 concurrent sends over socket and REST one generation (F23, F24, I2)', async () => {
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

  it('returns the finished message to a late copy, free of charge (F2)', async () => {
    const { page } = await harness.memberPage();
    const clientMessageId = randomUUID();
    const first = await page.start('again', { clientMessageId });
    const { message } = await page.ended(first.generationId);
    const second = await page.start('again', { clientMessageId });
    expect(second).toMatchObject({ duplicate: true, generationId: first.generationId, aiMessage: message });
    expect(second.quota.used).toBe(1);
  });

  it('is compared without regard to letter case', async () => {
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

  it('refuses a second text and keeps the first (F25)', async () => {
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

  it('gives the first answer to a copy with a picture when no upload and no send is left', async () => {
    const { client } = await harness.memberPage();
    const message = {
      content: JSON.stringify({ text: 'picture', imageData: `data:image/png;base64,${PNG.toString('base64')}` }),
      clientMessageId: randomUUID(),
    };
    const first = await client.post<SendMessageResponse>('/api/chat/message', message);
    expect(first.status).toBe(201);
    const consumed = jest.spyOn(RateLimits.prototype, 'consumeAll');
    const checked = jest.spyOn(RateLimits.prototype, 'check');
    const refuse = () => Promise.reject(new AppError('rate_limited', { retryAfter: 1 }));
    consumed.mockImplementation(refuse);
    checked.mockImplementation(refuse);
    const again = await client.post<SendMessageResponse>('/api/chat/message', message);
    const other = await client.post('/api/chat/message', { ...message, clientMessageId: randomUUID() });
    consumed.mockRestore();
    checked.mockRestore();
    expect([again.status, again.body.aiMessage?.id]).toEqual([201, first.body.aiMessage.id]);
    expect(errorOf(other)).toMatchObject({ code: 'rate_limited' });
  });

  it('tells nothing of a thread of somebody else, whatever is wrong with the send', async () => {
    const [one, two] = [await harness.memberPage(), await harness.memberPage()];
    const { threadId, generationId } = await one.page.start('mine');
    await one.page.ended(generationId);
    for (const wrong of [{}, { model: 'no-such-model' }, { projectId: 1 }]) {
      const answer = await two.client.post('/api/chat/message', { content: 'x', threadId, ...wrong });
      expect([wrong, errorOf(answer).code]).toEqual([wrong, 'not_found']);
    }
  });

  it('is scoped to its owner (F26)', async () => {
    const clientMessageId = randomUUID();
    const [one, two] = [await harness.memberPage(), await harness.memberPage()];
    const first = await one.page.start('mine', { clientMessageId });
    const second = await two.page.start('yours', { clientMessageId });
    expect(second.generationId).not.toBe(first.generationId);
    expect(second.duplicate).toBeUndefined();
    await Promise.all([one.page.ended(first.generationId), two.page.ended(second.generationId)]);
  });

  it('does not depend on the order of the fields of a message', async () => {
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
