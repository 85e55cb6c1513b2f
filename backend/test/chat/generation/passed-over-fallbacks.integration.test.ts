import type { AdminModel } from '@tanya/contract';
import type { Script } from '../../harness/scripted-answers.js';
import { waitUntil } from '../../harness/wait-until.js';
import { changeSettings, changeUser, moneyIn } from '../../quota/budget-harness.js';
import {
  ANSWER,
  answerTo,
  asked,
  change,
  failing,
  GONE,
  harness,
  MAIN,
  member,
  notice,
  recordOf,
  SECOND,
  switchOn,
  THIRD,
} from '../fallbacks-harness.js';

describe('a fallback', () => {
  it('is passed over when it was deleted, is disabled or is not for the asker', async () => {
    const { body } = await (await harness.admin()).post<AdminModel>('/api/admin/models', { modelId: 'fall/deleted' });
    await change(MAIN, { fallbacks: ['fall/deleted', SECOND, THIRD] });
    await (await harness.admin()).delete(`/api/admin/models/${body.id}`);
    await switchOn(SECOND, false);
    harness.upstream.script(GONE, { steps: ANSWER });
    expect(await answerTo('hello')).toMatchObject({ modelId: THIRD });
    await change(THIRD, { access: 'premium' });
    harness.upstream.script(GONE);
    expect(await answerTo('hello')).toMatchObject({ status: 'error', modelId: MAIN });
    const premium = await harness.memberPage({ isPremium: true });
    harness.upstream.script(GONE, { steps: ANSWER });
    const { generationId } = await premium.page.start('hello', { model: MAIN });
    expect((await premium.page.ended(generationId)).message).toMatchObject({ modelId: THIRD });
  });

  it('is passed over when it is dearer, unless admins allow it, and when its price is unknown beside a known one', async () => {
    const priced = (request: string) => ({ pricing: { prompt: '0', completion: '0', request } });
    await change(MAIN, priced('0.01'));
    await change(SECOND, priced('0.02'));
    harness.upstream.script(GONE);
    expect(await answerTo('hello')).toMatchObject({ status: 'error', modelId: MAIN });
    expect(asked()).toEqual([MAIN]);
    await changeSettings(harness, { allowDearerFallback: true });
    harness.upstream.script(GONE, { steps: ANSWER });
    const message = await answerTo('hello');
    expect(message).toMatchObject({ status: 'complete', modelId: SECOND });
    expect((await recordOf(message))['cost_usd']).toBe('0.02');
    await change(SECOND, { pricing: null });
    harness.upstream.script(GONE);
    expect(await answerTo('hello')).toMatchObject({ status: 'error', modelId: MAIN });
  });

  it('answers where the price of the asked model is unknown only if it is free, unless admins allow it', async () => {
    await change(SECOND, { pricing: { prompt: '0', completion: '0.01' } });
    await change(THIRD, { pricing: { prompt: '0', completion: '0' } });
    harness.upstream.script(GONE, { steps: ANSWER });
    expect(await answerTo('hello')).toMatchObject({ status: 'complete', modelId: THIRD });
    expect(asked()).toEqual([MAIN, THIRD]);
  });

  it('needs room in the budget for its own price alone, while the asked model has cost nothing', async () => {
    const fee = { pricing: { prompt: '0', completion: '0', request: '0.01' } };
    for (const modelId of [MAIN, SECOND]) await change(modelId, fee);
    await changeUser(harness, member.user.id, { budgetUsd: '0.01' });
    harness.upstream.script(GONE, { steps: ANSWER });
    expect(await answerTo('hello')).toMatchObject({ status: 'complete', modelId: SECOND });
    expect(await moneyIn(harness, `user:${member.user.id}`)).toEqual({ spentUsd: '0.01', heldUsd: '0' });
  });

  it('is passed over when the budget does not hold its price', async () => {
    await changeSettings(harness, { allowDearerFallback: true });
    const priced = (request: string) => ({ pricing: { prompt: '0', completion: '0', request } });
    await change(MAIN, priced('0.01'));
    await change(SECOND, priced('0.02'));
    await change(THIRD, priced('0.01'));
    await changeUser(harness, member.user.id, { budgetUsd: '0.015' });
    harness.upstream.script(GONE, { steps: ANSWER });
    expect(await answerTo('hello')).toMatchObject({ status: 'complete', modelId: THIRD });
    expect(await moneyIn(harness, `user:${member.user.id}`)).toEqual({ spentUsd: '0.01', heldUsd: '0' });
  });

  it('is passed over when the budget does not hold its own prompt, which is longer', async () => {
    const pricing = { prompt: '0.00001', completion: '0', request: '0' };
    await change(MAIN, { pricing, contextLength: 2_048 });
    await change(SECOND, { pricing, contextLength: 128_000 });
    await change(THIRD, { pricing, contextLength: 2_048 });
    const text = 'word '.repeat(900);
    harness.upstream.script(...Array.from({ length: 4 }, () => ({ steps: ANSWER })));
    const { threadId } = await answerTo(text);
    for (let count = 0; count < 3; count += 1) await answerTo(text, { threadId });
    harness.upstream.calls.length = 0;
    // Enough for the end of the conversation, which is all that fits the asked model.
    await changeUser(harness, member.user.id, { budgetUsd: '0.025' });
    harness.upstream.script(GONE, { steps: ANSWER });
    const message = await answerTo('hello', { threadId });
    expect(message).toMatchObject({ status: 'complete', modelId: THIRD });
    expect(message.notices).toContainEqual(notice(THIRD, 'provider_error'));
    expect(asked()).toEqual([MAIN, THIRD]);
    expect((await recordOf(message))['attempts']).toEqual([{ modelId: MAIN, reason: 'provider_error', costUsd: '0' }]);
    await changeUser(harness, member.user.id, { budgetUsd: '1' });
    harness.upstream.script(GONE, { steps: ANSWER });
    expect(await answerTo('hello', { threadId })).toMatchObject({ status: 'complete', modelId: SECOND });
  });

  it('is passed over when the budget is spent before it is asked', async () => {
    await changeSettings(harness, { allowDearerFallback: true });
    const priced = (request: string) => ({ pricing: { prompt: '0', completion: '0', request } });
    await change(MAIN, priced('0.01'));
    for (const modelId of [SECOND, THIRD]) await change(modelId, priced('0.02'));
    await changeUser(harness, member.user.id, { budgetUsd: '0.04' });
    const fail = harness.upstream.hold(GONE);
    const { generationId } = await member.page.start('hello', { model: MAIN });
    await waitUntil('the asked model', () => asked().length === 1);
    // Three other answers spend what the fallback would need.
    for (const text of ['one', 'two', 'three']) expect(await answerTo(text)).toMatchObject({ status: 'complete' });
    fail();
    const { message } = await member.page.ended(generationId);
    expect(message).toMatchObject({ status: 'error', modelId: MAIN, error: { code: 'provider_error' } });
    expect(asked()).toEqual([MAIN, MAIN, MAIN, MAIN]);
    expect(await moneyIn(harness, `user:${member.user.id}`)).toEqual({ spentUsd: '0.03', heldUsd: '0' });
  });

  it('is passed over when it was switched off while the asked model was waited for', async () => {
    const fail = harness.upstream.hold(GONE);
    const { generationId } = await member.page.start('hello', { model: MAIN });
    await waitUntil('the asked model', () => asked().length === 1);
    await switchOn(SECOND, false);
    await change(THIRD, { access: 'premium' });
    fail();
    expect((await member.page.ended(generationId)).message).toMatchObject({ status: 'error', modelId: MAIN });
    expect(asked()).toEqual([MAIN]);
  });

  it('answers with its longer context where the asked one is too short', async () => {
    const tooLong: Script = { status: 400, body: JSON.stringify({ error: { message: 'maximum context length' } }) };
    await change(MAIN, { contextLength: 8_192 });
    await change(SECOND, { contextLength: 512 });
    await change(THIRD, { contextLength: 128_000 });
    harness.upstream.script(tooLong, { steps: ANSWER });
    const message = await answerTo('word '.repeat(700));
    expect(message).toMatchObject({ modelId: THIRD, notices: [notice(THIRD, 'provider_context')] });
    expect(asked()).toEqual([MAIN, THIRD]);
  });

  it('is passed over when it takes no tools and the answer may need them', async () => {
    await change(SECOND, { supportsTools: false });
    harness.upstream.script(failing(402), { steps: ANSWER });
    expect(await answerTo('hello', { tools: ['add'] })).toMatchObject({ modelId: THIRD });
  });

  it('gets the tools that the asked model did not take', async () => {
    await change(MAIN, { supportsTools: false });
    harness.upstream.script(failing(402), { steps: ANSWER });
    const message = await answerTo('hello', { tools: ['add'] });
    expect(message.notices).toEqual([notice(SECOND, 'provider_credit')]);
    const [first, second] = harness.upstream.callsOf().map(({ body }) => body['tools']);
    expect(first).toBeUndefined();
    expect(second).toEqual([expect.objectContaining({ function: expect.objectContaining({ name: 'add' }) as object })]);
  });
});
