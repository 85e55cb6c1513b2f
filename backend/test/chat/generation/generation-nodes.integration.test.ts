import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, SendMessageResponse } from '@tanya/contract';
import { Redis } from 'ioredis';
import { GenerationFinalizer, type GenerationResult } from '../../../src/chat/generation/run/generation-finalizer.js';
import { RunRegistry } from '../../../src/chat/generation/run/run-registry.js';
import { GenerationStore } from '../../../src/chat/generation/store/generation-store.js';
import { type ChatHarness, type ChatHarnessOptions, startChatHarness } from '../../harness/chat-harness.js';
import { asAdmin, untilSomebodyWaits } from '../../harness/database-watch.js';
import { HttpClient } from '../../harness/http-client.js';
import { createDatabase, type TestDatabase } from '../../harness/postgres.js';
import { startRedis, type TestRedis } from '../../harness/redis.js';
import { echoText } from '../../harness/scripted-answers.js';
import { type ScriptedUpstream, startUpstream } from '../../harness/scripted-upstream.js';
import { dataOf, refusalOf } from '../../harness/socket-client.js';

const SLOW = '[[words=600 pace=10]]';

/** The same browser, led to another node. */
function at(node: ChatHarness, browser: HttpClient): HttpClient {
  const moved = new HttpClient(node.url, browser.address);
  for (const [name, value] of browser.cookies) moved.cookies.set(name, value);
  return moved;
}

/** The end that another node stores. */
const INTERRUPTED: GenerationResult = {
  status: 'interrupted',
  text: '',
  reasoning: null,
  error: null,
  notice: null,
  finishReason: 'stop',
  promptTokens: null,
  completionTokens: null,
};

