import { type ConversationStarter, DEFAULT_MODEL_ID, STARTERS, type UsageReport } from '@tanya/contract';
import { ModelMetrics } from '../../src/models/model-metrics.js';
import { type Asker, userOwner } from '../../src/identity/identity.js';
import { CallsBesideAnswers1766360140000 } from '../../src/platform/database/migrations/all.js';
import { SiteCalls } from '../../src/quota/site-calls.js';
import { LOCK_ROLLUP, REBUILD } from '../../src/quota/usage/rollup-sql.js';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { waitUntil } from '../harness/wait-until.js';
import { changeSettings, FEE, moneyIn } from './budget-harness.js';
import { answerWith, lastRecord, setPrices } from './usage-harness.js';

const IDEAS = [
  'How do whales sleep at night?',
  'Plan a trip to Malang.',
  'What makes bread rise?',
  'Explain the tides.',
];

let harness: ChatHarness;

beforeEach(async () => {
  harness = await startChatHarness({ redis: false });
  await setPrices(harness, FEE);
});

afterEach(() => harness.close());

const idea = async (): Promise<string> =>
  (await (await harness.guest()).get<ConversationStarter>('/api/conversation-starter')).body.prompt;

const CALL = {
  purpose: 'test',
  model: { modelId: DEFAULT_MODEL_ID, upstreamId: DEFAULT_MODEL_ID, connectionId: null, contextLength: null },
  timeoutMs: 20_000,
};

const ask = (signal?: AbortSignal, payer?: Asker) =>
  harness.app.get(SiteCalls).ask({
    ...CALL,
    messages: [{ role: 'user', content: 'Hello' }],
    maxTokens: 10,
    maxCharacters: 20,
    signal,
    payer,
  });

const embed = (signal: AbortSignal) => harness.app.get(SiteCalls).embed({ ...CALL, texts: ['Hello'], signal });

/** The codes of the calls that ended, as the metrics of the models count them. */
const endedWith = (): unknown[] => {
  const codes: unknown[] = [];
  const metrics = harness.app.get(ModelMetrics);
  const ended = metrics.ended.bind(metrics);
  jest.spyOn(metrics, 'ended').mockImplementation((call, by) => {
    codes.push(call.code);
    ended(call, by);
  });
  return codes;
};

it('is in the ledger and in the reports under the name of the site, and takes no message', async () => {
  harness.upstream.script(answerWith({ prompt_tokens: 7, completion_tokens: 3, cost: 0.25 }, IDEAS.join('\n')));
  await idea();
  await waitUntil('the pool', async () => IDEAS.includes(await idea()));
  expect(await lastRecord(harness, 'site')).toMatchObject({
    ...{
      state: 'charged',
      reason: 'complete',
      cost_usd: '0.25',
      cost_source: 'provider',
      plan: 'site',
      channel: 'site',
    },
    ...{ prompt_tokens: 7, completion_tokens: 3 },
  });
  const admin = await harness.admin();
  const { body: report } = await admin.get<UsageReport>('/api/admin/usage');
  expect(report.site).toMatchObject({ generations: 0, messages: 0, promptTokens: 7, costUsd: '0.25' });
  expect(report.totals).toMatchObject({ generations: 0, messages: 0, people: 0, costUsd: '0.25' });
  expect(report.topPeople).toEqual([]);
  expect(report.byChannel).toEqual([expect.objectContaining({ name: 'site', costUsd: '0.25' })]);
  const row = `,Site,site,${DEFAULT_MODEL_ID},GPT-4o Mini,site,site,,,0,0,0,7,3,0,0,0.25`;
  expect((await admin.get('/api/admin/usage.csv')).text).toContain(`${row},0`);
  await harness.dataSource.query(
    `insert into usage_record (owner, period, model_id, cost, state, reason, cost_source, plan, channel, settled_at)
     values ('site', 'ever', $1, 0, 'released', 'interrupted', 'unknown', 'site', 'site', now())`,
    [DEFAULT_MODEL_ID],
  );
  expect((await admin.get('/api/admin/usage.csv')).text).toContain(`${row},1`);
  await harness.settle();
});

