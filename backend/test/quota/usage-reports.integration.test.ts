import type { CreatedApiKey, OwnUsage, UsageReport } from '@tanya/contract';
import { LOCK_ROLLUP, REBUILD } from '../../src/quota/usage/rollup-sql.js';
import { UsageRollup } from '../../src/quota/usage/usage-rollup.service.js';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { waitUntil } from '../harness/wait-until.js';
import { answerWith } from './usage-harness.js';

interface Ledger {
  generations: number;
  messages: number;
  prompt: number;
  cost: string;
}

const LEDGER = `select count(*)::int as generations, sum(cost) filter (where state = 'charged')::int as messages,
  sum(prompt_tokens)::int as prompt, trim_scale(sum(cost_usd))::text as cost
from usage_record where state <> 'held' and coalesce(reason, '') not in ('carried', 'reset')`;

/** All people, in the order of the report. $1 first and $2 last day. */
const PEOPLE_IN_LEDGER = `select owner, count(*)::int as generations,
  coalesce(sum(cost) filter (where state = 'charged'), 0)::int as messages,
  count(*) filter (where reason in ('error', 'interrupted'))::int as failures,
  coalesce(sum(prompt_tokens), 0)::int as "promptTokens", coalesce(sum(completion_tokens), 0)::int as "completionTokens",
  coalesce(sum(cached_tokens), 0)::int as "cachedTokens", coalesce(sum(reasoning_tokens), 0)::int as "reasoningTokens",
  trim_scale(coalesce(sum(cost_usd), 0))::text as "costUsd", count(*) filter (where cost_usd is null)::int as unpriced
from usage_record where state <> 'held' and coalesce(reason, '') not in ('carried', 'reset')
  and (settled_at at time zone 'utc')::date between $1::date and $2::date
group by owner order by coalesce(sum(cost_usd), 0) desc, 3 desc, owner`;

const COSTS = [0.1, 0.2, 0.000000000001, 0.3, 1.000000000007];

