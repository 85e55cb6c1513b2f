import { randomUUID } from 'node:crypto';
import { OrphanReaper } from '../../../src/chat/nodes/orphan-reaper.js';
import type { TracingEnv } from '../../../src/config/tracing-env.js';
import { Tracing } from '../../../src/platform/observability/tracing.js';
import { callsOf, registerTools, ScriptedTool, textOf } from '../../chat/scripted-tools.js';
import { at, ENDLESS } from '../../chat/nodes/two-nodes.js';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { dataOf } from '../../harness/socket-client.js';
import { createDatabase, type TestDatabase } from '../../harness/postgres.js';
import { startRedis, type TestRedis } from '../../harness/redis.js';
import { eventually, waitUntil } from '../../harness/wait-until.js';
import { MODEL } from '../../public-api/public-api-harness.js';
import { type CollectedSpan, type Collector, startCollector } from './collector.js';

const tracingTo = (collector: Collector, fields: Partial<TracingEnv> = {}): TracingEnv => ({
  url: `${collector.url}/v1/traces`,
  headers: {},
  serviceName: 'tanya',
  sampler: 'parentbased_always_on',
  ratio: 1,
  ...fields,
});

const TIMINGS = { traceExport: 100 };

const traceIdOf = (generationId: string): string => generationId.replaceAll('-', '');

