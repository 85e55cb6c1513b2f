import { randomUUID } from 'node:crypto';
import type { AdminModel, Message } from '@tanya/contract';
import { GenerationFinalizer } from '../../../src/chat/generation/end/generation-finalizer.js';
import type { GenerationEnd } from '../../../src/chat/generation/end/generation-end.js';
import { RunRegistry } from '../../../src/chat/generation/live/run-registry.js';
import { UNKNOWN_USAGE } from '../../../src/quota/cost.js';
import { type ChatHarness, FAST_TIMINGS, type MemberPage, startChatHarness } from '../../harness/chat-harness.js';
import { withConnection } from '../../harness/lock-waits.js';
import { createDatabase, type TestDatabase } from '../../harness/postgres.js';
import { dataOf } from '../../harness/socket-client.js';
import { waitUntil } from '../../harness/wait-until.js';
import { ENDLESS, startTwoNodes, type TwoNodes } from './two-nodes.js';

const HOUR_MS = 3_600_000;

describe('an orphan of a dead node', () => {
  let database: TestDatabase;
  let one: ChatHarness;

  beforeAll(async () => {
    database = await createDatabase();
    // One live node, which never reaps its own runs: a stall of this process cannot make it look dead.
    one = await startChatHarness({ redis: true, database, timings: { ...FAST_TIMINGS, nodeDead: 1_000 } });
  });

  afterEach(() => one.settle());

  afterAll(async () => {
    await one.close();
    await database.drop();
  });

  /** Inserts the rows of a killed node: a running generation, an old heartbeat and checkpointed text. */
  async function insertOrphan({ page, user }: MemberPage): Promise<{
    generationId: string;
    threadId: number;
    messageId: number;
  }> {
    const { generationId, threadId, aiMessage } = await page.start('lost [[words=3 stall=2]]');
    await page.firstText(generationId);
    await page.tryStop(generationId);
    await page.ended(generationId);
    const dead = randomUUID();
    const owner = `user:${user.id}`;
    await withConnection(database, async (client) => {
      await client.query(`insert into node (id, hostname, beat_at) values ($1, 'gone', now() - interval '1 hour')`, [
        dead,
      ]);
      await client.query('begin');
      await client.query(
        `update generation set status = 'streaming', node_id = $2, finished_at = null, id = $3 where id = $1`,
        [generationId, dead, dead],
      );
      await client.query(`update message set status = 'streaming', content = '', generation_id = $2 where id = $1`, [
        aiMessage.id,
        dead,
      ]);
      await client.query(`update usage_record set state = 'held', generation_id = $2 where generation_id = $1`, [
        generationId,
        dead,
      ]);
      await client.query(
        `update quota_account set held = 1, charged = charged - 1, version = version + 1 where owner = $1`,
        [owner],
      );
      await client.query('update "user" set message_count = message_count - 1 where id = $1', [user.id]);
      await client.query(
        `insert into generation_chunk (generation_id, seq, text, reasoning) values ($1, 3, 'what ', ''), ($1, 7, 'survived', '')`,
        [dead],
      );
      await client.query('commit');
    });
    return { generationId: dead, threadId, messageId: aiMessage.id };
  }

  it('is reaped as interrupted with its surviving text, free of charge (F1, F40)', async () => {
    const member = await one.memberPage();
    const lost = await insertOrphan(member);
    const shown = await member.page.ended(lost.generationId);
    expect(shown.closing).toMatchObject({ type: 'error', seq: 8, error: { code: 'interrupted', retryable: true } });
    expect(shown.message).toMatchObject({ id: lost.messageId, status: 'interrupted', content: 'what survived' });
    await one.settle();
    expect((await member.client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
    const metrics = await (await fetch(`${one.url}/metrics`)).text();
    expect(metrics).toMatch(/^tanya_answer_seconds_count\{status="interrupted"\} 1$/m);
  });

  it('has an estimated cost, because its provider may bill it', async () => {
    const admin = await one.admin();
    const { body: models } = await admin.get<AdminModel[]>('/api/admin/models');
    const path = `/api/admin/models/${models.find(({ isDefault }) => isDefault)!.id}`;
    await admin.patch(path, { pricing: { prompt: '0.001', completion: '1' } });
    const member = await one.memberPage();
    const lost = await insertOrphan(member);
    await member.page.ended(lost.generationId);
    await admin.patch(path, { pricing: null });
    const [record] = await one.dataSource.query<[{ cost_usd: string; prompt_tokens: number }]>(
      'select cost_usd, cost_source, prompt_tokens, completion_tokens from usage_record where generation_id = $1',
      [lost.generationId],
    );
    // `what survived` is five tokens by the estimate; the prompt holds the system prompt and the question.
    expect(record).toMatchObject({ cost_source: 'estimate', completion_tokens: 5 });
    expect(record.prompt_tokens).toBeGreaterThan(10);
    expect(Number(record.cost_usd)).toBeCloseTo(5 + record.prompt_tokens / 1000, 9);
  });

  it('is finalized at once by a stop', async () => {
    const member = await one.memberPage();
    const lost = await insertOrphan(member);
    expect(dataOf(await member.page.tryStop(lost.generationId))).toEqual({ status: 'interrupted' });
    expect((await member.page.ended(lost.generationId)).message.content).toBe('what survived');
  });

  it('is finalized at once by the next send in its thread', async () => {
    const member = await one.memberPage();
    const lost = await insertOrphan(member);
    const next = await member.page.start('next', { threadId: lost.threadId });
    expect((await member.page.ended(next.generationId)).message.status).toBe('complete');
    const path = (await member.client.get<Message[]>(`/api/chat/threads/${lost.threadId}/messages`)).body;
    expect(path.map(({ status }) => status)).toEqual(['complete', 'interrupted', 'complete', 'complete']);
  });
});

describe('a node that others take for dead', () => {
  let nodes: TwoNodes;

  beforeAll(async () => {
    nodes = await startTwoNodes(FAST_TIMINGS);
  });

  afterEach(() => nodes.settle());

  afterAll(() => nodes.close());

  const setHeartbeat = (beatAt: string, nodeId: string) =>
    nodes.one.dataSource.query(`update node set beat_at = ${beatAt} where id = $1`, [nodeId]);

  it('is fenced: its answer has one end, which another node stores (F1, I10)', async () => {
    // This node reaps orphans and runs no answers, so a stall of this process does no harm.
    const reaping = await nodes.startNode({ nodeDead: 1_000 });
    const writing = await nodes.startNode({ nodeBeat: HOUR_MS, nodeDead: HOUR_MS });
    // A heartbeat in the future keeps the node alive until the answer runs.
    await nodes.one.dataSource.query(`update node set beat_at = now() + interval '1 hour'`);
    const { page, client } = await writing.memberPage();
    // The answer ends after 25 s at the latest: a flush between the reaper's read and its end can keep the log open.
    const { generationId, threadId } = await page.start('fenced [[words=2500 pace=10]]');
    await page.firstText(generationId);
    const [{ node_id: nodeId }] = await nodes.one.dataSource.query<[{ node_id: string }]>(
      'select node_id from generation where id = $1',
      [generationId],
    );
    await setHeartbeat(`now() - interval '1 hour'`, nodeId);
    const shown = await page.ended(generationId);
    expect(shown.closing).toMatchObject({ type: 'error', error: { code: 'interrupted' } });
    await nodes.upstream.callsOf().at(-1)!.closed;
    await waitUntil('the end of the run', () => writing.app.get(RunRegistry).find(generationId) === undefined);
    expect(shown.events.filter(({ type }) => type === 'error' || type === 'end')).toHaveLength(1);
    const stored = (await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.at(-1);
    expect(stored).toEqual(shown.message);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
    await writing.close();
    await reaping.close();
  });

  it('emits nothing more of an answer that was finalized while its event loop stalled (F43, I10)', async () => {
    const stalled = await nodes.startNode({ nodeDead: 4_000 });
    const { page } = await stalled.memberPage();
    const { generationId } = await page.start(`stalled ${ENDLESS}`);
    const shown = await page.firstText(generationId);
    const registry = stalled.app.get(RunRegistry);
    const run = registry.find(generationId)!;
    await nodes.two.app.get(GenerationFinalizer).finalize(generationId, INTERRUPTED, run.seq);
    // The finalizer emits the end after the last event of the run.
    const lastSeq = run.seq + 1;
    // Blocks the event loop for longer than half of nodeDead, after which ownership is unverified.
    for (const wake = performance.now() + 2_200; performance.now() < wake;);
    await waitUntil('the end of the run', () => registry.find(generationId) === undefined);
    expect(shown.lastSeq).toBeLessThanOrEqual(lastSeq);
    expect(shown.gaps).toBe(0);
    await stalled.close();
  });
});

/** The result that another node stores for an orphan. */
const INTERRUPTED: GenerationEnd = {
  status: 'interrupted',
  text: '',
  reasoning: null,
  parts: [],
  error: null,
  notices: [],
  usage: UNKNOWN_USAGE,
};