describe('two nodes over one database and one Redis', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let upstream: ScriptedUpstream;
  let one: ChatHarness;
  let two: ChatHarness;

  const shared = (): ChatHarnessOptions => ({
    redis: true,
    database,
    sharedRedis: redis,
    sharedUpstream: upstream,
    env: { appSecret: 'one secret of all nodes of this test, long enough' },
  });

  beforeAll(async () => {
    database = await createDatabase();
    redis = await startRedis({ cluster: true });
    upstream = await startUpstream({ words: 20 });
    one = await startChatHarness(shared());
    two = await startChatHarness(shared());
  });

  afterEach(async () => {
    await one.settle();
    await two.settle();
  });

  afterAll(async () => {
    await one.close();
    await two.close();
    await redis.stop();
    await upstream.close();
    await database.drop();
  });

  it('show one answer on both, and resume and stop it from either (F27, F29)', async () => {
    const { page, client } = await one.memberPage();
    const far = await two.page(at(two, client));
    const { generationId } = await page.start(`from one ${SLOW}`);
    await far.firstText(generationId);
    const resumed = dataOf(await far.tryResume(generationId, 0));
    expect(resumed.outcome).toBe('resumed');
    expect(dataOf(await far.tryStop(generationId))).toEqual({ status: 'stopped' });
    const [near, distant] = await Promise.all([page.ended(generationId), far.ended(generationId)]);
    expect(near.message).toMatchObject({ status: 'stopped', content: near.text });
    expect(distant.events).toEqual(near.events);
    expect([near.late, distant.late]).toEqual([0, 0]);
  });

  it('resume from the one what the other has shown and not yet logged (F29)', async () => {
    // Whether it is sure of its answers, a process looks at each flush, and the next is far away.
    const timings = { logFlush: 1_000, nodeDead: 30_000 };
    const writing = await startChatHarness({ ...shared(), timings });
    const asked = await startChatHarness({ ...shared(), timings });
    const { page, client } = await writing.memberPage();
    const far = await asked.page(at(asked, client));
    const { generationId } = await page.start(`ahead ${SLOW}`);
    await far.firstText(generationId);
    expect(dataOf(await far.tryResume(generationId, 0)).outcome).toBe('resumed');
    await far.tryStop(generationId);
    await writing.close();
    await asked.close();
  });

  it.each([0, 50])(
    'miss nothing on a page that opens amid an answer and resumes once, %i ms later (F29)',
    async (pause) => {
      // What is emitted reaches the log much later than such a page.
      const writing = await startChatHarness({ ...shared(), timings: { logFlush: 1_000, nodeDead: 30_000 } });
      const read = async (offset: number) => {
        const { page, client } = await writing.memberPage();
        const { generationId } = await page.start(`amid ${offset} [[words=60 pace=25]]`);
        await page.firstText(generationId);
        // Later than the writer found nobody else to tell.
        await sleep(200 + offset);
        const far = await two.page(at(two, client));
        await sleep(pause);
        const resumed = dataOf(await far.tryResume(generationId, 0));
        if (resumed.outcome !== 'resumed') throw new Error(resumed.outcome);
        const { events: live, closing } = await far.ended(generationId);
        const seen = new Set([...resumed.events, ...live].map(({ seq }) => seq));
        return Array.from({ length: closing!.seq }, (_, index) => index + 1).filter((seq) => !seen.has(seq));
      };
      expect(await Promise.all([0, 100, 230, 410, 600].map(read))).toEqual([[], [], [], [], []]);
      await writing.close();
    },
  );

  it('take one send on both at once as one (F24)', async () => {
    const { page, client } = await one.memberPage();
    const browser = at(two, client);
    const far = await two.page(browser);
    const calls = upstream.callsOf().length;
    const clientMessageId = randomUUID();
    const acks = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? page : far).tryStart('both', { clientMessageId })),
    );
    const started = acks.map(dataOf);
    expect(new Set(started.map(({ generationId }) => generationId)).size).toBe(1);
    const rest = await browser.post<SendMessageResponse>('/api/chat/message', { content: 'both', clientMessageId });
    expect(rest.body.aiMessage).toMatchObject({ id: started[0]!.aiMessage.id, content: echoText('both', 20) });
    expect(upstream.callsOf().length - calls).toBe(1);
  });

  it('let one answer at a time into a thread, whichever is asked (F28)', async () => {
    const { page, client } = await one.memberPage();
    const far = await two.page(at(two, client));
    const { threadId, generationId } = await page.start('root');
    await page.ended(generationId);
    const acks = await Promise.all([
      page.tryStart('near [[pace=10]]', { threadId }),
      far.tryStart('far [[pace=10]]', { threadId }),
    ]);
    expect(acks.map((ack) => (ack.ok ? 'ok' : ack.error.code)).sort()).toEqual(['ok', 'thread_busy']);
  });

  it('regenerate on the one what the other is writing (F30)', async () => {
    const { page, client } = await one.memberPage();
    const far = await two.page(at(two, client));
    const first = await page.start(`slow ${SLOW}`);
    await page.firstText(first.generationId);
    const second = dataOf(await far.tryRegenerate(first.aiMessage.id));
    expect((await far.ended(first.generationId)).message.status).toBe('stopped');
    await far.tryStop(second.generationId);
    await page.ended(second.generationId);
  });

  it('never admit more than the quota on both together (LIM-3)', async () => {
    const admin = await one.admin();
    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 3 });
    await sleep(200);
    const { page, client } = await one.memberPage();
    const far = await two.page(at(two, client));
    const acks = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 ? page : far).tryStart(`race ${index}`)),
    );
    expect(acks.filter(({ ok }) => ok)).toHaveLength(3);
    await admin.patch('/api/admin/general-settings', { freeUserMessageQuota: 100 });
    await sleep(200);
  });

  it('delete a thread on the one while the other writes in it (F31)', async () => {
    const { page, client } = await one.memberPage();
    const far = at(two, client);
    const { generationId, threadId } = await page.start(`doomed ${SLOW}`);
    await page.firstText(generationId);
    expect((await far.delete(`/api/chat/threads/${threadId}`)).status).toBe(200);
    await page.until(() => page.received.includes('thread:deleted'));
    const heard = page.received.length;
    await sleep(200);
    expect(page.received.slice(heard).filter((name) => name === 'generation:event')).toEqual([]);
    expect(await one.dataSource.query('select id from message where thread_id = $1', [threadId])).toEqual([]);
  });

  describe('of which one is dead', () => {
    /** What a process that was killed leaves: its rows, a beat of long ago and some text. */
    async function orphan(page: Awaited<ReturnType<ChatHarness['memberPage']>>): Promise<{
      generationId: string;
      threadId: number;
      messageId: number;
    }> {
      const { generationId, threadId, aiMessage } = await page.page.start('lost [[words=3 stall=2]]');
      await page.page.firstText(generationId);
      await page.page.tryStop(generationId);
      await page.page.ended(generationId);
      const dead = randomUUID();
      const owner = `user:${page.user.id}`;
      await asAdmin(database, async (client) => {
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
        await client.query('update "user" set message_count = message_count - 1 where id = $1', [page.user.id]);
        await client.query(
          `insert into generation_chunk (generation_id, seq, text, reasoning) values ($1, 3, 'what ', ''), ($1, 7, 'survived', '')`,
          [dead],
        );
        await client.query('commit');
      });
      return { generationId: dead, threadId, messageId: aiMessage.id };
    }

    it('end its answers as interrupted with the text that survived, free of charge (F1, F40)', async () => {
      const member = await one.memberPage();
      const lost = await orphan(member);
      const shown = await member.page.ended(lost.generationId);
      expect(shown.closing).toMatchObject({ type: 'error', seq: 8, error: { code: 'interrupted', retryable: true } });
      expect(shown.message).toMatchObject({ id: lost.messageId, status: 'interrupted', content: 'what survived' });
      await one.settle();
      expect((await member.client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
    });

    it('end one at once when it is stopped', async () => {
      const member = await one.memberPage();
      const lost = await orphan(member);
      expect(dataOf(await member.page.tryStop(lost.generationId))).toEqual({ status: 'interrupted' });
      expect((await member.page.ended(lost.generationId)).message.content).toBe('what survived');
    });

    it('make way at once for the next send in its thread', async () => {
      const member = await one.memberPage();
      const lost = await orphan(member);
      const next = await member.page.start('next', { threadId: lost.threadId });
      expect((await member.page.ended(next.generationId)).message.status).toBe('complete');
      const path = (await member.client.get<Message[]>(`/api/chat/threads/${lost.threadId}/messages`)).body;
      expect(path.map(({ status }) => status)).toEqual(['complete', 'interrupted', 'complete', 'complete']);
    });
  });

  it('fence one that was taken for dead and wakes up: one end, and its own is not heard (F1, I10)', async () => {
    const sleepy = await startChatHarness({ ...shared(), timings: { nodeBeat: 3_600_000, nodeSweep: 3_600_000 } });
    try {
      const { page, client } = await sleepy.memberPage();
      const { generationId, threadId } = await page.start(`sleepy ${SLOW}`);
      await page.firstText(generationId);
      const shown = await page.ended(generationId);
      expect(shown.closing).toMatchObject({ type: 'error', error: { code: 'interrupted' } });
      const closed = upstream.callsOf().at(-1)!;
      await closed.closed;
      await sleep(300);
      const endings = shown.events.filter(({ type }) => type === 'error' || type === 'end');
      expect(endings).toHaveLength(1);
      const stored = (await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.at(-1);
      expect(stored).toEqual(shown.message);
      expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
    } finally {
      await sleepy.close();
    }
  });

  it('say nothing more of an answer that others ended while they stood still (F43, I10)', async () => {
    const { page } = await one.memberPage();
    const { generationId } = await page.start(`dozing ${SLOW}`);
    const shown = await page.firstText(generationId);
    const registry = one.app.get(RunRegistry);
    const run = registry.find(generationId)!;
    await two.app.get(GenerationFinalizer).finalize(generationId, INTERRUPTED, run.seq);
    const lastSeq = run.seq + 1;
    for (const wake = performance.now() + 700; performance.now() < wake;);
    while (registry.find(generationId) !== undefined) await sleep(20);
    await sleep(100);
    expect(shown.lastSeq).toBeLessThanOrEqual(lastSeq);
    expect(shown.gaps).toBe(0);
  });

  it('keep no text of an answer that ends while a piece of it is being stored (I3)', async () => {
    const { page } = await one.memberPage();
    const store = one.app.get(GenerationStore);
    const { generationId } = await page.start(`stored late ${SLOW}`);
    await page.firstText(generationId);
    await asAdmin(database, async (storing) => {
      await storing.query('begin');
      await storing.query(`select from generation where id = $1 and status = 'streaming' for share`, [generationId]);
      const stopped = page.tryStop(generationId);
      await untilSomebodyWaits(database);
      await storing.query(
        `insert into generation_chunk (generation_id, seq, text, reasoning) values ($1, 1000000, 'late', '')`,
        [generationId],
      );
      await storing.query('commit');
      expect(dataOf(await stopped)).toEqual({ status: 'stopped' });
    });
    expect(await store.checkpoint(generationId)).toMatchObject({ seq: 0 });
  });

  it('store no piece of an answer whose end was on its way (I3)', async () => {
    const { page } = await one.memberPage();
    const store = one.app.get(GenerationStore);
    const { generationId } = await page.start('ended before');
    await page.ended(generationId);
    await asAdmin(database, async (ending) => {
      // As if the end were being stored only now.
      await ending.query(`update generation set status = 'streaming' where id = $1`, [generationId]);
      await ending.query('begin');
      await ending.query(`update generation set status = 'complete' where id = $1`, [generationId]);
      const stored = store.saveChunks([{ generationId, seq: 1_000_000, text: 'late', reasoning: '' }]);
      await untilSomebodyWaits(database);
      await ending.query('commit');
      await stored;
    });
    expect(await store.checkpoint(generationId)).toMatchObject({ seq: 0 });
  });

  it('stop cleanly: short answers end, long ones are interrupted, nothing is left behind (F39)', async () => {
    const leaving = await startChatHarness(shared());
    const [short, long] = [await leaving.memberPage(), await leaving.memberPage()];
    const brief = await short.page.start('brief [[words=10 pace=10]]');
    const tale = await long.page.start(`tale ${SLOW}`);
    await long.page.firstText(tale.generationId);
    const watching = await two.page(at(two, long.client));
    const waiting = short.client.post<SendMessageResponse>('/api/chat/message', {
      content: 'rest [[words=10 pace=10]]',
    });
    await short.page.until(() => short.page.answers.size > 1);
    await leaving.app.close();
    expect((await waiting).body.aiMessage).toMatchObject({ status: 'complete' });
    const ended = await watching.ended(tale.generationId);
    expect(ended.message).toMatchObject({
      status: 'interrupted',
      content: expect.stringMatching(/^You said/) as string,
    });
    const after = at(two, short.client);
    const path = (await after.get<Message[]>(`/api/chat/threads/${brief.threadId}/messages`)).body;
    expect(path.at(-1)).toMatchObject({ status: 'complete', content: echoText('brief [[words=10 pace=10]]', 10) });
    expect((await at(two, long.client).get('/api/user/quota')).body).toMatchObject({ used: 0 });
    const nodes = await one.dataSource.query<unknown[]>(`select 1 from node where beat_at > now() - interval '10 s'`);
    expect(nodes).toHaveLength(2);
  });

  it('do not wait for connections that were opened and never asked for anything', async () => {
    const leaving = await startChatHarness(shared());
    const silent = createConnection(Number(new URL(leaving.url).port), '127.0.0.1');
    await once(silent, 'connect');
    const closed = once(silent, 'close');
    await leaving.client().get('/api/models');
    await leaving.app.close();
    await closed;
  });

  it('admit nothing while they stop', async () => {
    const leaving = await startChatHarness(shared());
    const { page, client } = await leaving.memberPage();
    const { generationId } = await page.start('last [[words=30 pace=10]]');
    await page.firstText(generationId);
    const closing = leaving.app.close();
    await sleep(50);
    expect(refusalOf(await page.tryStart('too late'))).toMatchObject({ code: 'shutting_down', statusCode: 503 });
    expect(dataOf(await page.tryResume(generationId, 0)).outcome).toBe('resumed');
    await closing;
    expect((await at(two, client).get('/api/user/quota')).body).toMatchObject({ max: 100 });
  });

  it('have asked Redis for nothing that lies in two slots of a cluster', async () => {
    const client = new Redis(redis.url);
    const refusals = await client.info('errorstats');
    client.disconnect();
    expect(refusals).not.toContain('CROSSSLOT');
  });
});
