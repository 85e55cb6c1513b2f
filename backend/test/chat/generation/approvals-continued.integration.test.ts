import { GENERATION_LOG, type GenerationLog } from '../../../src/chat/generation/log/generation-log.js';
import { RunRegistry } from '../../../src/chat/generation/live/run-registry.js';
import { ApprovalStore } from '../../../src/chat/generation/approvals/approval-store.js';
import { GenerationStore } from '../../../src/chat/generation/store/generation-store.js';
import { ThreadRuns } from '../../../src/chat/generation/thread-runs.js';
import { AppError } from '../../../src/platform/errors/app-error.js';
import { ToolRegistry } from '../../../src/tools/tool-registry.js';
import {
  type ApprovalsHarness,
  callsIn,
  decide,
  lastMessage,
  startApprovalsHarness,
  TOOLS,
} from '../approvals-harness.js';
import { ADAPTERS, FAST_TIMINGS } from '../../harness/chat-harness.js';
import { errorOf } from '../../harness/http-client.js';
import { eventually, waitUntil } from '../../harness/wait-until.js';
import { callsOf, textOf } from '../scripted-tools.js';

/** Changes a saved run to the form in which the first version with approvals stored it. */
const TO_FIRST_FORM = `update generation set suspension = (
    suspension::jsonb - 'isBudgeted' - 'isSearchOffered' - 'lacksTitle' - 'isTemporary' - 'projectId' - 'citations' - 'attempts'
    || jsonb_build_object('isFirst', false, 'connection', 'scripted', 'notices', jsonb_build_array(), 'seq', last_seq)
  )::text where id = $1`;