it('of a person is no answer of theirs, and its cost is', async () => {
  const { user } = await harness.member();
  const terms = { isPremium: false, isAdmin: false, groupIds: [], quotaOverride: null };
  const payer = { owner: userOwner(user.id), userId: user.id, ...terms, address: '10.0.0.1' };
  harness.upstream.script({ status: 400, body: '{}' });
  expect(await ask(undefined, payer)).toMatchObject({ isComplete: false });
  harness.upstream.script(answerWith({ prompt_tokens: 3, completion_tokens: 1, cost: 0.5 }));
  expect(await ask(undefined, payer)).toMatchObject({ isComplete: true });
  const { body: report } = await (await harness.admin()).get<UsageReport>('/api/admin/usage');
  expect(report.totals).toMatchObject({ generations: 0, failures: 0, people: 1, promptTokens: 3 });
  expect(report.topPeople).toEqual([expect.objectContaining({ userId: user.id, costUsd: '0.5' })]);
  const part = await (await harness.admin()).get<UsageReport>(`/api/admin/usage?userId=${user.id}`);
  const mended = { totals: { generations: 0, people: 1 }, topPeople: [{ userId: user.id }] };
  expect(part.body).toMatchObject(mended);
  // As earlier versions stored them.
  await harness.dataSource.query(`update usage_record set channel = 'web' where user_id = $1`, [user.id]);
  await harness.dataSource.transaction('REPEATABLE READ', async (manager) => {
    await new CallsBesideAnswers1766360140000().up(manager.queryRunner!);
    for (const statement of [LOCK_ROLLUP, ...REBUILD]) await manager.query(statement);
  });
  expect((await (await harness.admin()).get<UsageReport>(`/api/admin/usage?userId=${user.id}`)).body).toMatchObject(
    mended,
  );
  await harness.settle();
});

it('counts in the budget of the installation, and asks nothing once it is spent', async () => {
  await changeSettings(harness, { installationBudgetUsd: '0.01' });
  expect(await ask()).toMatchObject({ isComplete: true });
  expect(await moneyIn(harness, 'installation')).toEqual({ spentUsd: '0.01', heldUsd: '0' });
  expect(await ask()).toMatchObject({ text: '', isComplete: false });
  expect(STARTERS).toContain(await idea());
  expect(harness.upstream.callsOf()).toHaveLength(1);
  await harness.settle();
});

it('asks nothing within a budget while the price is unknown', async () => {
  await setPrices(harness, null);
  await changeSettings(harness, { installationBudgetUsd: '5' });
  expect(await ask()).toMatchObject({ text: '', isComplete: false });
  expect(harness.upstream.callsOf()).toHaveLength(0);
});

it('records a failure as free, and an answer that broke off at its estimate', async () => {
  harness.upstream.script(
    { status: 400, body: '{}' },
    { steps: [{ text: 'Half of' }, { error: { message: 'overloaded' } }] },
  );
  expect(await ask()).toMatchObject({ text: '', isComplete: false });
  expect(await lastRecord(harness, 'site')).toMatchObject({ state: 'released', reason: 'error', cost_usd: '0' });
  expect(await ask()).toMatchObject({ text: 'Half of', isComplete: false });
  expect(await lastRecord(harness, 'site')).toMatchObject({
    state: 'released',
    cost_usd: '0.01',
    cost_source: 'estimate',
  });
});

it('reads an answer no further than it is wanted', async () => {
  harness.upstream.script({ steps: [{ text: 'word '.repeat(10) }], endless: true });
  expect(await ask()).toMatchObject({ text: 'word word word word ', isComplete: true });
});

it('reads reasoning without an end no further than a whole answer', async () => {
  harness.upstream.script({ steps: [{ reasoning: 'hm, '.repeat(5_000) }], endless: true });
  expect(await ask()).toMatchObject({ text: '', isComplete: false });
  const [call] = harness.upstream.callsOf();
  expect(call!.bytesSent).toBeLessThan(20_000_000);
  expect(await lastRecord(harness, 'site')).toMatchObject({ state: 'released', cost_source: 'estimate' });
});

it('ends with the server, and is settled then', async () => {
  harness.upstream.holdAfter('A begin');
  const asked = ask();
  await waitUntil('the call', () => harness.upstream.callsOf().length > 0);
  const codes = endedWith();
  await harness.app.get(SiteCalls).onModuleDestroy();
  expect(await asked).toMatchObject({ isComplete: false, code: 'interrupted' });
  expect(await lastRecord(harness, 'site')).toMatchObject({ state: 'released', reason: 'interrupted' });
  expect(codes).toEqual(['interrupted']);
  await harness.settle();
});

it.each([
  ['an answer', ask],
  ['vectors', embed],
])(
  'counts %s that nobody waits for any more as stopped, not as a failure of the model or the payer',
  async (_kind, call) => {
    const codes = endedWith();
    const left = new AbortController();
    harness.upstream.script({ on: call === embed ? 'embeddings' : undefined, delay: 60_000, body: '{}' });
    const called = call(left.signal).catch((error: unknown) => error);
    await waitUntil('the call', () => harness.upstream.calls.length > 0);
    left.abort();
    await called;
    expect(codes).toEqual(['interrupted']);
    expect(await lastRecord(harness, 'site')).toMatchObject({ state: 'released', reason: 'stopped' });
    await harness.settle();
  },
);
