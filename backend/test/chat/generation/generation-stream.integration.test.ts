import { randomUUID } from 'node:crypto';
import type { GenerationEvent, GenerationStopped, Message } from '@tanya/contract';
import { Redis } from 'ioredis';
import { ADAPTERS, type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf } from '../../harness/http-client.js';
import { echoText } from '../../harness/scripted-answers.js';
import { dataOf, refusalOf, ShownAnswer } from '../../harness/socket-client.js';

const SLOW = '[[words=400 pace=10]]';

describe.each(ADAPTERS)('an answer on its way, %s', (_name, redis) => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  const shownFrom = (before: GenerationEvent[], after: GenerationEvent[]): ShownAnswer => {
    const shown = new ShownAnswer();
    for (const event of [...before, ...after]) shown.apply(event);
    return shown;
  };

  describe('resuming', () => {
    it('from every position gives exactly the rest (I4)', async () => {
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

    it('in the middle goes on without a hole or a repetition (F20)', async () => {
      const { page, client } = await harness.memberPage();
      const { generationId } = await page.start('in the middle [[words=60 pace=20]]');
      for (let round = 0; round < 6; round += 1) {
        // Words that come together may be joined, so there can be fewer events than words.
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

    it('before anything is written never claims to be whole', async () => {
      const { page } = await harness.memberPage();
      harness.upstream.script({ delay: 300, steps: [{ text: 'late' }, { finish: 'stop' }, { done: true }] });
      const { generationId } = await page.start('wait for it');
      const resumed = dataOf(await page.tryResume(generationId, 0));
      expect(resumed).toMatchObject({ outcome: 'resync', seq: 0, message: { status: 'streaming', content: '' } });
      expect((await page.ended(generationId)).text).toBe('late');
    });

    it('at the end or beyond it answers with the message, since a crash may give a number out twice (F1)', async () => {
      const { page } = await harness.memberPage();
      const { generationId } = await page.start('short');
      const { message, lastSeq } = await page.ended(generationId);
      for (const position of [lastSeq, lastSeq + 1, lastSeq + 1000, Number.MAX_SAFE_INTEGER]) {
        expect(dataOf(await page.tryResume(generationId, position))).toEqual({ outcome: 'resync', message });
      }
    });

    it('beyond what there is yet answers with the text so far', async () => {
      const { page } = await harness.memberPage();
      const { generationId } = await page.start(`far ahead ${SLOW}`);
      await page.firstText(generationId);
      const resumed = dataOf(await page.tryResume(generationId, 100_000));
      expect(resumed).toMatchObject({ outcome: 'resync', message: { status: 'streaming' } });
      if (resumed.outcome !== 'resync') throw new Error('unreachable');
      const events = page.answer(generationId).events.filter(({ seq }) => seq <= resumed.seq!);
      expect(resumed.message?.content).toBe(events.map((event) => ('text' in event ? event.text : '')).join(''));
      await page.tryStop(generationId);
    });

    it('of somebody else’s answer is refused, of an unknown one gives nothing, and neither brings an event (AZ-5)', async () => {
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
  });

  describe('stopping', () => {
    it('before the first token ends it free of charge, and hangs up on the model (I9)', async () => {
      const { page, client } = await harness.memberPage();
      harness.upstream.script({ steps: [{ wait: 60_000 }, { text: 'never' }] });
      const calls = harness.upstream.callsOf().length;
      const { generationId } = await page.start('nothing yet');
      await page.until(() => true);
      for (let tries = 0; harness.upstream.callsOf().length === calls && tries < 200; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(dataOf(await page.tryStop(generationId))).toEqual({ status: 'stopped' });
      const { message } = await page.ended(generationId);
      expect(message).toMatchObject({ status: 'stopped', content: '' });
      await harness.upstream.callsOf().at(-1)!.closed;
      expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
    });

    it('afterwards keeps exactly what was shown, and is charged (F29)', async () => {
      const { page, client } = await harness.memberPage();
      const { generationId, threadId } = await page.start(`stop me ${SLOW}`);
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

    it('twice, five times at once and after the end changes nothing more (F29, I10)', async () => {
      const { page, client } = await harness.memberPage();
      const { generationId } = await page.start(`stop me ${SLOW}`);
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

    it('works from another tab and over REST (F29)', async () => {
      const { page, client } = await harness.memberPage();
      const other = await harness.page(client);
      const first = await page.start(`tab ${SLOW}`);
      await other.firstText(first.generationId);
      expect(dataOf(await other.tryStop(first.generationId))).toEqual({ status: 'stopped' });
      expect((await page.ended(first.generationId)).message.status).toBe('stopped');
      const second = await page.start(`post ${SLOW}`, { threadId: first.threadId });
      await page.firstText(second.generationId);
      const answer = await client.post<GenerationStopped>(`/api/chat/generations/${second.generationId}/stop`);
      expect([answer.status, answer.body]).toEqual([200, { status: 'stopped' }]);
      await page.ended(second.generationId);
    });

    it('is nobody else’s to do, on either way (F29, AZ-5)', async () => {
      const [mine, yours] = [await harness.memberPage(), await harness.memberPage({ isAdmin: true })];
      const { generationId } = await mine.page.start('mine [[words=30 pace=10]]');
      expect(refusalOf(await yours.page.tryStop(generationId)).code).toBe('not_found');
      for (const id of [generationId, randomUUID(), 'no-uuid', '1e3', '1']) {
        const answer = await yours.client.post(`/api/chat/generations/${id}/stop`);
        expect(errorOf(answer)).toMatchObject({ code: 'not_found', statusCode: 404 });
      }
      expect((await mine.page.ended(generationId)).message.status).toBe('complete');
    });
  });

  it('goes on while its thread is read, with the text so far', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await page.start(`read me ${SLOW}`);
    await page.firstText(generationId);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const [, running] = (await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body;
    expect(running).toMatchObject({ status: 'streaming', generationId });
    expect(running!.content).not.toBe('');
    await page.tryStop(generationId);
    expect((await page.ended(generationId)).text.startsWith(running!.content)).toBe(true);
  });
});

describe('a generation log that is lost (F7)', () => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis: true });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('is answered with the text so far and its position, from which events go on', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await page.start('flushed [[words=120 pace=10]]');
    await page.until(() => page.answer(generationId).events.length > 20);
    const admin = new Redis(harness.redis!.url);
    await admin.flushall();
    admin.disconnect();
    const resumed = dataOf(await page.tryResume(generationId, 1));
    if (resumed.outcome !== 'resync') throw new Error('the log should be gone');
    expect(resumed.message).toMatchObject({ status: 'streaming' });
    const shown = await page.ended(generationId);
    const rest = shown.events.filter(({ seq }) => seq > resumed.seq!);
    expect(rest[0]?.seq).toBe(resumed.seq! + 1);
    const text = resumed.message!.content + rest.map((event) => ('text' in event ? event.text : '')).join('');
    expect([text, shown.message.content]).toEqual([shown.text, shown.text]);
    expect(dataOf(await page.tryResume(generationId, 0))).toEqual({ outcome: 'resync', message: shown.message });
    expect((await client.get('/api/user/quota')).status).toBe(200);
  });

  it('and a Redis that goes away in the middle costs the answer nothing (F6, F8)', async () => {
    const { page } = await harness.memberPage();
    const { generationId } = await page.start('without redis [[words=80 pace=10]]');
    await page.firstText(generationId);
    await harness.redis!.kill();
    const shown = await page.ended(generationId);
    await harness.redis!.start();
    expect(shown.message).toMatchObject({
      status: 'complete',
      content: echoText('without redis [[words=80 pace=10]]', 80),
    });
    expect([shown.text, shown.gaps, shown.late]).toEqual([shown.message.content, 0, 0]);
  });
});
