import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { GenerationApproved, Message, SendMessageResponse, Thread, ToolPart } from '@tanya/contract';
import { GENERATION_LOG, type GenerationLog } from '../../../src/chat/generation/log/generation-log.js';
import { ADAPTERS, type ChatHarness, type MemberPage, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../../harness/http-client.js';
import { dataOf, refusalOf } from '../../harness/socket-client.js';
import { eventually, waitUntil } from '../../harness/wait-until.js';
import { callsOf, gate, registerTools, ScriptedTool, textOf } from '../scripted-tools.js';

const callsIn = (message: Message | undefined): ToolPart[] =>
  (message?.parts ?? []).filter((part): part is ToolPart => part.type === 'tool');

describe.each(ADAPTERS)('a call that needs approval, %s', (_name, redis) => {
  let harness: ChatHarness;
  const ask = new ScriptedTool('ask_first');
  const free = new ScriptedTool('free');
  const names = ['ask_first', 'free'];

  beforeAll(async () => {
    harness = await startChatHarness({ redis });
    registerTools(harness, ask, free);
  });

  beforeEach(() => {
    Object.assign(ask, { policy: 'ask', isAvailable: true, answer: () => ({ text: 'approved result' }) });
    for (const tool of [ask, free]) tool.runs.length = 0;
    harness.upstream.calls.length = 0;
  });

  afterAll(() => harness.close());

  const last = async (client: HttpClient, threadId: number) =>
    (await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.at(-1);
  const decide = (client: HttpClient, generationId: string, callId: string, allow: unknown) =>
    client.post<GenerationApproved>(`/api/chat/generations/${generationId}/approve`, { callId, allow });

  /** Sends a message whose answer waits for the calls `ask_1`, `ask_2` … */
  async function waiting({ page, client }: Pick<MemberPage, 'page' | 'client'>, count = 1, text = 'Let me see. ') {
    const calls = Array.from({ length: count }, (_, index) => ({
      id: `ask_${index + 1}`,
      name: 'ask_first',
      args: { index },
    }));
    harness.upstream.script(callsOf(text, ...calls));
    const started = await page.start('ask me', { tools: names });
    const { threadId } = started;
    await waitUntil('the waiting answer', async () => (await last(client, threadId))?.status === 'waiting');
    return started;
  }

  it('suspends the answer, which goes on after it is allowed', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await waiting({ page, client });
    const shown = await last(client, threadId);
    expect(shown).toMatchObject({ status: 'waiting', content: 'Let me see. ', error: null });
    expect(callsIn(shown)).toEqual([
      { type: 'tool', callId: 'ask_1', tool: 'ask_first', title: ask.title, args: { index: 0 }, state: 'waiting' },
    ]);
    await waitUntil('the event', () => page.answer(generationId).parts.some((part) => part.type === 'tool'));
    expect(page.answer(generationId).parts).toEqual(shown?.parts);
    expect(ask.runs).toEqual([]);
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
    expect(ask.runs.map(({ context }) => context.isApproved)).toEqual([true]);
    expect(await last(client, threadId)).toEqual(ended.message);
    expect(JSON.stringify(harness.upstream.callsOf()[1]?.body)).toContain('approved result');
    const [record] = await harness.dataSource.query<[object]>('select * from usage_record where generation_id = $1', [
      generationId,
    ]);
    expect(record).toMatchObject({ state: 'charged', cost: 1, prompt_tokens: 30, completion_tokens: 8 });
    await harness.settle();
  });

  it('goes on without the call after it is denied', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await waiting({ page, client });
    expect(dataOf(await page.ask('generation:approve', { generationId, callId: 'ask_1', allow: false }))).toEqual({
      status: 'streaming',
    });
    const { message } = await page.ended(generationId);
    expect(message.status).toBe('complete');
    expect(callsIn(message)).toMatchObject([{ state: 'denied', error: 'The user denied this call.' }]);
    expect(ask.runs).toEqual([]);
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
    const { generationId, threadId } = await page.start('three calls', { tools: names });
    await waitUntil('the waiting answer', async () => (await last(client, threadId))?.status === 'waiting');
    expect(callsIn(await last(client, threadId)).map(({ callId, state }) => [callId, state])).toEqual([
      ['f', 'done'],
      ['a', 'waiting'],
      ['b', 'waiting'],
    ]);
    expect((await decide(client, generationId, 'a', true)).body).toEqual({ status: 'waiting' });
    expect(ask.runs).toEqual([]);
    expect((await decide(client, generationId, 'b', false)).body).toEqual({ status: 'streaming' });
    const { message } = await page.ended(generationId);
    expect(JSON.stringify(message)).not.toContain('approved"');
    expect(callsIn(message).map(({ callId, state }) => [callId, state])).toEqual([
      ['f', 'done'],
      ['a', 'done'],
      ['b', 'denied'],
    ]);
    expect(ask.runs).toHaveLength(1);
    await harness.settle();
  });

  it('shows each decision on all pages and after a reload while other calls wait', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await waiting({ page, client }, 3);
    const second = await harness.page(client);
    const shown = async () => callsIn(await last(client, threadId));
    const live = () => callsIn({ parts: page.answer(generationId).parts } as Message);
    await waitUntil('the calls', () => live().length === 3);

    await decide(client, generationId, 'ask_2', false);
    expect(await shown()).toMatchObject([
      { callId: 'ask_1', state: 'waiting' },
      { callId: 'ask_2', state: 'denied', error: 'The user denied this call.' },
      { callId: 'ask_3', state: 'waiting' },
    ]);
    await decide(client, generationId, 'ask_1', true);
    expect(await shown()).toMatchObject([
      { state: 'waiting', approved: true },
      { state: 'denied' },
      { state: 'waiting' },
    ]);
    expect((await shown())[2]).not.toHaveProperty('approved');
    await waitUntil('the events', () => live()[0]?.approved === true);
    expect(live()).toEqual(await shown());
    const resumed = dataOf(await second.tryResume(generationId, 0));
    expect(resumed.outcome).toBe('resumed');

    await decide(client, generationId, 'ask_3', true);
    const { message, gaps, late } = await page.ended(generationId);
    expect([gaps, late]).toEqual([0, 0]);
    expect(callsIn(message).map(({ state }) => state)).toEqual(['done', 'denied', 'done']);
    expect(ask.runs.map(({ args }) => args)).toEqual([{ index: 0 }, { index: 2 }]);
    await harness.settle();
  });

  it('shows the decisions after the log has lost them', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await waiting({ page, client }, 2);
    const log = harness.app.get<GenerationLog>(GENERATION_LOG);
    const append = jest.spyOn(log, 'append').mockRejectedValueOnce(new Error('unavailable'));
    await decide(client, generationId, 'ask_1', true);
    append.mockRestore();
    const resumed = dataOf(await page.tryResume(generationId, 0));
    expect(resumed).toMatchObject({ outcome: 'resync', message: await last(client, threadId) });
    expect(dataOf(await page.tryStop(generationId))).toEqual({ status: 'stopped' });
    const { message } = await page.ended(generationId);
    expect(callsIn(message).map(({ state }) => state)).toEqual(['denied', 'denied']);
    expect(JSON.stringify(message)).not.toContain('approved"');
    await harness.settle();
  });

  it.each(['goes on', 'is stopped'])('keeps the notices of its first steps when it %s', async (end) => {
    const admin = await harness.admin();
    const modelId = `scripted/tiny-${randomUUID()}`;
    const model = { modelId, name: modelId, provider: 'Scripted', contextLength: 600 };
    const { id } = (await admin.post<{ id: number }>('/api/admin/models', model)).body;
    const { page, client } = await harness.memberPage();
    harness.upstream.script(callsOf('Wait. ', { id: 'ask_1', name: 'ask_first' }));
    const started = await page.start('words '.repeat(1_000), { model: modelId, tools: names });
    const { generationId, threadId } = started;
    await waitUntil('the waiting answer', async () => (await last(client, threadId))?.status === 'waiting');
    // The prompt of the next step is whole.
    expect((await admin.patch(`/api/admin/models/${id}`, { contextLength: 100_000 })).status).toBe(200);
    if (end === 'goes on') await decide(client, generationId, 'ask_1', true);
    else await page.tryStop(generationId);
    expect((await page.ended(generationId)).message).toMatchObject({
      status: end === 'goes on' ? 'complete' : 'stopped',
      notice: expect.stringContaining('message was cut'),
      notices: [{ code: 'message_cut' }],
    });
    await harness.settle();
  });

  it('takes a decision once: the same again is accepted, another one is a conflict (TOOL-8)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await waiting({ page, client }, 2);
    expect((await decide(client, generationId, 'ask_1', true)).status).toBe(200);
    expect((await decide(client, generationId, 'ask_1', true)).body).toEqual({ status: 'waiting' });
    const other = await decide(client, generationId, 'ask_1', false);
    expect([other.status, errorOf(other).code]).toEqual([409, 'conflict']);
    const clicks = await Promise.all(Array.from({ length: 8 }, () => decide(client, generationId, 'ask_2', true)));
    expect(clicks.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await page.ended(generationId);
    expect((await decide(client, generationId, 'ask_2', true)).body).toEqual({ status: 'complete' });
    expect((await decide(client, generationId, 'ask_2', false)).status).toBe(409);
    expect(ask.runs).toHaveLength(2);
    await harness.settle();
  });

  it('decides for one of two contrary clicks', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await waiting({ page, client });
    const answers = await Promise.all([true, false].map((allow) => decide(client, generationId, 'ask_1', allow)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await page.ended(generationId);
    await harness.settle();
  });

  it('is not found by a stranger, and unknown calls are not found (AZ-1, TOOL-8)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await waiting({ page, client });
    const { page: stranger, client: other } = await harness.memberPage();
    expect((await decide(other, generationId, 'ask_1', true)).status).toBe(404);
    expect((await decide(await harness.guest(), generationId, 'ask_1', true)).status).toBe(404);
    const refused = await stranger.ask('generation:approve', { generationId, callId: 'ask_1', allow: true });
    expect(refusalOf(refused).code).toBe('not_found');
    expect((await decide(client, generationId, 'unknown', true)).status).toBe(404);
    expect((await decide(client, randomUUID(), 'ask_1', true)).status).toBe(404);
    expect((await decide(client, 'x', 'ask_1', true)).status).toBe(404);
    expect((await decide(client, generationId, 'ask_1', 'yes')).status).toBe(400);
    expect(ask.runs).toEqual([]);
    await page.tryStop(generationId);
    await harness.settle();
  });

  it('keeps the thread busy until it is stopped, which denies the call', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await waiting({ page, client });
    expect(refusalOf(await page.tryStart('more', { threadId })).code).toBe('thread_busy');
    const [first, second] = await Promise.all([page.tryStop(generationId), page.tryStop(generationId)]);
    expect([dataOf(first), dataOf(second)]).toEqual([{ status: 'stopped' }, { status: 'stopped' }]);
    const { message } = await page.ended(generationId);
    expect(message).toMatchObject({ status: 'stopped', content: 'Let me see. ' });
    expect(callsIn(message)).toMatchObject([{ state: 'denied' }]);
    expect((await decide(client, generationId, 'ask_1', false)).body).toEqual({ status: 'stopped' });
    expect((await decide(client, generationId, 'ask_1', true)).status).toBe(409);
    expect([ask.runs.length, harness.upstream.callsOf().length]).toEqual([0, 1]);
    harness.upstream.script(textOf('Next.'));
    const next = await page.start('more', { threadId });
    expect((await page.ended(next.generationId)).message.status).toBe('complete');
    await harness.settle();
  });

  it('answers POST /api/chat/message at once', async () => {
    const { client } = await harness.memberPage();
    harness.upstream.script(callsOf('Wait. ', { id: 'ask_1', name: 'ask_first' }), textOf('Done.'));
    const sent = await client.post<SendMessageResponse>('/api/chat/message', { content: 'ask', tools: names });
    expect(sent.status).toBe(201);
    expect(sent.body).toMatchObject({ aiMessage: { status: 'waiting' }, aiResponse: 'Wait. ' });
    const { generationId, id } = sent.body.aiMessage;
    await decide(client, generationId!, 'ask_1', true);
    await eventually(async () =>
      expect(await last(client, sent.body.threadId)).toMatchObject({ id, status: 'complete', content: 'Wait. Done.' }),
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
    const { generationId, threadId } = await page.start('twice', { tools: names });
    for (const step of [1, 2]) {
      const undecided = async () => callsIn(await last(client, threadId)).find(({ state }) => state === 'waiting');
      await waitUntil(`step ${step}`, async () => (await undecided())?.args !== undefined);
      await decide(client, generationId, (await undecided())!.callId, true);
      await waitUntil('the run', () => ask.runs.length === step);
    }
    const { message, gaps } = await page.ended(generationId);
    expect([message.content, gaps]).toEqual(['One. Two. End.', 0]);
    expect(ask.runs.map(({ args }) => args)).toEqual([{ step: 1 }, { step: 2 }]);
    await harness.settle();
  });

  it('fails when the tool is no longer available after the approval (TOOL-9)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await waiting({ page, client });
    ask.isAvailable = false;
    await decide(client, generationId, 'ask_1', true);
    const { message } = await page.ended(generationId);
    expect(callsIn(message)).toMatchObject([{ state: 'failed', error: 'This tool is no longer available.' }]);
    expect([message.status, ask.runs.length]).toEqual(['complete', 0]);
    await harness.settle();
  });

  it('fails when the plan of its account no longer has the tool (TOOL-9)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await waiting({ page, client });
    const admin = await harness.admin();
    await admin.patch('/api/admin/general-settings', { maxSteps: { guest: 3, free: 0, premium: 10 } });
    await decide(client, generationId, 'ask_1', true);
    const { message } = await page.ended(generationId);
    await admin.patch('/api/admin/general-settings', { maxSteps: { guest: 3, free: 3, premium: 10 } });
    expect(callsIn(message)).toMatchObject([{ state: 'failed', error: 'This tool is no longer available.' }]);
    expect([message.status, ask.runs.length]).toEqual(['complete', 0]);
    await harness.settle();
  });

  it('ends when its thread is deleted (TOOL-9)', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await waiting({ page, client });
    expect((await client.delete(`/api/chat/threads/${threadId}`)).status).toBe(200);
    expect((await decide(client, generationId, 'ask_1', true)).status).toBe(404);
    expect(ask.runs).toEqual([]);
    await harness.settle();
  });

  it('is in the list of waiting threads, also of an archived one, until it is decided', async () => {
    const { page, client } = await harness.memberPage();
    const listed = async (parameters = '') => {
      const { body, headers } = await client.get<Thread[]>(`/api/chat/threads?state=waiting${parameters}`);
      return { ids: body.map(({ id }) => id), next: headers.get('x-next-cursor') };
    };
    expect(await listed()).toEqual({ ids: [], next: null });
    const first = await waiting({ page, client });
    const second = await waiting({ page, client });
    await client.patch(`/api/chat/threads/${first.threadId}`, { isArchived: true });
    const { ids, next } = await listed('&limit=1');
    expect(ids).toEqual([second.threadId]);
    expect((await listed(`&before=${next}`)).ids).toEqual([first.threadId]);
    expect((await client.get<Thread[]>('/api/chat/threads?state=waiting')).body).toMatchObject([
      { waiting: true, isArchived: false },
      { waiting: true, isArchived: true },
    ]);
    const { client: stranger } = await harness.memberPage();
    expect((await stranger.get<Thread[]>('/api/chat/threads?state=waiting')).body).toEqual([]);
    await page.tryStop(first.generationId);
    harness.upstream.script(textOf('Done.'));
    await decide(client, second.generationId, 'ask_1', true);
    await page.ended(second.generationId);
    expect((await listed()).ids).toEqual([]);
    await harness.settle();
  });

  it('is not counted as work while it waits', async () => {
    const { page, client } = await harness.memberPage();
    const sums = async () => {
      const text = await (await fetch(`${harness.url}/metrics`)).text();
      return ['complete', 'stopped'].map((status) => {
        const [, sum = '0'] =
          new RegExp(`^tanya_answer_seconds_sum\\{status="${status}"\\} (.+)$`, 'm').exec(text) ?? [];
        return Number(sum);
      });
    };
    const before = await sums();
    const [allowed, stopped] = [await waiting({ page, client }), await waiting({ page, client })];
    await harness.dataSource.query(
      `update generation set created_at = created_at - interval '5 hours', waiting_since = waiting_since - interval '5 hours'
       where id = any($1::uuid[])`,
      [[allowed.generationId, stopped.generationId]],
    );
    harness.upstream.script(textOf('Done.'));
    await decide(client, allowed.generationId, 'ask_1', true);
    await page.ended(allowed.generationId);
    await page.tryStop(stopped.generationId);
    await page.ended(stopped.generationId);
    await eventually(async () => {
      const added = (await sums()).map((sum, index) => sum - before[index]!);
      for (const seconds of added) {
        expect(seconds).toBeGreaterThan(0);
        expect(seconds).toBeLessThan(3_600);
      }
    });
    await harness.settle();
  });

  it('resumes and resyncs while it waits and afterwards', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await waiting({ page, client });
    const shown = await last(client, threadId);
    const resumed = dataOf(await page.tryResume(generationId, 0));
    if (resumed.outcome !== 'resumed') throw new Error(resumed.outcome);
    const { seq } = resumed.events.at(-1)!;
    expect(dataOf(await page.tryResume(generationId, seq + 5))).toEqual({ outcome: 'resync', message: shown, seq });
    await decide(client, generationId, 'ask_1', true);
    expect((await page.ended(generationId)).events.map((event) => event.seq)).toContain(seq + 1);
    await harness.settle();
  });

  it('moves with a guest to an account, and ends with the account', async () => {
    await (
      await harness.admin()
    ).patch('/api/admin/general-settings', { maxSteps: { guest: 3, free: 3, premium: 10 } });
    const guest = await harness.guest();
    const guestPage = await harness.page(guest);
    const { generationId, threadId } = await waiting({ page: guestPage, client: guest });
    const username = `adopter-${randomUUID()}`;
    await guest.post('/api/register', { username, password: 'a quiet harbour at dawn' });
    const page = await harness.page(guest);
    expect((await last(guest, threadId))?.status).toBe('waiting');
    expect((await decide(guest, generationId, 'ask_1', true)).status).toBe(200);
    expect((await page.ended(generationId)).message.status).toBe('complete');
    const again = await waiting({ page, client: guest });
    expect((await guest.delete('/api/user', { password: 'a quiet harbour at dawn' })).status).toBe(200);
    const left = await harness.dataSource.query<object[]>('select 1 from generation where id = $1', [
      again.generationId,
    ]);
    expect(left).toEqual([]);
    await harness.settle();
  });

  it('is interrupted when its account is suspended, free of quota', async () => {
    const { page, client, user } = await harness.memberPage();
    const { generationId } = await waiting({ page, client });
    const admin = await harness.admin();
    expect((await admin.patch(`/api/admin/users/${user.id}`, { isSuspended: true })).status).toBe(200);
    const [row] = await harness.dataSource.query<[object]>(
      `select g.status, m.error, u.state, c.state as call from generation g join message m on m.id = g.message_id
        join usage_record u on u.generation_id = g.id join tool_call c on c.generation_id = g.id where g.id = $1`,
      [generationId],
    );
    expect(row).toMatchObject({ status: 'interrupted', state: 'released', call: 'denied' });
    expect((await decide(client, generationId, 'ask_1', true)).status).toBe(403);
    await harness.settle();
  });

  it('is stopped while its result is stored', async () => {
    const { page, client } = await harness.memberPage();
    const { opened, open } = gate();
    ask.answer = async () => (await opened, { text: 'late' });
    const { generationId } = await waiting({ page, client });
    await decide(client, generationId, 'ask_1', true);
    await waitUntil('the run', () => ask.runs.length === 1);
    expect(dataOf(await page.tryStop(generationId))).toEqual({ status: 'stopped' });
    open();
    expect(callsIn((await page.ended(generationId)).message)).toMatchObject([{ state: 'interrupted' }]);
    await harness.settle();
  });
});

describe('a call that is never decided', () => {
  it('is denied after the time for approvals, free of quota', async () => {
    const harness = await startChatHarness({ redis: false, timings: { approval: 300 } });
    const ask = new ScriptedTool('ask_first');
    ask.policy = 'ask';
    registerTools(harness, ask);
    const { page, client } = await harness.memberPage();
    harness.upstream.script(callsOf('Text. ', { id: 'ask_1', name: 'ask_first' }));
    const { generationId } = await page.start('ask me', { tools: ['ask_first'] });
    const { message } = await page.ended(generationId);
    expect(message).toMatchObject({ status: 'interrupted', error: { code: 'interrupted' }, content: 'Text. ' });
    expect(callsIn(message)).toMatchObject([{ state: 'denied' }]);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
    expect([ask.runs.length, harness.upstream.callsOf().length]).toEqual([0, 1]);
    await harness.settle();
    await harness.close();
  });
});