describe.each(ADAPTERS)('an answer that goes on after a decision, %s', (_name, redis) => {
  let harness: ApprovalsHarness;

  beforeAll(async () => {
    harness = await startApprovalsHarness({ redis, timings: { ...FAST_TIMINGS, nodeDead: 2_000 } });
  });

  beforeEach(() => harness.reset());

  afterEach(() => jest.restoreAllMocks());

  afterAll(() => harness.close());

  it('was saved by the first version that had approvals', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client }, 2);
    await harness.dataSource.query(TO_FIRST_FORM, [generationId]);
    harness.upstream.script(textOf('That is all.'));
    await decide(client, generationId, 'ask_1', false);
    expect((await decide(client, generationId, 'ask_2', true)).body).toEqual({ status: 'streaming' });
    const { message, gaps } = await page.ended(generationId);
    expect([message.status, message.content, gaps]).toEqual(['complete', 'Let me see. That is all.', 0]);
    expect(callsIn(message).map(({ state }) => state)).toEqual(['denied', 'done']);
    expect(harness.ask.runs).toHaveLength(1);
    await harness.settle();
  });

  it('is interrupted when its run could not start after the last decision, and no call has run', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await harness.waiting({ page, client });
    jest.spyOn(harness.app.get(ThreadRuns), 'continueRun').mockRejectedValueOnce(new Error('killed'));
    expect((await decide(client, generationId, 'ask_1', true)).status).toBe(500);
    expect(harness.app.get(RunRegistry).ids).toEqual([]);
    await eventually(async () => expect((await lastMessage(client, threadId))?.status).toBe('interrupted'));
    const { message } = await page.ended(generationId);
    expect(callsIn(message)).toMatchObject([{ state: 'interrupted' }]);
    expect((await decide(client, generationId, 'ask_1', true)).body).toEqual({ status: 'interrupted' });
    expect([harness.ask.runs.length, harness.upstream.callsOf().length]).toEqual([0, 1]);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
    await harness.settle();
  });

  it('goes on once when the last decision is repeated, because its commit was not confirmed', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client });
    const store = harness.app.get(ApprovalStore);
    const commit = store.decide.bind(store);
    jest.spyOn(store, 'decide').mockImplementationOnce(async (...decision) => {
      await commit(...decision);
      throw new AppError('storage_unavailable');
    });
    harness.upstream.script(textOf('Done.'));
    expect((await decide(client, generationId, 'ask_1', true)).status).toBe(503);
    const again = await Promise.all([1, 2, 3].map(() => decide(client, generationId, 'ask_1', true)));
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { message } = await page.ended(generationId);
    expect([message.status, message.content]).toEqual(['complete', 'Let me see. Done.']);
    expect([harness.ask.runs.length, harness.upstream.callsOf().length]).toEqual([1, 2]);
    await harness.settle();
  });

  it('is left to the reaper when the last decision is repeated after its run has died', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client });
    const store = harness.app.get(ApprovalStore);
    const commit = store.decide.bind(store);
    jest.spyOn(store, 'decide').mockImplementationOnce(async (...decision) => {
      await commit(...decision);
      await harness.dataSource.query(
        `insert into generation_chunk (generation_id, seq, text, reasoning)
         select id, last_seq + 1, 'More', '' from generation where id = $1`,
        [generationId],
      );
      throw new AppError('storage_unavailable');
    });
    expect((await decide(client, generationId, 'ask_1', true)).status).toBe(503);
    expect((await decide(client, generationId, 'ask_1', true)).body).toEqual({ status: 'streaming' });
    expect((await page.ended(generationId)).message).toMatchObject({
      status: 'interrupted',
      content: 'Let me see. More',
    });
    expect([harness.ask.runs.length, harness.upstream.callsOf().length]).toEqual([0, 1]);
    await harness.settle();
  });

  it('is announced on all pages when its temporary chat was kept before it waited', async () => {
    const { page, client } = await harness.memberPage();
    const other = await harness.page(client);
    const release = harness.upstream.hold(callsOf('', { id: 'ask_1', name: 'ask_first' }));
    const { generationId, threadId } = await page.start('ask me', { tools: TOOLS, temporary: true });
    await client.patch(`/api/chat/threads/${threadId}`, { temporary: false });
    await other.until(() => other.received.includes('thread:changed'));
    other.received.length = 0;
    release();
    await other.until(() => other.received.includes('thread:changed'));
    harness.upstream.script(textOf('Done.'));
    await decide(client, generationId, 'ask_1', true);
    expect((await page.ended(generationId)).message.status).toBe('complete');
    await harness.settle();
  });

  it('goes on after Postgres was away behind the last decision', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client });
    const away = () => new AppError('storage_unavailable');
    jest.spyOn(harness.app.get(GenerationStore), 'checkpoint').mockRejectedValueOnce(away());
    jest.spyOn(harness.app.get(ToolRegistry), 'usable').mockRejectedValueOnce(away());
    harness.upstream.script(textOf('Done.'));
    expect((await decide(client, generationId, 'ask_1', true)).body).toEqual({ status: 'streaming' });
    const { message } = await page.ended(generationId);
    expect([message.status, message.content]).toEqual(['complete', 'Let me see. Done.']);
    expect(harness.ask.runs).toHaveLength(1);
    await harness.settle();
  });

  it('goes on while the log is away', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId, threadId } = await harness.waiting({ page, client });
    const log = harness.app.get<GenerationLog>(GENERATION_LOG);
    jest.spyOn(log, 'append').mockRejectedValueOnce(new Error('unavailable'));
    harness.upstream.script(textOf('Done.'));
    expect((await decide(client, generationId, 'ask_1', true)).status).toBe(200);
    await waitUntil('the end', async () => (await lastMessage(client, threadId))?.status === 'complete');
    expect(await lastMessage(client, threadId)).toMatchObject({ content: 'Let me see. Done.' });
    await harness.settle();
  });

  it('fails allowed calls whose tool has gone, beside a denied one', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client }, 3);
    for (const [callId, allow] of [
      ['ask_1', true],
      ['ask_2', false],
    ] as const)
      await decide(client, generationId, callId, allow);
    harness.ask.isAvailable = false;
    await decide(client, generationId, 'ask_3', true);
    const { message } = await page.ended(generationId);
    expect(callsIn(message).map(({ state }) => state)).toEqual(['failed', 'denied', 'failed']);
    expect([message.status, harness.ask.runs.length]).toEqual(['complete', 0]);
    await harness.settle();
  });

  it('refuses every decision once the time for it is over', async () => {
    const { page, client } = await harness.memberPage();
    const { generationId } = await harness.waiting({ page, client }, 2);
    await decide(client, generationId, 'ask_1', true);
    await harness.dataSource.query(`update generation set waiting_since = now() - interval '25 hours' where id = $1`, [
      generationId,
    ]);
    const { message } = await page.ended(generationId);
    expect(message).toMatchObject({ status: 'interrupted', error: { code: 'interrupted' } });
    expect(callsIn(message).map(({ state }) => state)).toEqual(['denied', 'denied']);
    for (const callId of ['ask_1', 'ask_2']) {
      const late = await decide(client, generationId, callId, true);
      expect([late.status, errorOf(late).code]).toEqual([409, 'conflict']);
      expect((await decide(client, generationId, callId, false)).body).toEqual({ status: 'interrupted' });
    }
    expect(harness.ask.runs).toEqual([]);
    await harness.settle();
  });
});
