import type { CreatedApiKey, UsageReport } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import type { Script, Step } from '../harness/scripted-answers.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { UsageRollup } from '../../src/quota/usage/usage-rollup.service.js';
import { changeSettings, moneyIn } from './budget-harness.js';
import { setPrices } from './usage-harness.js';

const MEMBERS = 25;
const ANSWERS = 300;

/** Costs in units of 10⁻¹², so that their sum is exact. */
const UNIT = 12;

const decimal = (units: bigint): string => {
  const digits = String(units).padStart(UNIT + 1, '0');
  return `${digits.slice(0, -UNIT)}.${digits.slice(-UNIT)}`.replace(/\.?0+$/, '');
};

/** Each answer reports another cost: complete, repeated, broken off after its usage, or refused without one. */
function answerTo(index: number): { script: Script; units: bigint } {
  const units = BigInt(index * 7_919_377 + 1);
  const usage: Step = {
    chunk: { choices: [], usage: { prompt_tokens: index, completion_tokens: 3, cost: Number(decimal(units)) } },
  };
  const end: Step[] = [{ finish: 'stop' }, usage, { done: true }];
  if (index % 10 === 0) return { script: { status: 401, body: '{}' }, units: 0n };
  if (index % 10 === 1) return { script: { steps: [{ text: 'Broken' }, usage, { error: { code: 400 } }] }, units };
  if (index % 10 === 2) return { script: { steps: [{ text: 'Twice' }, usage, ...end] }, units };
  return { script: { steps: [{ text: 'Whole' }, ...end] }, units };
}

let upstream: ScriptedUpstream;
let harness: ChatHarness;

/** The answers take 6 s on an idle machine. */
const TEST_TIMEOUT_MS = 240_000;

beforeAll(async () => {
  upstream = await startUpstream({
    choose: (text) => (/^answer \d+$/.test(text) ? answerTo(Number(text.slice(7))).script : undefined),
  });
  harness = await startChatHarness({ redis: false, sharedUpstream: upstream });
});

afterAll(async () => {
  await harness.close();
  await upstream.close();
});

it(
  'the costs of 300 mixed answers add up to the ledger, the rollup and every budget',
  async () => {
    await setPrices(harness, { prompt: '0.000001', completion: '0.000002' });
    await changeSettings(harness, {
      freeUserBudgetUsd: '1000',
      userBudgetPeriod: 'never',
      installationBudgetUsd: '10000',
      installationBudgetPeriod: 'never',
    });
    const members = await Promise.all(Array.from({ length: MEMBERS }, () => harness.member()));
    const run = async (member: (typeof members)[number], first: number): Promise<void> => {
      const { body } = await member.client.post<CreatedApiKey>('/api/user/keys', { name: 'sums', budgetUsd: '1000' });
      const headers = { Authorization: `Bearer ${body.key}` };
      for (let index = first; index < ANSWERS; index += MEMBERS) {
        const messages = [{ role: 'user', content: `answer ${index}` }];
        const isApi = index % 2 === 0;
        const { status } = isApi
          ? await harness.client().post('/api/v1/chat/completions', { messages }, { headers })
          : await member.client.post('/api/chat/message', { content: `answer ${index}` });
        if (![200, 201, 500, 502, 503].includes(status)) throw new Error(`answer ${index}: ${status}`);
      }
    };
    await Promise.all(members.map(run));
    await harness.settle();
    const answers = Array.from({ length: ANSWERS }, (_, index) => answerTo(index));
    const reported = decimal(answers.reduce((sum, { units }) => sum + units, 0n));

    const [ledger] = await harness.dataSource.query<[Record<string, string>]>(
      `select count(*)::text as records, trim_scale(sum(cost_usd))::text as all,
       trim_scale(sum(cost_usd) filter (where state = 'charged'))::text as charged,
       trim_scale(sum(cost_usd) filter (where state = 'charged' and api_key_id is not null))::text as keys
     from usage_record`,
    );
    expect(ledger).toMatchObject({ records: String(ANSWERS), all: reported });
    const budgets = await harness.dataSource.query<{ scope: string; charged: string; held: string }[]>(
      `select split_part(scope, ':', 1) as scope, trim_scale(sum(charged))::text as charged,
       trim_scale(sum(held))::text as held from budget_account group by 1 order by 1`,
    );
    expect(budgets).toEqual([
      { scope: 'installation', charged: reported, held: '0' },
      { scope: 'key', charged: ledger['keys'], held: '0' },
      { scope: 'user', charged: ledger['charged'], held: '0' },
    ]);
    const admin = await harness.admin();
    const reportedSum = async () => (await admin.get<UsageReport>('/api/admin/usage')).body.totals.costUsd;
    expect(await reportedSum()).toBe(reported);
    await harness.app.get(UsageRollup).rollUp();
    expect(await reportedSum()).toBe(reported);
    expect(await moneyIn(harness, 'installation')).toEqual({ spentUsd: reported, heldUsd: '0' });
  },
  TEST_TIMEOUT_MS,
);