describe('tracing of two nodes', () => {
  let collector: Collector;
  let database: TestDatabase;
  let redis: TestRedis;
  let one: ChatHarness;
  let two: ChatHarness;

  beforeAll(async () => {
    collector = await startCollector();
    database = await createDatabase();
    redis = await startRedis();
    const env = {
      tracing: tracingTo(collector, { headers: { authorization: 'Bearer of the collector' } }),
      appSecret: 'one secret of all nodes of this test, long enough',
    };
    const start = (sharedUpstream?: ChatHarness['upstream']) =>
      startChatHarness({ redis: true, database, sharedRedis: redis, sharedUpstream, env, timings: TIMINGS });
    one = await start();
    two = await start(one.upstream);
    for (const node of [one, two]) {
      const tool = new ScriptedTool('ask_first', () => ({ text: 'a result with private text' }));
      tool.policy = 'ask';
      registerTools(node, tool);
    }
  });

  afterAll(async () => {
    await two.close();
    await one.close();
    await redis.stop();
    await database.drop();
    await collector.close();
  });

  const spansOf = (generationId: string): CollectedSpan[] =>
    collector.spans.filter(({ traceId }) => traceId === traceIdOf(generationId));

  /** Waits for the spans of a generation's trace, among them those with the names. */
  async function traceOf(generationId: string, ...names: string[]): Promise<Map<string, CollectedSpan>> {
    await waitUntil(`the spans ${names.join(', ')}`, () => {
      const received = spansOf(generationId).map(({ name }) => name);
      return names.every((name) => received.includes(name));
    });
    return new Map(spansOf(generationId).map((span) => [span.name, span]));
  }

  async function generationIn(threadId: number): Promise<string> {
    const [row] = await one.dataSource.query<{ id: string }[]>(`select id from generation where thread_id = $1`, [
      threadId,
    ]);
    return row!.id;
  }

  it('exports one connected trace from a send over the socket to its stored end', async () => {
    const { page } = await one.memberPage();
    const { generationId } = await page.start('the lighthouse keeper');
    await page.ended(generationId);
    const spans = await traceOf(generationId, 'socket generation:start', 'generation', 'finalize', 'redis evalsha');
    const ids = new Set(spansOf(generationId).map(({ spanId }) => spanId));
    const roots = spansOf(generationId).filter(({ parentSpanId }) => !parentSpanId);
    expect(roots.map(({ name }) => name)).toEqual(['socket generation:start']);
    expect(spansOf(generationId).filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([]);
    const parentOf = (name: string) => {
      const parent = spansOf(generationId).find(({ spanId }) => spanId === spans.get(name)!.parentSpanId);
      return parent?.name;
    };
    expect(parentOf('admission')).toBe('socket generation:start');
    expect(parentOf('generation')).toBe('socket generation:start');
    expect(parentOf('provider request')).toBe('generation');
    expect(parentOf('finalize')).toBe('generation');
    expect(spans.get('provider request')!.events).toEqual(['first token']);
    expect(spans.get('generation')!.attributes).toMatchObject({
      'tanya.generation.id': generationId,
      'tanya.generation.status': 'complete',
    });
    const storage = spansOf(generationId).filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
    const parents = storage.map(
      ({ parentSpanId }) => spansOf(generationId).find((s) => s.spanId === parentSpanId)!.name,
    );
    expect(parents).toEqual(expect.arrayContaining(['admission', 'finalize']));
  });

  it('keeps the spans of concurrent sends over the socket and REST apart', async () => {
    const bySocket = async (): Promise<string> => {
      const { page } = await one.memberPage();
      const { generationId } = await page.start('a letter beside others');
      await page.ended(generationId);
      return generationId;
    };
    const byRest = async (): Promise<string> => {
      const { client } = await one.member();
      const { body } = await client.post<{ threadId: number }>('/api/chat/message', {
        content: 'a letter beside others',
      });
      return generationIn(body.threadId);
    };
    const ids = await Promise.all([bySocket, byRest, bySocket, byRest, bySocket, byRest].map((send) => send()));
    for (const id of ids) await traceOf(id, 'admission', 'generation', 'finalize');
    await waitUntil('the root of each trace', () =>
      ids.every((id) => spansOf(id).some(({ parentSpanId }) => !parentSpanId)),
    );
    const statements = ids.map((id) => {
      const spans = spansOf(id);
      expect(spans.filter(({ parentSpanId }) => !parentSpanId)).toHaveLength(1);
      for (const name of ['admission', 'generation', 'provider request', 'finalize'])
        expect(spans.filter((span) => span.name === name)).toHaveLength(1);
      const parentOf = ({ parentSpanId }: CollectedSpan) => spans.find(({ spanId }) => spanId === parentSpanId)!.name;
      return (
        spans
          .filter((span) => span.parentSpanId && ['admission', 'finalize'].includes(parentOf(span)))
          .map((span) => `${parentOf(span)}: ${String(span.attributes['db.query.text'])}`)
          .filter((text) => !text.endsWith('undefined'))
          // Whether the counter of an owner is in memory before its send depends on the order of the requests.
          .filter((text) => !text.includes('from quota_account where owner = any'))
          .sort()
      );
    });
    // A statement that is a span of another send's trace would be missing here and doubled there.
    expect(statements[0]!.length).toBeGreaterThan(1);
    for (const own of statements) expect(own).toEqual(statements[0]);
  });

  it('exports the trace of a send over REST, with the status of its response', async () => {
    const { client } = await one.member();
    const answer = await client.post<{ threadId: number }>('/api/chat/message', { content: 'a second letter' });
    expect(answer.status).toBe(201);
    const id = await generationIn(answer.body.threadId);
    const spans = await traceOf(id, 'POST /api/chat/message', 'generation', 'finalize');
    expect(spans.get('POST /api/chat/message')!.attributes).toMatchObject({ 'http.response.status_code': 201 });
  });

  it('exports the trace of a send over the public API', async () => {
    const { client } = await one.member();
    const { body } = await client.post<{ apiKey: string }>('/api/user/apikey/generate');
    const messages = [{ role: 'user', content: 'a third letter' }];
    const answer = await one
      .client()
      .post(
        '/api/v1/chat/completions',
        { model: MODEL, messages },
        { headers: { authorization: `Bearer ${body.apiKey}` } },
      );
    expect(answer.status).toBe(200);
    const sends = `select id from generation where thread_id is null order by created_at desc limit 1`;
    const [row] = await one.dataSource.query<{ id: string }[]>(sends);
    const names = ['POST /api/v1/chat/completions', 'admission', 'generation', 'provider request', 'finalize'];
    expect((await traceOf(row!.id, ...names)).get('provider request')!.events).toEqual(['first token']);
  });

  it('joins the trace of a generation that another node continues after an approval', async () => {
    const { page, client } = await one.memberPage();
    one.upstream.script(callsOf('Wait. ', { id: 'ask_0', name: 'ask_first' }));
    const { generationId } = await page.start('ask', { tools: ['ask_first'] });
    await eventually(async () => {
      const statuses = await one.dataSource.query<{ status: string }[]>(`select status from generation where id = $1`, [
        generationId,
      ]);
      expect(statuses[0]!.status).toBe('waiting');
    });
    const far = await two.page(at(two, client));
    one.upstream.script(textOf('Done.'));
    dataOf(await far.ask('generation:approve', { generationId, callId: 'ask_0', allow: true }));
    await page.ended(generationId);
    await traceOf(generationId, 'tool call', 'finalize', 'socket generation:start');
    const ofRuns = () => spansOf(generationId).filter(({ name }) => name === 'generation');
    await waitUntil('the spans of both runs', () => ofRuns().length === 2);
    const runs = ofRuns();
    expect(runs.map(({ attributes }) => attributes['tanya.generation.status']).sort()).toEqual(['complete', 'waiting']);
    expect(new Set(runs.map(({ node }) => node)).size).toBe(2);
    const call = spansOf(generationId).find(({ name }) => name === 'tool call')!;
    expect(call.attributes).toMatchObject({ 'gen_ai.tool.name': 'ask_first', 'tanya.call.state': 'done' });
    const continued = runs.find(({ attributes }) => attributes['tanya.generation.status'] === 'complete')!;
    expect(call.parentSpanId).toBe(continued.spanId);
  });

  it('joins the trace of a generation that another node resumes or ends', async () => {
    const { client, page } = await one.memberPage();
    const { generationId } = await page.start(`two harbours ${ENDLESS}`);
    await page.firstText(generationId);
    const other = await two.page(at(two, client));
    expect((await other.tryResume(generationId, 0)).ok).toBe(true);
    await two.app.get(OrphanReaper).finalize(generationId, 'interrupted');
    await page.ended(generationId);
    const spans = await traceOf(generationId, 'resume', 'reap', 'generation');
    expect(spans.get('resume')!.node).not.toBe(spans.get('generation')!.node);
    expect(spans.get('reap')!.node).toBe(spans.get('resume')!.node);
  });

  it('marks the failure of a provider with its code', async () => {
    const { page } = await one.memberPage();
    const { generationId } = await page.start('refused [[status=401]]');
    await page.ended(generationId);
    const spans = await traceOf(generationId, 'provider request', 'generation');
    expect(spans.get('provider request')).toMatchObject({
      isFailed: true,
      attributes: { 'error.type': 'provider_auth' },
    });
    expect(spans.get('generation')!.attributes).toMatchObject({ 'tanya.generation.status': 'error' });
  });

  it('HDR-2: exports no text of users and no secret, and sends no trace header to the provider', async () => {
    const { client, username } = await one.member();
    await client.post('/api/chat/message', { content: 'an unmistakable secret of the sender' });
    await waitUntil('the last export', () => collector.text.includes('/api/chat/message'));
    await one.app.get(Tracing).trace('the end of this test', {}, () => Promise.resolve());
    await waitUntil('the next export', () => collector.text.includes('the end of this test'));
    for (const text of [
      'unmistakable',
      'lighthouse keeper',
      'third letter',
      'private text',
      username,
      client.address,
      'sk-scripted',
      '127.0.0.1',
    ])
      expect(collector.text).not.toContain(text);
    for (const { headers } of one.upstream.calls) {
      expect(Object.keys(headers).filter((name) => /^(traceparent|tracestate|baggage|b3)/.test(name))).toEqual([]);
    }
    expect(collector.headers.at(-1)).toMatchObject({ authorization: 'Bearer of the collector' });
  });

  it('HDR-2: ignores the trace context of a client', async () => {
    const traceId = traceIdOf(randomUUID());
    const { client } = await one.member();
    await client.get('/api/user', { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } });
    await waitUntil('the export of the request', () => collector.text.includes('GET /api/user'));
    expect(collector.text).not.toContain(traceId);
  });
});

