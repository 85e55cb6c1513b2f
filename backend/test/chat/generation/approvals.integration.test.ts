import { randomUUID } from 'node:crypto';
import type { SendMessageResponse, Thread } from '@tanya/contract';
import { RunRegistry } from '../../../src/chat/generation/live/run-registry.js';
import {
  type ApprovalsHarness,
  callsIn,
  decide,
  lastMessage,
  startApprovalsHarness,
  TOOLS,
} from '../approvals-harness.js';
import { ADAPTERS } from '../../harness/chat-harness.js';
import { errorOf } from '../../harness/http-client.js';
import { dataOf, refusalOf } from '../../harness/socket-client.js';
import { eventually, waitUntil } from '../../harness/wait-until.js';
import { callsOf, gate, textOf } from '../scripted-tools.js';

describe.each(ADAPTERS)('a call that needs approval, %s', (_name, redis) => {
  let harness: ApprovalsHarness;

  beforeAll(async () => {
    harness = await startApprovalsHarness({ redis });
  });

  beforeEach(() => harness.reset());

  afterAll(() => harness.close());

  it('suspends the answer, which goes on after it is allowed', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await harness.waiting({ page, client });
    const shown = await lastMessage(client, threadId);
    expect(shown).toMatchObject({ status: 'waiting', content: 'Let me see. ', error: null });
    expect(callsIn(shown)).toEqual([
      {
        type: 'tool',
        callId: 'ask_1',
        tool: 'ask_first',
        title: harness.ask.title,
        args: { index: 0 },
        state: 'waiting',
      },
    ]);
    await waitUntil('the event', () => page.answer(generationId).parts.some((part) => part.type === 'tool'));
    expect(page.answer(generationId).parts).toEqual(shown?.parts);
    expect(harness.ask.runs).toEqual([]);
    const [thread] = (await client.get<Thread[]>('/api/chat/threads')).body;
    expect(thread).toMatchObject({ id: threadId, streaming: false, waiting: true });
    const [running] = await harness.dataSource.query<[object]>(
      'select running_generations(owner) as count from generation where id = $1',
      [generationId],
    );
    expect(running).toEqual({ count: 0 });
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });

    harness.upstream.script(textOf('That is all.'));
    expect((await decide(client, generationId, 'ask_1', true)).body).toEqual({ status: 'streaming' });
    const ended = await page.ended(generationId);
    expect([ended.gaps, ended.late]).toEqual([0, 0]);
    expect(ended.message).toMatchObject({ status: 'complete', content: 'Let me see. That is all.' });
    expect(callsIn(ended.message)).toMatchObject([{ state: 'done', result: 'approved result' }]);
    expect(harness.ask.runs.map(({ context }) => context.isApproved)).toEqual([true]);
    expect(await lastMessage(client, threadId)).toEqual(ended.message);
    expect(JSON.stringify(harness.upstream.callsOf()[1]?.body)).toContain('approved result');
    const [record] = await harness.dataSource.query<[object]>('select * from usage_record where generation_id = $1', [
      generationId,
    ]);
    expect(record).toMatchObject({ state: 'charged', cost: 1, prompt_tokens: 30, completion_tokens: 8 });
    await harness.settle();
  });

  it('takes the id of a generation in any case, and reserves it as it is stored', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client });
    harness.upstream.script(textOf('That is all.'));
    const answer = await decide(client, generationId.toUpperCase(), 'ask_1', true);
    expect([answer.status, answer.body]).toEqual([200, { status: 'streaming' }]);
    expect((await page.ended(generationId)).message.status).toBe('complete');
    await harness.settle();
    expect(harness.app.get(RunRegistry).ids).toEqual([]);
  });

  it.each([true, false])('keeps waiting while 20 answers run, when allow is %p', async (allow) => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await harness.waiting({ page, client });
    const running = await Promise.all(
      Array.from({ length: 20 }, (_, index) => page.start(`running ${index} [[words=20000 pace=10]]`)),
    );
    const refused = await decide(client, generationId, 'ask_1', allow);
    expect([refused.status, errorOf(refused).code]).toEqual([429, 'rate_limited']);
    const shown = await lastMessage(client, threadId);
    expect([shown?.status, ...callsIn(shown).map(({ state }) => state)]).toEqual(['waiting', 'waiting']);
    await page.ask('generation:stop', { generationId: running.pop()!.generationId });
    expect((await decide(client, generationId, 'ask_1', allow)).body).toEqual({ status: 'streaming' });
    expect((await page.ended(generationId)).message.status).toBe('complete');
    for (const { generationId: id } of running) await page.ask('generation:stop', { generationId: id });
    await harness.settle();
  });

  it('goes on without the call after it is denied', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client });
    expect(dataOf(await page.ask('generation:approve', { generationId, callId: 'ask_1', allow: false }))).toEqual({
      status: 'streaming',
    });
    const { message } = await page.ended(generationId);
    expect(message.status).toBe('complete');
    expect(callsIn(message)).toMatchObject([{ state: 'denied', error: 'The user denied this call.' }]);
    expect(harness.ask.runs).toEqual([]);
    expect(JSON.stringify(harness.upstream.callsOf()[1]?.body)).toContain('The user denied this call.');
    await harness.settle();
  });

  it('waits for all calls of a step, and runs those without approval before', async () => {
    const { page, client } = await harness.memberPage();
    harness.upstream.script(
      callsOf(
        '',
        { id: 'a', name: 'ask_first', args: { a: 1 } },
        { id: 'f', name: 'free', args: {} },
        { id: 'b', name: 'ask_first', args: { b: 1 } },
      ),
      textOf('Done.'),
    );
    const { generationId, threadId } = await page.start('three calls', { tools: TOOLS });
    await waitUntil('the waiting answer', async () => (await lastMessage(client, threadId))?.status === 'waiting');
    expect(callsIn(await lastMessage(client, threadId)).map(({ callId, state }) => [callId, state])).toEqual([
      ['f', 'done'],
      ['a', 'waiting'],
      ['b', 'waiting'],
    ]);
    expect((await decide(client, generationId, 'a', true)).body).toEqual({ status: 'waiting' });
    expect(harness.ask.runs).toEqual([]);
    expect((await decide(client, generationId, 'b', false)).body).toEqual({ status: 'streaming' });
    const { message } = await page.ended(generationId);
    expect(JSON.stringify(message)).not.toContain('approved"');
    expect(callsIn(message).map(({ callId, state }) => [callId, state])).toEqual([
      ['f', 'done'],
      ['a', 'done'],
      ['b', 'denied'],
    ]);
    expect(harness.ask.runs).toHaveLength(1);
    await harness.settle();
  });

  it('takes a decision once: the same again is accepted, another one is a conflict (TOOL-8)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client }, 2);
    expect((await decide(client, generationId, 'ask_1', true)).status).toBe(200);
    expect((await decide(client, generationId, 'ask_1', true)).body).toEqual({ status: 'waiting' });
    const other = await decide(client, generationId, 'ask_1', false);
    expect([other.status, errorOf(other).code]).toEqual([409, 'conflict']);
    const clicks = await Promise.all(Array.from({ length: 8 }, () => decide(client, generationId, 'ask_2', true)));
    expect(clicks.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await page.ended(generationId);
    expect((await decide(client, generationId, 'ask_2', true)).body).toEqual({ status: 'complete' });
    expect((await decide(client, generationId, 'ask_2', false)).status).toBe(409);
    expect(harness.ask.runs).toHaveLength(2);
    await harness.settle();
  });

  it('decides for one of two contrary clicks', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client });
    const answers = await Promise.all([true, false].map((allow) => decide(client, generationId, 'ask_1', allow)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await page.ended(generationId);
    await harness.settle();
  });

  it('is not found by a stranger, and unknown calls are not found (AZ-1, TOOL-8)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client });
    const { page: stranger, client: other } = await harness.memberPage();
    expect((await decide(other, generationId, 'ask_1', true)).status).toBe(404);
    expect((await decide(await harness.guest(), generationId, 'ask_1', true)).status).toBe(404);
    const refused = await stranger.ask('generation:approve', { generationId, callId: 'ask_1', allow: true });
    expect(refusalOf(refused).code).toBe('not_found');
    expect((await decide(client, generationId, 'unknown', true)).status).toBe(404);
    expect((await decide(client, randomUUID(), 'ask_1', true)).status).toBe(404);
    expect((await decide(client, 'x', 'ask_1', true)).status).toBe(404);
    expect((await decide(client, generationId, 'ask_1', 'yes')).status).toBe(400);
    expect(harness.ask.runs).toEqual([]);
    await page.tryStop(generationId);
    await harness.settle();
  });

  it('answers POST /api/chat/message at once', async () => {
    const { client } = await harness.memberPage();
    harness.upstream.script(callsOf('Wait. ', { id: 'ask_1', name: 'ask_first' }), textOf('Done.'));
    const sent = await client.post<SendMessageResponse>('/api/chat/message', { content: 'ask', tools: TOOLS });
    expect(sent.status).toBe(201);
    expect(sent.body).toMatchObject({ aiMessage: { status: 'waiting' }, aiResponse: 'Wait. ' });
    const { generationId, id } = sent.body.aiMessage;
    await decide(client, generationId!, 'ask_1', true);
    await eventually(async () =>
      expect(await lastMessage(client, sent.body.threadId)).toMatchObject({
        id,
        status: 'complete',
        content: 'Wait. Done.',
      }),
    );
    await harness.settle();
  });

  it('may need approval again in a later step', async () => {
    const { page, client } = await harness.memberPage();
    harness.upstream.script(
      callsOf('One. ', { id: 'same', name: 'ask_first', args: { step: 1 } }),
      callsOf('Two. ', { id: 'same', name: 'ask_first', args: { step: 2 } }),
      textOf('End.'),
    );
    const { generationId, threadId } = await page.start('twice', { tools: TOOLS });
    for (const step of [1, 2]) {
      const undecided = async () =>
        callsIn(await lastMessage(client, threadId)).find(({ state }) => state === 'waiting');
      await waitUntil(`step ${step}`, async () => (await undecided())?.args !== undefined);
      await decide(client, generationId, (await undecided())!.callId, true);
      await waitUntil('the run', () => harness.ask.runs.length === step);
    }
    const { message, gaps } = await page.ended(generationId);
    expect([message.content, gaps]).toEqual(['One. Two. End.', 0]);
    expect(harness.ask.runs.map(({ args }) => args)).toEqual([{ step: 1 }, { step: 2 }]);
    await harness.settle();
  });

  it('is stopped while its result is stored', async () => {
    const { page, client } = await harness.memberPage();
    const { opened, open } = gate();
    harness.ask.answer = async () => (await opened, { text: 'late' });
    const { generationId } = await harness.waiting({ page, client });
    await decide(client, generationId, 'ask_1', true);
    await waitUntil('the run', () => harness.ask.runs.length === 1);
    expect(dataOf(await page.tryStop(generationId))).toEqual({ status: 'stopped' });
    open();
    expect(callsIn((await page.ended(generationId)).message)).toMatchObject([{ state: 'interrupted' }]);
    await harness.settle();
  });
});
