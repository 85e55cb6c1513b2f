import type { AdminModel, Message, MessageNotice } from '@tanya/contract';
import { PROVIDER_TIMINGS } from '../../src/providers/provider.js';
import type { MemberPage } from '../harness/chat-harness.js';
import type { Script, Step } from '../harness/scripted-answers.js';
import { changeSettings, withoutBudgets } from '../quota/budget-harness.js';
import { startToolStepsHarness, type ToolStepsHarness } from './tool-steps-harness.js';

export const MAIN = 'fall/main';
export const SECOND = 'fall/second';
export const THIRD = 'fall/third';

export const failing = (status: number, message = 'no'): Script => ({
  status,
  body: JSON.stringify({ error: { message, code: status } }),
});
export const GONE = failing(404);
export const ANSWER: Step[] = [
  { text: 'Hello' },
  { finish: 'stop' },
  { usage: { prompt: 3, completion: 5 } },
  { done: true },
];

/** One server for each test file that imports this module. */
export let harness: ToolStepsHarness;
export let member: MemberPage;
const models = new Map<string, AdminModel>();
const timings = { ...PROVIDER_TIMINGS };

beforeAll(async () => {
  // A failing model is asked as often as at most, however slow the machine is.
  Object.assign(PROVIDER_TIMINGS, { retryBudget: 60_000, retryBudgetWithFallback: 30_000, retryDelay: 10 });
  harness = await startToolStepsHarness({ redis: false });
  for (const modelId of [THIRD, SECOND, MAIN]) {
    const { body } = await (await harness.admin()).post<AdminModel>('/api/admin/models', { modelId });
    models.set(modelId, body);
  }
});

beforeEach(async () => {
  await withoutBudgets(harness);
  await changeSettings(harness, { allowDearerFallback: false });
  const plain = { pricing: null, access: 'everyone', contextLength: null, inputModalities: null, supportsTools: null };
  for (const modelId of [THIRD, SECOND, MAIN]) await change(modelId, plain);
  await change(MAIN, { fallbacks: [SECOND, THIRD] });
  for (const modelId of [SECOND, THIRD]) await switchOn(modelId, true);
  harness.reset();
  member = await harness.memberPage();
});

afterEach(() => harness.settle());

afterAll(async () => {
  // Test files of one worker share them.
  Object.assign(PROVIDER_TIMINGS, timings);
  await harness.close();
});

export async function change(modelId: string, changes: object): Promise<void> {
  const answer = await (await harness.admin()).patch(`/api/admin/models/${models.get(modelId)!.id}`, changes);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}

export async function switchOn(modelId: string, isEnabled: boolean): Promise<void> {
  await (await harness.admin()).patch(`/api/admin/models/${models.get(modelId)!.id}/status`, { isEnabled });
}

export const asked = (): unknown[] => harness.upstream.callsOf().map(({ body }) => body['model']);

export const usedBy = async ({ client }: MemberPage): Promise<number> =>
  (await client.get<{ used: number }>('/api/user/quota')).body.used;

export async function answerTo(text: string, fields: object = {}): Promise<Message> {
  const { generationId } = await member.page.start(text, { model: MAIN, ...fields });
  const shown = await member.page.ended(generationId);
  expect([shown.gaps, shown.late]).toEqual([0, 0]);
  return shown.message;
}

export const notice = (to: string, reason: string, from = MAIN): MessageNotice => ({
  code: 'fallback',
  params: { from, to, reason },
});

export const recordOf = async ({ generationId }: Message): Promise<Record<string, unknown>> => {
  const [row] = await harness.dataSource.query<[Record<string, unknown>]>(
    'select model_id, cost, state, trim_scale(cost_usd)::text as cost_usd, attempts from usage_record where generation_id = $1',
    [generationId],
  );
  return row;
};
