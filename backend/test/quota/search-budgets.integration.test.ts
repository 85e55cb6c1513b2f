import type { AdminModel, ModelPricing, ProviderConnection } from '@tanya/contract';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { waitUntil } from '../harness/wait-until.js';
import { changeUser, FEE, moneyIn } from './budget-harness.js';
import { answerWith, lastRecord, setPrices } from './usage-harness.js';

/** Twenty results of OpenRouter's search at 4 USD for 1,000. */
const SEARCH_USD = 0.08;

const ENDLESS = 'runs on [[words=3 stall=2]]';

let harness: ChatHarness;
let openRouter: ScriptedUpstream;
let member: MemberPage;
let modelId: string;
let scope: string;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
  openRouter = await startUpstream({ words: 5 });
  const admin = await harness.admin();
  const connection = { kind: 'openrouter', name: 'Router', baseUrl: openRouter.url, apiKey: 'sk-or-12345678' };
  const { id } = (await admin.post<ProviderConnection>('/api/admin/connections', connection)).body;
  const model = { modelId: 'router/model', connectionId: id };
  ({ modelId } = (await admin.post<AdminModel>('/api/admin/models', model)).body);
});

beforeEach(async () => {
  member = await harness.memberPage();
  scope = `user:${member.user.id}`;
  openRouter.calls.length = 0;
});

afterEach(() => harness.settle());

afterAll(async () => {
  await harness.close();
  await openRouter.close();
});

const start = (text: string) => member.page.start(text, { model: modelId, tools: ['web_search'] });

/** Runs one answer under a budget. */
async function answer(budgetUsd: string, pricing: ModelPricing = FEE) {
  await setPrices(harness, pricing, modelId);
  await changeUser(harness, member.user.id, { budgetUsd });
  openRouter.script(answerWith({ prompt_tokens: 1, completion_tokens: 1, cost: 0.03 }));
  const { generationId } = await start('find it');
  const { message } = await member.page.ended(generationId);
  return { message, isSearched: isSearched(openRouter.callsOf()[0]!) };
}

const isSearched = ({ body }: { body: Record<string, unknown> }): boolean =>
  JSON.stringify(body['tools'] ?? []).includes('openrouter:web_search');

describe('the hold of a search that the provider runs', () => {
  it('is taken beside that of the answer, and its cost is the one that the provider reports', async () => {
    const { message, isSearched } = await answer(String(SEARCH_USD + 0.01));
    expect(isSearched).toBe(true);
    expect(message).toMatchObject({ status: 'complete' });
    expect(message.notices ?? []).toEqual([]);
    expect(await lastRecord(harness, scope)).toMatchObject({ cost_usd: '0.03', held_usd: '0.090000000000' });
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0.03', heldUsd: '0' });
  });

  it('that the budget does not cover leaves the search out, with a notice', async () => {
    const { message, isSearched } = await answer('0.05');
    expect(isSearched).toBe(false);
    expect(message).toMatchObject({ status: 'complete', notices: [{ code: 'search_unaffordable' }] });
    expect(await lastRecord(harness, scope)).toMatchObject({ held_usd: '0.010000000000' });
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0.03', heldUsd: '0' });
  });

  it('is not zero for a free model', async () => {
    const { message, isSearched } = await answer('0', { prompt: '0', completion: '0' });
    expect(isSearched).toBe(false);
    expect(message).toMatchObject({ status: 'complete', notices: [{ code: 'search_unaffordable' }] });
  });

  it('is that of the searches of the model where these cost more', async () => {
    expect((await answer('0.1', { ...FEE, search: '0.03' })).isSearched).toBe(false);
    openRouter.calls.length = 0;
    expect((await answer('0.2', { ...FEE, search: '0.03' })).isSearched).toBe(true);
    expect(await lastRecord(harness, scope)).toMatchObject({ held_usd: '0.130000000000' });
  });

  it('is taken by one of ten parallel sends when the budget covers one search (LIM-11)', async () => {
    await setPrices(harness, FEE, modelId);
    await changeUser(harness, member.user.id, { budgetUsd: String(10 * 0.01 + SEARCH_USD) });
    const started = await Promise.all(Array.from({ length: 10 }, () => start(ENDLESS)));
    await waitUntil('the requests', () => openRouter.callsOf().length === 10);
    expect(openRouter.callsOf().filter(isSearched)).toHaveLength(1);
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0', heldUsd: '0.18' });
    await Promise.all(started.map(({ generationId }) => member.page.tryStop(generationId)));
    await Promise.all(started.map(({ generationId }) => member.page.ended(generationId)));
    expect(await moneyIn(harness, scope)).toMatchObject({ heldUsd: '0' });
  });
});
