import type { AdminModel, ModelPricing, ProviderConnection } from '@tanya/contract';
import { RateLimits } from '../../src/platform/rate-limits/rate-limits.js';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import type { Script } from '../harness/scripted-answers.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { waitUntil } from '../harness/wait-until.js';
import { changeSettings, changeUser, FEE, moneyIn } from './budget-harness.js';
import { answerWith, lastRecord, setPrices } from './usage-harness.js';

/** Twenty results of OpenRouter's search at 4 USD for 1,000. */
const SEARCH_USD = 0.08;

const ENDLESS = 'runs on [[words=3 stall=2]]';

let harness: ChatHarness;
let openRouter: ScriptedUpstream;
let member: MemberPage;
let asked: AdminModel;
let fallback: AdminModel;
let modelId: string;
let scope: string;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
  openRouter = await startUpstream({ words: 5 });
  const admin = await harness.admin();
  const connection = { kind: 'openrouter', name: 'Router', baseUrl: openRouter.url, apiKey: 'sk-or-12345678' };
  const { id } = (await admin.post<ProviderConnection>('/api/admin/connections', connection)).body;
  const added = async (name: string): Promise<AdminModel> =>
    (await admin.post<AdminModel>('/api/admin/models', { modelId: name, connectionId: id })).body;
  fallback = await added('router/fallback');
  asked = await added('router/model');
  ({ modelId } = asked);
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

const start = (text: string, fields: { threadId?: number; tools?: string[] } = {}) =>
  member.page.start(text, { model: modelId, tools: ['web_search'], ...fields });

/** Searches of the member that count against the hourly limit. */
const searches = () =>
  harness.app.get(RateLimits).used({ name: 'tool-search', points: 200, window: 60 * 60 }, `user:${member.user.id}`);

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

const TOO_LONG: Script = {
  status: 400,
  body: JSON.stringify({ error: { message: 'maximum context length', code: 'context_length_exceeded' } }),
};

const CALLS: Script = {
  steps: [
    { call: { id: 'sum', name: 'calculate', args: { expression: '1+1' } } },
    { finish: 'tool_calls' },
    { chunk: { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, cost: 0.005 } } },
    { done: true },
  ],
};

describe('the hold of a search that the provider runs', () => {
  it('is taken beside that of the answer, and its cost is the one that the provider reports', async () => {
    const { message, isSearched } = await answer(String(SEARCH_USD + 0.01));
    expect(isSearched).toBe(true);
    expect(message).toMatchObject({ status: 'complete' });
    expect(message.notices ?? []).toEqual([]);
    expect(await lastRecord(harness, scope)).toMatchObject({ cost_usd: '0.03', held_usd: '0.090000000000' });
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0.03', heldUsd: '0' });
  });

  it('is taken once by a step whose request is repeated, which also counts once against the limit', async () => {
    await setPrices(harness, FEE, modelId);
    await changeUser(harness, member.user.id, { budgetUsd: '1' });
    const { threadId, generationId: first } = await start(`one ${'words '.repeat(2_000)}`, { tools: [] });
    await member.page.ended(first);
    openRouter.script(TOO_LONG, answerWith({ prompt_tokens: 1, completion_tokens: 1, cost: 0.03 }));
    const { generationId } = await start('two', { threadId });
    expect((await member.page.ended(generationId)).message.status).toBe('complete');
    expect(openRouter.callsOf().map(isSearched)).toEqual([false, true, true]);
    expect(await searches()).toBe(1);
    expect(await lastRecord(harness, scope)).toMatchObject({ held_usd: '0.090000000000' });
  });

  it('that the budget covers in the first step alone leaves the search out of later ones, without a notice', async () => {
    await setPrices(harness, FEE, modelId);
    await changeUser(harness, member.user.id, { budgetUsd: '0.11' });
    openRouter.script(CALLS, answerWith({ prompt_tokens: 1, completion_tokens: 1, cost: 0.005 }));
    const { generationId } = await start('find it', { tools: ['web_search', 'calculate'] });
    const { message } = await member.page.ended(generationId);
    expect(openRouter.callsOf().map(isSearched)).toEqual([true, false]);
    expect(message.status).toBe('complete');
    expect(message.notices ?? []).toEqual([]);
  });

  it('that the budget does not cover leaves the search out, with a notice, and counts no search', async () => {
    const { message, isSearched } = await answer('0.05');
    expect(isSearched).toBe(false);
    expect(await searches()).toBe(0);
    expect(message).toMatchObject({ status: 'complete', notices: [{ code: 'search_unaffordable' }] });
    expect(await lastRecord(harness, scope)).toMatchObject({ held_usd: '0.010000000000' });
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0.03', heldUsd: '0' });
  });

  it('is part of that of a fallback, at the prices of the fallback', async () => {
    const admin = await harness.admin();
    await changeSettings(harness, { allowDearerFallback: true });
    await admin.patch(`/api/admin/models/${asked.id}`, { fallbacks: [fallback.modelId] });
    await setPrices(harness, { ...FEE, search: '0.03' }, fallback.modelId);
    openRouter.script({ status: 401, body: '{}' });
    const { message } = await answer('1');
    await admin.patch(`/api/admin/models/${asked.id}`, { fallbacks: [] });
    await changeSettings(harness, { allowDearerFallback: false });
    expect(openRouter.callsOf().map(isSearched)).toEqual([true, true]);
    expect(message.status).toBe('complete');
    expect(await lastRecord(harness, scope)).toMatchObject({ held_usd: '0.130000000000' });
  });

  it('of a fallback is compared with that of the asked model', async () => {
    const admin = await harness.admin();
    await admin.patch(`/api/admin/models/${asked.id}`, { fallbacks: [fallback.modelId] });
    await setPrices(harness, FEE, modelId);
    await setPrices(harness, { ...FEE, search: '0.03' }, fallback.modelId);
    openRouter.script({ status: 401, body: '{}' });
    const { generationId } = await start('find it');
    const { message } = await member.page.ended(generationId);
    await admin.patch(`/api/admin/models/${asked.id}`, { fallbacks: [] });
    expect(openRouter.callsOf()).toHaveLength(1);
    expect(message.status).toBe('error');
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
    // A search costs more than all answers together, so two never fit, in whatever order answers begin.
    await setPrices(harness, { ...FEE, search: '0.05' }, modelId);
    await changeUser(harness, member.user.id, { budgetUsd: '0.3' });
    const started = await Promise.all(Array.from({ length: 10 }, () => start(ENDLESS)));
    await waitUntil('the requests', () => openRouter.callsOf().length === 10);
    expect(openRouter.callsOf().filter(isSearched)).toHaveLength(1);
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0', heldUsd: '0.3' });
    await Promise.all(started.map(({ generationId }) => member.page.tryStop(generationId)));
    await Promise.all(started.map(({ generationId }) => member.page.ended(generationId)));
    expect(await moneyIn(harness, scope)).toMatchObject({ heldUsd: '0' });
  });
});