describe('a usage report', () => {
  let harness: ChatHarness;
  let admin: HttpClient;

  beforeAll(async () => {
    harness = await startChatHarness({ redis: false });
    admin = await harness.admin();
    const { page } = await harness.memberPage({ username: '=cmd()' });
    const guest = await harness.page(await harness.guest());
    for (const [index, cost] of COSTS.entries()) {
      harness.upstream.script(answerWith({ prompt_tokens: 7, completion_tokens: 3, cost }));
      const asker = index === 0 ? guest : page;
      await asker.ended((await asker.start('counted')).generationId);
    }
    await page.ended((await page.start('failed [[status=500]]')).generationId);
    // Records of other days, and of a version that stored no plan and no cost.
    await harness.dataSource.query(
      `insert into usage_record (owner, period, model_id, cost, state, reason, prompt_tokens, cost_usd, cost_source, plan, channel,
         first_token_ms, settled_at)
       select 'guest:x' || n % 7, 'ever', 'old/model-' || n % 13, 1, case when n % 10 = 0 then 'released' else 'charged' end,
         case when n % 10 = 0 then 'error' else 'complete' end, n, n * 0.000000000001, 'provider', 'guest', 'web', 500,
         now() - n * interval '1 day'
       from generate_series(1, 200) n`,
    );
    // Pictures have no first token.
    await harness.dataSource.query(
      `insert into usage_record (owner, period, model_id, cost, state, reason, cost_usd, cost_source, plan, channel, settled_at)
       select 'guest:x1', 'ever', 'old/model-1', 0, 'charged', 'complete', 0, 'provider', 'guest', 'image', now()
       from generate_series(1, 300)`,
    );
    await harness.dataSource.query(
      `insert into usage_record (owner, period, model_id, cost, state, reason, settled_at)
       values ('guest:old', 'ever', 'old/model-1', 1, 'charged', 'complete', now()), ('guest:old', 'ever', null, 9, 'charged', 'carried', now())`,
    );
  });

  afterAll(() => harness.close());

  const report = async (query = ''): Promise<UsageReport> => {
    const answer = await admin.get<UsageReport>(`/api/admin/usage${query}`);
    expect(answer.status).toBe(200);
    return answer.body;
  };

  const year = () => {
    const now = new Date();
    const from = new Date(now.getTime() - 300 * 86_400_000).toISOString().slice(0, 10);
    return `?from=${from}&to=${now.toISOString()}`;
  };

  const rollUp = () => harness.app.get(UsageRollup).rollUp();

  async function expectLedger(): Promise<UsageReport> {
    const [ledger] = await harness.dataSource.query<[Ledger]>(LEDGER);
    const shown = await report(year());
    const { totals } = shown;
    expect({ ...totals }).toMatchObject({
      generations: ledger.generations,
      messages: ledger.messages,
      promptTokens: ledger.prompt,
      costUsd: ledger.cost,
    });
    for (const series of [shown.byModel, shown.byPlan, shown.byChannel]) {
      expect(series.reduce((sum, { generations }) => sum + generations, 0)).toBe(ledger.generations);
      expect(series.reduce((sum, { promptTokens }) => sum + promptTokens, 0)).toBe(ledger.prompt);
    }
    return shown;
  }

  it('equals the ledger to the last digit before, during and after the rollup, and after a rebuild', async () => {
    await waitUntil('the settlements', async () => (await report()).totals.generations >= COSTS.length + 1);
    const before = await expectLedger();
    await Promise.all([rollUp(), rollUp(), expectLedger()]);
    const [{ queued }] = await harness.dataSource.query<[{ queued: number }]>(
      'select count(*)::int as queued from usage_unrolled',
    );
    expect(queued).toBe(0);
    expect(await expectLedger()).toEqual(before);
    await harness.dataSource.transaction('REPEATABLE READ', async (manager) => {
      for (const statement of [LOCK_ROLLUP, ...REBUILD]) await manager.query(statement);
    });
    expect(await expectLedger()).toEqual(before);
  });

  it('has cards, series, people and models', async () => {
    const shown = await report(year());
    expect(shown.step).toBe('month');
    expect(shown.totals).toMatchObject({ people: 10, failures: 21, unpriced: 1 });
    expect(shown.totals.errorRate).toBeCloseTo(21 / shown.totals.generations, 9);
    expect(shown.totals.firstTokenMs.p50).toBeGreaterThan(470);
    expect(shown.totals.firstTokenMs.p95).toBeGreaterThan(470);
    expect(shown.totals.firstTokenMs.p95).toBeLessThan(530);
    expect(shown.topPeople[0]).toMatchObject({ username: '=cmd()', messages: 4, costUsd: '1.500000000008' });
    expect(shown.topPeople).toHaveLength(10);
    expect(shown.topModels).toHaveLength(10);
    expect(new Set(shown.byModel.map(({ name }) => name)).size).toBe(11);
    expect(shown.byPlan.map(({ name }) => name)).toContain('guest');
    expect(shown.topKeys).toEqual([]);
  });

  it.each([
    [0, 0],
    [0, 5],
    [0, 29],
    [0, 91],
    [3, 40],
    [9, 50],
    [17, 60],
    [20, 25],
    [25, 31],
    [31, 92],
    [45, 150],
  ])('counts and sums the people from the days or months that are fewest (%i to %i days ago)', async (last, first) => {
    await rollUp();
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const { totals, topPeople } = await report(`?from=${day(first)}&to=${day(last)}`);
    const people = await harness.dataSource.query<object[]>(PEOPLE_IN_LEDGER, [day(first), day(last)]);
    expect(totals.people).toBe(people.length);
    expect(topPeople.map(({ userId, username, ...shown }) => shown)).toEqual(people.slice(0, 10));
  });

  it('covers exactly the days that it names', async () => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const { totals, byModel } = await report(`?from=${day(3)}&to=${day(2)}`);
    expect(totals).toMatchObject({ generations: 2, promptTokens: 5, people: 2, costUsd: '0.000000000005' });
    expect(byModel.map(({ day: first }) => first)).toEqual([day(3), day(2)]);
    expect((await report('?from=2020-01-01&to=2020-01-02')).totals).toMatchObject({ generations: 0, costUsd: '0' });
  });

  it.each([
    '?from=x',
    '?from=2026-02-02&to=2026-02-01',
    '?from=1900-01-01',
    '?from=2026-01-01&from=2026-01-02',
    '?to=2026-13-45',
  ])('refuses %s', async (query) => {
    for (const path of ['/api/admin/usage', '/api/admin/usage.csv', '/api/user/usage'])
      expect(errorOf(await admin.get(`${path}${query}`)).code).toBe('invalid');
  });

  it('of the caller has the own usage alone', async () => {
    const { client, page } = await harness.memberPage();
    harness.upstream.script(answerWith({ prompt_tokens: 7, completion_tokens: 3, cost: 0.07 }));
    await page.ended((await page.start('mine')).generationId);
    const stranger = (await harness.member()).client;
    for (const [browser, generations, costUsd] of [
      [client, 1, '0.07'],
      [stranger, 0, '0'],
    ] as const) {
      const own = (await browser.get<OwnUsage>('/api/user/usage')).body;
      expect(own).toMatchObject({ step: 'day', totals: { generations, messages: generations, costUsd } });
      expect(Object.keys(own)).not.toContain('topPeople');
      await rollUp();
      expect((await browser.get<OwnUsage>('/api/user/usage')).body).toEqual(own);
    }
    expect((await (await harness.guest()).get('/api/user/usage')).status).toBe(401);
  });

  it('names API keys and their accounts, and keeps the sums of a deleted key', async () => {
    const { client, user } = await harness.member();
    const { body: key } = await client.post<CreatedApiKey>('/api/user/keys', { name: 'Nightly report' });
    harness.upstream.script(answerWith({ prompt_tokens: 7, completion_tokens: 3, cost: 0.4 }));
    const call = { messages: [{ role: 'user', content: 'counted for its key' }] };
    expect((await harness.client().post('/api/v1/chat', call, { headers: { 'x-api-key': key.key } })).status).toBe(200);
    const named = { apiKeyId: key.id, name: 'Nightly report', userId: user.id, username: user.username };
    const listed = async () => [
      (await report()).topKeys.find(({ apiKeyId }) => apiKeyId === key.id),
      ...(await client.get<OwnUsage>('/api/user/usage')).body.topKeys,
    ];
    await waitUntil('the settlement', async () => (await listed()).length === 2);
    const sums = { generations: 1, messages: 1, costUsd: '0.4' };
    expect(await listed()).toEqual([expect.objectContaining({ ...named, ...sums }), expect.objectContaining(named)]);
    await rollUp();
    expect(await listed()).toEqual([expect.objectContaining({ ...named, ...sums }), expect.objectContaining(named)]);
    const stranger = (await harness.member()).client;
    expect((await stranger.get<OwnUsage>('/api/user/usage')).body.topKeys).toEqual([]);
    expect((await client.delete(`/api/user/keys/${key.id}`)).status).toBe(200);
    const unnamed = { apiKeyId: key.id, name: null, userId: null, username: null, ...sums };
    expect(await listed()).toEqual([expect.objectContaining(unnamed), expect.objectContaining(unnamed)]);
  });

  it('as CSV adds up to the ledger, and no cell is a formula (TX-3)', async () => {
    await rollUp();
    const answer = await admin.get<unknown>(`/api/admin/usage.csv${year()}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/csv');
    const [head, ...rows] = answer.text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const column = (name: string) => rows.map((row) => row[head!.indexOf(name)]!);
    expect(column('username')).toContain("'=cmd()");
    expect(rows.flat().filter((cell) => /^["]?[=+\-@]/.test(cell))).toEqual([]);
    const [ledger] = await harness.dataSource.query<[Ledger]>(LEDGER);
    const [{ cost }] = await harness.dataSource.query<[{ cost: string }]>(
      'select trim_scale(sum(each))::text as cost from unnest($1::numeric[]) each',
      [column('cost_usd').filter(Boolean)],
    );
    expect(cost).toBe(ledger.cost);
    expect(column('prompt_tokens').reduce((sum, tokens) => sum + Number(tokens), 0)).toBe(ledger.prompt);
  });

  it('keeps the sums of a deleted account under no name', async () => {
    const { client, page, user } = await harness.memberPage();
    await page.ended((await page.start('soon deleted')).generationId);
    const before = (await expectLedger()).totals;
    await rollUp();
    await page.close();
    expect((await admin.delete(`/api/admin/users/${user.id}`)).status).toBe(200);
    const after = await expectLedger();
    expect(after.totals).toEqual(before);
    const rows = await harness.dataSource.query<unknown[]>('select 1 from usage_rollup where owner = $1', [
      `user:${user.id}`,
    ]);
    expect(rows).toEqual([]);
    expect(errorOf(await client.get('/api/user')).code).toBe('unauthenticated');
  });
});
