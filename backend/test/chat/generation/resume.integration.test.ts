import { randomUUID } from 'node:crypto';
import type { GenerationEvent, Message } from '@tanya/contract';
import { Redis } from 'ioredis';
import { ADAPTERS, type ChatHarness, FAST_TIMINGS, startChatHarness } from '../../harness/chat-harness.js';
import { echoText } from '../../harness/scripted-answers.js';
import { dataOf, refusalOf, ShownAnswer } from '../../harness/socket-client.js';
import { waitUntil } from '../../harness/wait-until.js';

/** Runs until it is stopped: 200 s at least. */
const ENDLESS = '[[words=20000 pace=10]]';

const shownFrom = (before: GenerationEvent[], after: GenerationEvent[]): ShownAnswer => {
  const shown = new ShownAnswer();
  for (const event of [...before, ...after]) shown.apply(event);
  return shown;
};

describe.each(ADAPTERS)('a resume, %s', (_name, redis) => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis, timings: FAST_TIMINGS });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('returns exactly the events after each position (I4)', async () => {
    const { page } = await harness.memberPage();
    const { generationId } = await page.start('all of it [[words=25]]');
    const whole = await page.ended(generationId);
    for (let position = 0; position < whole.lastSeq; position += 1) {
      const resumed = dataOf(await page.tryResume(generationId, position));
      if (resumed.outcome !== 'resumed') throw new Error(`position ${position}: ${resumed.outcome}`);
      expect(resumed.events).toEqual(whole.events.slice(position));
      const shown = shownFrom(whole.events.slice(0, position), resumed.events);
      expect([shown.text, shown.gaps]).toEqual([whole.message.content, 0]);
    }
  });

  it('of a running answer continues without gap or duplicate (F20)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await page.start('in the middle [[words=60 pace=20]]');
    for (let round = 0; round < 6; round += 1) {
      // Deltas may be batched, so there can be fewer events than words.
      const { events } = page.answer(generationId);
      await page.until(() => events.length > round * 8 || page.answer(generationId).closing !== null);
      const late = await harness.page(client);
      const before = page.answer(generationId).events.slice(0, round * 3);
      const { outcome, ...rest } = dataOf(await late.tryResume(generationId, before.length));
      expect(outcome).toBe('resumed');
      const shown = shownFrom(before, (rest as { events: GenerationEvent[] }).events);
      if (shown.closing === null) await late.ended(generationId);
      for (const event of late.answer(generationId).events) if (event.seq > shown.lastSeq) shown.apply(event);
      expect([shown.text, shown.gaps]).toEqual([echoText('in the middle [[words=60 pace=20]]', 60), 0]);
    }
  });

  it('before the first token answers with a resync of the empty message', async () => {
    const { page } = await harness.memberPage();
    const release = harness.upstream.hold({ steps: [{ text: 'late' }, { finish: 'stop' }, { done: true }] });
    const { generationId } = await page.start('wait for it');
    const resumed = dataOf(await page.tryResume(generationId, 0));
    expect(resumed).toMatchObject({ outcome: 'resync', seq: 0, message: { status: 'streaming', content: '' } });
    release();
    expect((await page.ended(generationId)).text).toBe('late');
  });

  it('at or beyond the end answers with the message, since sequence numbers may repeat after a crash (F1)', async () => {
    const { page } = await harness.memberPage();
    const { generationId } = await page.start('short');
    const { message, lastSeq } = await page.ended(generationId);
    for (const position of [lastSeq, lastSeq + 1, lastSeq + 1000, Number.MAX_SAFE_INTEGER]) {
      expect(dataOf(await page.tryResume(generationId, position))).toEqual({ outcome: 'resync', message });
    }
  });

  it('beyond the newest event answers with the text so far', async () => {
    const { page } = await harness.memberPage();
    const { generationId } = await page.start(`far ahead ${ENDLESS}`);
    await page.firstText(generationId);
    const resumed = dataOf(await page.tryResume(generationId, 100_000));
    expect(resumed).toMatchObject({ outcome: 'resync', message: { status: 'streaming' } });
    if (resumed.outcome !== 'resync') throw new Error('unreachable');
    const events = page.answer(generationId).events.filter(({ seq }) => seq <= resumed.seq!);
    expect(resumed.message?.content).toBe(events.map((event) => ('text' in event ? event.text : '')).join(''));
    await page.tryStop(generationId);
  });

  it('of another user’s answer is refused, and of an unknown one is empty (AZ-5)', async () => {
    const [mine, yours] = [await harness.memberPage(), await harness.memberPage()];
    const { generationId } = await mine.page.start('secret');
    await mine.page.ended(generationId);
    expect(refusalOf(await yours.page.tryResume(generationId, 0))).toMatchObject({
      code: 'not_found',
      statusCode: 404,
    });
    expect(dataOf(await yours.page.tryResume(randomUUID(), 0))).toEqual({ outcome: 'resync', message: null });
    expect(yours.page.answers.size).toBe(0);
  });

  it('is not needed to read the text so far of a running answer over REST', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await page.start(`read me ${ENDLESS}`);
    await page.firstText(generationId);
    let running: Message | undefined;
    await waitUntil('a checkpoint', async () => {
      [, running] = (await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body;
      return running?.content !== '';
    });
    expect(running).toMatchObject({ status: 'streaming', generationId });
    await page.tryStop(generationId);
    expect((await page.ended(generationId)).text.startsWith(running!.content)).toBe(true);
  });
});

describe('a lost generation log (F7)', () => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis: true, timings: FAST_TIMINGS });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('is answered with a resync of the text so far, from which the events continue', async () => {
    const { page, client } = await harness.memberPage();
    const release = harness.upstream.holdAfter('goes on');
    const { generationId } = await page.start('flushed');
    await page.firstText(generationId);
    const admin = new Redis(harness.redis!.url);
    const logs = () => admin.keys(`tanya:log:*${generationId}*`);
    await waitUntil('the log', async () => (await logs()).length > 0);
    await admin.del(...(await logs()));
    admin.disconnect();
    const resumed = dataOf(await page.tryResume(generationId, 0));
    if (resumed.outcome !== 'resync') throw new Error('the log still exists');
    expect(resumed.message).toMatchObject({ status: 'streaming' });
    release();
    const shown = await page.ended(generationId);
    const rest = shown.events.filter(({ seq }) => seq > resumed.seq!);
    expect(rest[0]?.seq).toBe(resumed.seq! + 1);
    const text = resumed.message!.content + rest.map((event) => ('text' in event ? event.text : '')).join('');
    expect([text, shown.message.content]).toEqual([shown.text, shown.text]);
    expect(dataOf(await page.tryResume(generationId, 0))).toEqual({ outcome: 'resync', message: shown.message });
    expect((await client.get('/api/user/quota')).status).toBe(200);
  });

  it('does not affect the live answer when Redis is killed (F6, F8)', async () => {
    const { page } = await harness.memberPage();
    const { generationId } = await page.start('without redis [[words=200 pace=10]]');
    await page.firstText(generationId);
    await harness.redis!.kill();
    const shown = await page.ended(generationId);
    await harness.redis!.start();
    expect(shown.message).toMatchObject({
      status: 'complete',
      content: echoText('without redis [[words=200 pace=10]]', 200),
    });
    expect([shown.text, shown.gaps, shown.late]).toEqual([shown.message.content, 0, 0]);
  });
});