describe('tracing of one node without Redis', () => {
  it('exports the trace of a send over REST, whose session is read from Postgres', async () => {
    const collector = await startCollector();
    const server = await startChatHarness({ redis: false, env: { tracing: tracingTo(collector) }, timings: TIMINGS });
    const { client } = await server.member();
    const answer = await client.post<{ threadId: number }>('/api/chat/message', { content: 'a quiet letter' });
    const sends = `select id from generation where thread_id = $1`;
    const [row] = await server.dataSource.query<{ id: string }[]>(sends, [answer.body.threadId]);
    await waitUntil('the spans of the send', () => {
      const names = collector.spans.filter(({ traceId }) => traceId === traceIdOf(row!.id)).map(({ name }) => name);
      return ['POST /api/chat/message', 'admission', 'finalize'].every((name) => names.includes(name));
    });
    await server.settle();
    await server.close();
    await collector.close();
  });
});

describe('a collector that fails', () => {
  it.each([
    ['hangs', () => undefined],
    [
      'refuses every export',
      (response: { writeHead(status: number): { end(): void } }) => response.writeHead(503).end(),
    ],
  ])('disturbs neither answers nor the shutdown when it %s', async (_what, respond) => {
    const collector = await startCollector(respond);
    const server = await startChatHarness({ redis: false, env: { tracing: tracingTo(collector) }, timings: TIMINGS });
    const { page } = await server.memberPage();
    const { generationId } = await page.start('a letter nonetheless');
    expect((await page.ended(generationId)).message).toMatchObject({ status: 'complete' });
    await eventually(async () => expect(collector.headers.length).toBeGreaterThan(0));
    await server.settle();
    await server.close();
    await collector.close();
  });
});

describe('the sampler', () => {
  it('exports nothing of traces that are not sampled', async () => {
    const collector = await startCollector();
    const tracing = tracingTo(collector, { sampler: 'parentbased_traceidratio', ratio: 0 });
    const server = await startChatHarness({ redis: false, env: { tracing }, timings: TIMINGS });
    const { page } = await server.memberPage();
    const { generationId } = await page.start('an unseen letter');
    await page.ended(generationId);
    await server.settle();
    await server.close();
    expect(collector.spans).toEqual([]);
    await collector.close();
  });
});
