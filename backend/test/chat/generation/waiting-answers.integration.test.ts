import { randomUUID } from 'node:crypto';
import type { Thread } from '@tanya/contract';
import { ApprovalStore } from '../../../src/chat/generation/approvals/approval-store.js';
import { GENERATION_LOG, type GenerationLog } from '../../../src/chat/generation/log/generation-log.js';
import { OrphanReaper } from '../../../src/chat/nodes/orphan-reaper.js';
import {
  type ApprovalsHarness,
  callsIn,
  decide,
  lastMessage,
  startApprovalsHarness,
  TOOLS,
} from '../approvals-harness.js';
import { ADAPTERS } from '../../harness/chat-harness.js';
import { dataOf, refusalOf } from '../../harness/socket-client.js';
import { eventually, waitUntil } from '../../harness/wait-until.js';
import { callsOf, textOf } from '../scripted-tools.js';

describe.each(ADAPTERS)('an answer that waits for approval, %s', (_name, redis) => {
  let harness: ApprovalsHarness;

  beforeAll(async () => {
    harness = await startApprovalsHarness({ redis });
  });

  beforeEach(() => harness.reset());

  afterAll(() => harness.close());

  it('shows each decision on all pages and after a reload while other calls wait', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await harness.waiting({ page, client }, 3);
    const second = await harness.page(client);
    const shown = async () => callsIn(await lastMessage(client, threadId));
    const live = () => callsIn(page.answer(generationId));
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
    expect(harness.ask.runs.map(({ args }) => args)).toEqual([{ index: 0 }, { index: 2 }]);
    await harness.settle();
  });

  it('shows the decisions after the log has lost them', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await harness.waiting({ page, client }, 2);
    const log = harness.app.get<GenerationLog>(GENERATION_LOG);
    const { append } = log;
    log.append = () => Promise.reject(new Error('unavailable'));
    await decide(client, generationId, 'ask_1', true);
    log.append = append;
    const resumed = dataOf(await page.tryResume(generationId, 0));
    expect(resumed).toMatchObject({ outcome: 'resync', message: await lastMessage(client, threadId) });
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
    const started = await page.start('words '.repeat(1_000), { model: modelId, tools: TOOLS });
    const { generationId, threadId } = started;
    await waitUntil('the waiting answer', async () => (await lastMessage(client, threadId))?.status === 'waiting');
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

  it('keeps the thread busy until it is stopped, which denies the call', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await harness.waiting({ page, client });
    expect(refusalOf(await page.tryStart('more', { threadId })).code).toBe('thread_busy');
    const [first, second] = await Promise.all([page.tryStop(generationId), page.tryStop(generationId)]);
    expect([dataOf(first), dataOf(second)]).toEqual([{ status: 'stopped' }, { status: 'stopped' }]);
    const { message } = await page.ended(generationId);
    expect(message).toMatchObject({ status: 'stopped', content: 'Let me see. ' });
    expect(callsIn(message)).toMatchObject([{ state: 'denied' }]);
    expect((await decide(client, generationId, 'ask_1', false)).body).toEqual({ status: 'stopped' });
    expect((await decide(client, generationId, 'ask_1', true)).status).toBe(409);
    expect([harness.ask.runs.length, harness.upstream.callsOf().length]).toEqual([0, 1]);
    harness.upstream.script(textOf('Next.'));
    const next = await page.start('more', { threadId });
    expect((await page.ended(next.generationId)).message.status).toBe('complete');
    await harness.settle();
  });

  it('is in the list of waiting threads, also of an archived one, until it is decided', async () => {
    const { page, client } = await harness.memberPage();
    const listed = async (parameters = '') => {
      const { body, headers } = await client.get<Thread[]>(`/api/chat/threads?state=waiting${parameters}`);
      return { ids: body.map(({ id }) => id), next: headers.get('x-next-cursor') };
    };
    expect(await listed()).toEqual({ ids: [], next: null });
    const first = await harness.waiting({ page, client });
    const second = await harness.waiting({ page, client });
    await client.patch(`/api/chat/threads/${first.threadId}`, { isArchived: true });
    const { ids, next } = await listed('&limit=1');
    expect(ids).toEqual([second.threadId]);
    expect((await listed(`&before=${next}`)).ids).toEqual([first.threadId]);
    expect((await client.get<Thread[]>('/api/chat/threads?state=waiting')).body).toMatchObject([
      { waiting: true, isArchived: false },
      { waiting: true, isArchived: true },
    ]);
    await client.patch(`/api/chat/threads/${first.threadId}`, { title: 'Harbour' });
    expect((await listed('&query=harbour')).ids).toEqual([first.threadId]);
    expect((await listed('&query=nowhere')).ids).toEqual([]);
    const { client: stranger } = await harness.memberPage();
    expect((await stranger.get<Thread[]>('/api/chat/threads?state=waiting')).body).toEqual([]);
    expect((await stranger.get<Thread[]>('/api/chat/threads?state=waiting&query=harbour')).body).toEqual([]);
    await page.tryStop(first.generationId);
    harness.upstream.script(textOf('Done.'));
    await decide(client, second.generationId, 'ask_1', true);
    await page.ended(second.generationId);
    expect((await listed()).ids).toEqual([]);
    await harness.settle();
  });

  it('goes on by a repeated decision when the commit of the last one was not confirmed, however old it is', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client });
    await harness.dataSource.query(`update generation set created_at = now() - interval '5 hours' where id = $1`, [
      generationId,
    ]);
    const approvals = harness.app.get(ApprovalStore);
    const decideThere = approvals.decide.bind(approvals);
    jest.spyOn(approvals, 'decide').mockImplementationOnce(async (...decision) => {
      await decideThere(...decision);
      throw new Error('the connection broke at the commit');
    });
    expect((await decide(client, generationId, 'ask_1', true)).status).toBe(500);
    const reaper = harness.app.get(OrphanReaper);
    Object.assign(reaper, { healthySince: 0 });
    await reaper['reap']();
    harness.upstream.script(textOf('Done.'));
    expect((await decide(client, generationId, 'ask_1', true)).body).toEqual({ status: 'streaming' });
    expect((await page.ended(generationId)).message.status).toBe('complete');
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
    const [allowed, stopped] = [await harness.waiting({ page, client }), await harness.waiting({ page, client })];
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

  it('resyncs with the number of its text when it begins to wait meanwhile', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await harness.waiting({ page, client });
    const shown = await lastMessage(client, threadId);
    const { lastSeq } = page.answer(generationId);
    jest.spyOn(harness.app.get<GenerationLog>(GENERATION_LOG), 'readAfter').mockRejectedValueOnce(new Error('away'));
    jest.spyOn(harness.app.get(ApprovalStore), 'lastSeq').mockResolvedValueOnce(0);
    const resync = { outcome: 'resync', message: shown, seq: lastSeq };
    expect(dataOf(await page.tryResume(generationId, 0))).toEqual(resync);
    await page.tryStop(generationId);
    await harness.settle();
  });

  it('resumes and resyncs while it waits and afterwards', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await harness.waiting({ page, client });
    const shown = await lastMessage(client, threadId);
    const resumed = dataOf(await page.tryResume(generationId, 0));
    if (resumed.outcome !== 'resumed') throw new Error(resumed.outcome);
    const { seq } = resumed.events.at(-1)!;
    expect(dataOf(await page.tryResume(generationId, seq + 5))).toEqual({ outcome: 'resync', message: shown, seq });
    await decide(client, generationId, 'ask_1', true);
    expect((await page.ended(generationId)).events.map((event) => event.seq)).toContain(seq + 1);
    await harness.settle();
  });
});
