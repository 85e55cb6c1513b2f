import type { AdminApiKey, AdminUser, ApiKeyResponse } from '@tanya/contract';
import { callsOf, textOf } from '../chat/scripted-tools.js';
import { changeSettings, changeUser, moneyIn } from './budget-harness.js';
import { budgetOf, chat, costing, harness, installationSpent, member, refusal, scope } from './budgeted-member.js';
import { waitUntil } from '../harness/wait-until.js';
import { lastRecord, setPrices } from './usage-harness.js';

describe('the budget of a member', () => {
  it('refuses an answer that may cost more than is left, on every transport', async () => {
    await changeUser(harness, member.user.id, { budgetUsd: '0.02', budgetPeriod: 'daily' });
    harness.upstream.script(costing(0.015));
    await chat();
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0.015', heldUsd: '0' });
    expect(await budgetOf()).toMatchObject({ limitUsd: '0.02', spentUsd: '0.015', remainingUsd: '0.005' });
    const message =
      'This answer may cost up to 0.01 USD, but your budget has 0.005 USD left. Please choose a cheaper model or ask an administrator.';
    const params = { reason: 'user', mostUsd: '0.01', leftUsd: '0.005' };
    expect(await refusal()).toEqual({ code: 'budget_too_small', message, details: { params } });
    const refused = { statusCode: 403, code: 'budget_too_small', retryable: false };
    expect((await member.client.post('/api/chat/message', { content: 'hello' })).body).toMatchObject(refused);
    await setPrices(harness, { image: '0.04' }, 'openai/gpt-image-1');
    expect((await member.client.post('/api/generate-image', { prompt: 'a harbour' })).body).toMatchObject(refused);
    const { apiKey } = (await member.client.post<{ apiKey: string }>('/api/user/apikey/generate')).body;
    const call = async (path: string, body: object) => {
      const answer = await harness.client().post(path, body, { headers: { Authorization: `Bearer ${apiKey}` } });
      return [answer.status, (answer.body as { error: object }).error];
    };
    const error = { type: 'insufficient_quota', code: 'budget_too_small' };
    const expected = [403, expect.objectContaining(error)];
    expect(await call('/api/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }] })).toEqual(expected);
    expect(await call('/api/v1/responses', { input: 'hi' })).toEqual(expected);
    expect(await call('/api/v1/images/generations', { prompt: 'a harbour' })).toEqual(expected);
    // The price of the model is unknown.
    expect(await call('/api/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' })).toEqual([
      403,
      expect.objectContaining({ code: 'price_unknown', type: 'invalid_request_error' }),
    ]);
  });

  it('is spent when nothing is left', async () => {
    await changeUser(harness, member.user.id, { budgetUsd: '0.01' });
    await chat();
    const message = 'Your budget is spent. Please wait for its next period or ask an administrator.';
    expect(await refusal()).toEqual({ code: 'budget_exceeded', message, details: { params: { reason: 'user' } } });
  });

  it('is held while an answer runs, and released by its cost', async () => {
    await changeUser(harness, member.user.id, { budgetUsd: 0.01 });
    const release = harness.upstream.hold(costing(0.004));
    const { generationId } = await member.page.start('slow');
    expect(await budgetOf()).toMatchObject({ spentUsd: '0', heldUsd: '0.01', remainingUsd: '0' });
    const message =
      'Answers that are being written may need the rest of the budget. Please wait until they have ended.';
    expect(await refusal()).toMatchObject({ code: 'budget_exceeded', message });
    release();
    await member.page.ended(generationId);
    expect(await budgetOf()).toMatchObject({ spentUsd: '0.004', heldUsd: '0', remainingUsd: '0.006' });
  });

  it('is free of failures, which the installation pays', async () => {
    await changeSettings(harness, { installationBudgetUsd: '10', installationBudgetPeriod: 'weekly' });
    await changeUser(harness, member.user.id, { budgetUsd: '1' });
    const before = await installationSpent();
    harness.upstream.script({ steps: [{ text: 'broken off' }] });
    await chat();
    expect(await lastRecord(harness, scope)).toMatchObject({ state: 'released', cost_usd: '0.01' });
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0', heldUsd: '0' });
    expect(await installationSpent()).toBeCloseTo(before + 0.01, 9);
  });

  it('is that of the plan, unless the member has one', async () => {
    await changeSettings(harness, { freeUserBudgetUsd: '0.01', premiumUserBudgetUsd: '5', userBudgetPeriod: 'daily' });
    await chat();
    expect(await refusal()).toMatchObject({ code: 'budget_exceeded' });
    const other = await harness.memberPage();
    expect((await other.page.tryStart('another member')).ok).toBe(true);
    await changeUser(harness, member.user.id, { budgetUsd: '0.02' });
    await chat();
    await changeUser(harness, member.user.id, { budgetUsd: null, isPremium: true });
    expect(await budgetOf()).toMatchObject({ limitUsd: '5', spentUsd: '0.02', period: 'daily' });
  });

  it('refuses a model with an unknown price, and admits a free one at a budget of zero', async () => {
    await changeUser(harness, member.user.id, { budgetUsd: 0 });
    expect(await refusal()).toMatchObject({ code: 'budget_exceeded' });
    await setPrices(harness, null);
    expect(await refusal()).toMatchObject({ code: 'price_unknown' });
    await setPrices(harness, { prompt: '0' });
    expect(await refusal()).toMatchObject({ code: 'price_unknown' });
    await setPrices(harness, { prompt: '0', completion: '0' });
    expect(await chat()).toMatchObject({ message: { status: 'complete' } });
  });

  it('counts what was spent in the period before it was set', async () => {
    await chat();
    await changeUser(harness, member.user.id, { budgetUsd: '0.015' });
    expect(await budgetOf()).toMatchObject({ spentUsd: '0.01', remainingUsd: '0.005' });
    expect(await refusal()).toMatchObject({ code: 'budget_too_small' });
  });

  it('begins anew with the next period, and an answer in between counts in its own', async () => {
    await changeUser(harness, member.user.id, { budgetUsd: '0.01', budgetPeriod: 'daily' });
    const release = harness.upstream.hold(costing(0.01));
    const { generationId } = await member.page.start('before midnight');
    // The same as a clock that passes midnight.
    const yesterday = `to_char((now() - interval '1 day') at time zone 'utc', 'YYYY-MM-DD')`;
    await harness.dataSource.query(`update budget_account set period = ${yesterday} where scope = $1`, [scope]);
    await harness.dataSource.query(`update usage_record set user_budget_period = ${yesterday} where user_id = $1`, [
      member.user.id,
    ]);
    expect(await budgetOf()).toMatchObject({ heldUsd: '0', remainingUsd: '0.01' });
    release();
    await member.page.ended(generationId);
    expect(await budgetOf()).toMatchObject({ spentUsd: '0', remainingUsd: '0.01' });
    await chat('after midnight');
    const rows = await harness.dataSource.query<object[]>(
      'select trim_scale(charged)::text as charged from budget_account where scope = $1',
      [scope],
    );
    expect(rows).toEqual([{ charged: '0.01' }, { charged: '0.01' }]);
  });

  it('counts what was spent while it was off since the period began', async () => {
    await changeUser(harness, member.user.id, { budgetUsd: '1', budgetPeriod: 'daily' });
    await chat('yesterday');
    const yesterday = `to_char((now() - interval '1 day') at time zone 'utc', 'YYYY-MM-DD')`;
    await harness.dataSource.query(`update budget_account set period = ${yesterday} where scope = $1`, [scope]);
    await harness.dataSource.query(`update usage_record set user_budget_period = ${yesterday} where user_id = $1`, [
      member.user.id,
    ]);
    await changeUser(harness, member.user.id, { budgetUsd: null });
    await chat('without a budget');
    await changeUser(harness, member.user.id, { budgetUsd: '0.015' });
    expect(await budgetOf()).toMatchObject({ spentUsd: '0.01', remainingUsd: '0.005' });
    expect(await refusal()).toMatchObject({ code: 'budget_too_small' });
  });

  it('is reset together with the message quota', async () => {
    await changeUser(harness, member.user.id, { budgetUsd: '0.01' });
    await chat();
    expect(await refusal()).toMatchObject({ code: 'budget_exceeded' });
    const admin = await harness.admin();
    const reset = await admin.post<AdminUser>(`/api/admin/users/${member.user.id}/reset-usage`);
    expect(reset.body).toMatchObject({ budgetUsd: '0.01', budget: { spentUsd: '0', remainingUsd: '0.01' } });
    await chat();
  });

  it('ends an answer with tools whose next step it does not allow', async () => {
    await changeUser(harness, member.user.id, { budgetUsd: '0.015' });
    const call = { id: 'a', name: 'search' };
    harness.upstream.script(callsOf('Let me see.', call));
    const { message } = await chat('look', ['search']);
    expect(message).toMatchObject({ status: 'complete', content: 'Let me see.', notices: [{ code: 'budget_spent' }] });
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0.01', heldUsd: '0' });
  });

  it('is held for each step of an answer with tools', async () => {
    await changeUser(harness, member.user.id, { budgetUsd: '0.02' });
    harness.upstream.script(callsOf('Let me see.', { id: 'b', name: 'search' }), textOf('Found.'));
    expect((await chat('look', ['search'])).message).toMatchObject({
      status: 'complete',
      content: expect.stringContaining('Found.'),
    });
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0.02', heldUsd: '0' });
  });

  it.each(['-1', 'abc', '1e3', '1,5', '999999999', '0.0000000000001', {}, true, -0.5, 1e30])(
    'refuses %j as an amount (LIM-11)',
    async (budgetUsd) => {
      const admin = await harness.admin();
      const answers = await Promise.all([
        admin.patch(`/api/admin/users/${member.user.id}`, { budgetUsd }),
        admin.patch('/api/admin/general-settings', { installationBudgetUsd: budgetUsd }),
        member.client.post('/api/user/keys', { name: 'one', budgetUsd }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    },
  );

  it('refuses an unknown period', async () => {
    const admin = await harness.admin();
    const path = `/api/admin/users/${member.user.id}`;
    expect((await admin.patch(path, { budgetPeriod: 'yearly' })).status).toBe(400);
    expect((await admin.patch('/api/admin/general-settings', { userBudgetPeriod: null })).status).toBe(400);
  });
});

describe('the budget of a readable key', () => {
  const generated = async () => (await member.client.post<ApiKeyResponse>('/api/user/apikey/generate')).body.apiKey!;

  const call = async (key: string) => {
    const body = { messages: [{ role: 'user', content: 'hi' }] };
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await harness.client().post('/api/v1/chat/completions', body, { headers });
    return (answer.body as { error?: { code: string } }).error?.code ?? answer.status;
  };

  it('stays spent for the key that replaces it, with what its running answers hold', async () => {
    const admin = await harness.admin();
    let key = await generated();
    const [{ id }] = (await admin.get<[AdminApiKey]>(`/api/admin/keys?userId=${member.user.id}`)).body;
    expect((await admin.patch(`/api/admin/keys/${id}`, { budgetUsd: '0.03', messageCap: 9 })).status).toBe(200);
    harness.upstream.script(costing(0.01));
    expect(await call(key)).toBe(200);
    key = await generated();
    const release = harness.upstream.hold(costing(0.01));
    const running = call(key);
    const open = () => harness.dataSource.query<object[]>(`select from generation where status = 'streaming'`);
    await waitUntil('a running answer', async () => (await open()).length > 0);
    key = await generated();
    release();
    await running;
    const shown = async () => (await admin.get<AdminApiKey[]>(`/api/admin/keys?userId=${member.user.id}`)).body;
    expect(await shown()).toMatchObject([{ spentUsd: '0.02', messagesUsed: 2 }]);
    harness.upstream.script(costing(0.01));
    expect(await call(key)).toBe(200);
    expect(await call(await generated())).toBe('budget_exceeded');
    expect(await shown()).toMatchObject([{ spentUsd: '0.03', messagesUsed: 3 }]);
  });
});
