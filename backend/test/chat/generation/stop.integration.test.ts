import { randomUUID } from 'node:crypto';
import type { GenerationStopped, Message } from '@tanya/contract';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf } from '../../harness/http-client.js';
import { dataOf, refusalOf } from '../../harness/socket-client.js';
import { waitUntil } from '../../harness/wait-until.js';

/** Runs until it is stopped: 200 s at least. */
const ENDLESS = '[[words=20000 pace=10]]';

describe.each(ADAPTERS)('a stop, %s', (_name, redis) => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('before the first token is free of charge and closes the provider’s connection (I9)', async () => {
    const { page, client } = await harness.memberPage();
    harness.upstream.script({ steps: [{ stall: true }] });
    const calls = harness.upstream.callsOf().length;
    const { generationId } = await page.start('nothing yet');
    await waitUntil('the call', () => harness.upstream.callsOf().length > calls);
    expect(dataOf(await page.tryStop(generationId))).toEqual({ status: 'stopped' });
    const { message } = await page.ended(generationId);
    expect(message).toMatchObject({ status: 'stopped', content: '' });
    await harness.upstream.callsOf().at(-1)!.closed;
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
  });

  it('after the first token stores exactly the shown text, and is charged (F29)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await page.start(`stop me ${ENDLESS}`);
    await page.firstText(generationId);
    expect(dataOf(await page.tryStop(generationId))).toEqual({ status: 'stopped' });
    const shown = await page.ended(generationId);
    expect(shown.message).toMatchObject({ status: 'stopped', content: shown.text });
    expect(shown.closing?.type).toBe('end');
    expect(shown.late).toBe(0);
    const stored = (await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.at(-1);
    expect(stored).toEqual(shown.message);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
  });

  it('is idempotent, concurrently and after the end (F29, I10)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await page.start(`stop me ${ENDLESS}`);
    await page.firstText(generationId);
    const acks = await Promise.all(Array.from({ length: 5 }, () => page.tryStop(generationId)));
    expect(acks.map(dataOf)).toEqual(Array(5).fill({ status: 'stopped' }));
    const { message } = await page.ended(generationId);
    expect(dataOf(await page.tryStop(generationId))).toEqual({ status: 'stopped' });
    const done = await page.start('whole');
    await page.ended(done.generationId);
    expect(dataOf(await page.tryStop(done.generationId))).toEqual({ status: 'complete' });
    expect(page.answer(generationId).closing?.message).toEqual(message);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 2 });
  });

  it('is accepted from another tab and over REST (F29)', async () => {
    const { page, client } = await harness.memberPage();
    const other = await harness.page(client);
    const first = await page.start(`tab ${ENDLESS}`);
    await other.firstText(first.generationId);
    expect(dataOf(await other.tryStop(first.generationId))).toEqual({ status: 'stopped' });
    expect((await page.ended(first.generationId)).message.status).toBe('stopped');
    const second = await page.start(`post ${ENDLESS}`, { threadId: first.threadId });
    await page.firstText(second.generationId);
    const answer = await client.post<GenerationStopped>(
      `/api/chat/generations/${second.generationId.toUpperCase()}/stop`,
    );
    expect([answer.status, answer.body]).toEqual([200, { status: 'stopped' }]);
    await page.ended(second.generationId);
  });

  it('of another user’s answer is refused over socket and REST (F29, AZ-5)', async () => {
    const [mine, yours] = [await harness.memberPage(), await harness.memberPage({ isAdmin: true })];
    const { generationId } = await mine.page.start('mine [[words=100 pace=10]]');
    expect(refusalOf(await yours.page.tryStop(generationId)).code).toBe('not_found');
    for (const id of [generationId, randomUUID(), 'no-uuid', '1e3', '1']) {
      const answer = await yours.client.post(`/api/chat/generations/${id}/stop`);
      expect(errorOf(answer)).toMatchObject({ code: 'not_found', statusCode: 404 });
    }
    expect((await mine.page.ended(generationId)).message.status).toBe('complete');
  });
});
