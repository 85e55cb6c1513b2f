import type { AccountQuota, AdminSettings, AdminUser, ApiKey, CreatedApiKey } from '@tanya/contract';
import { OrphanFinalizer } from '../../src/chat/generation/ports/orphan-finalizer.js';
import { callsOf, registerTools, ScriptedTool, textOf } from '../chat/scripted-tools.js';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import { refusalOf } from '../harness/socket-client.js';
import { waitUntil } from '../harness/wait-until.js';
import { changeSettings, changeUser, FEE, moneyIn, withoutBudgets } from './budget-harness.js';
import { answerWith, lastRecord, setPrices } from './usage-harness.js';

const ENDLESS = 'runs on [[words=3 stall=2]]';

const costing = (cost: number) => answerWith({ prompt_tokens: 1, completion_tokens: 1, cost });

let harness: ChatHarness;
let member: MemberPage;
let scope: string;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
  registerTools(harness, new ScriptedTool('search'));
});

beforeEach(async () => {
  await setPrices(harness, FEE);
  member = await harness.memberPage();
  scope = `user:${member.user.id}`;
});

afterEach(async () => {
  await harness.settle();
  await withoutBudgets(harness);
});

afterAll(() => harness.close());

const chat = async (text = 'hello', tools?: string[]) => {
  const { generationId } = await member.page.start(text, { tools });
  return member.page.ended(generationId);
};

const refusal = async () => {
  const { code, message, details } = refusalOf(await member.page.tryStart('one more'));
  return { code, message, details };
};

/** USD that the installation has spent in the period of its budget. */
const installationSpent = async () => {
  const { body } = await (await harness.admin()).get<AdminSettings>('/api/general-settings');
  return Number(body.installationBudget!.spentUsd);
};

const budgetOf = async () => (await member.client.get<AccountQuota>('/api/user/quota')).body.budget;

describe('the budget of a member', () => {
  it('is spent by answers, and refuses the next one on every transport', async () => {
    await changeUser(harness, member.user.id, { budgetUsd: '0.02', budgetPeriod: 'daily' });
    harness.upstream.script(costing(0.015));
    await chat();
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0.015', heldUsd: '0' });
    expect(await budgetOf()).toMatchObject({ limitUsd: '0.02', spentUsd: '0.015', remainingUsd: '0.005' });
    const message = 'Your budget is spent. Please wait for its next period or ask an administrator.';
    expect(await refusal()).toEqual({ code: 'budget_exceeded', message, details: { params: { reason: 'user' } } });
    const refused = { statusCode: 403, code: 'budget_exceeded', retryable: false };
    expect((await member.client.post('/api/chat/message', { content: 'hello' })).body).toMatchObject(refused);
    await setPrices(harness, { image: '0.04' }, 'openai/gpt-image-1');
    expect((await member.client.post('/api/generate-image', { prompt: 'a harbour' })).body).toMatchObject(refused);
    const { apiKey } = (await member.client.post<{ apiKey: string }>('/api/user/apikey/generate')).body;
    const call = async (path: string, body: object) => {
      const answer = await harness.client().post(path, body, { headers: { Authorization: `Bearer ${apiKey}` } });
      return [answer.status, (answer.body as { error: object }).error];
    };
    const error = { message, type: 'insufficient_quota', code: 'budget_exceeded' };
    const expected = [403, expect.objectContaining(error)];
    expect(await call('/api/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }] })).toEqual(expected);
    expect(await call('/api/v1/responses', { input: 'hi' })).toEqual(expected);
    expect(await call('/api/v1/images/generations', { prompt: 'a harbour' })).toEqual(expected);
    // The price of an embedding model outside of the table is unknown.
    expect(await call('/api/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' })).toEqual([
      403,
      expect.objectContaining({ code: 'price_unknown', type: 'invalid_request_error' }),
    ]);
  });

  it('is held while an answer runs, and released by its cost', async () => {
    await changeUser(harness, member.user.id, { budgetUsd: 0.01 });
    const release = harness.upstream.hold(costing(0.004));
    const { generationId } = await member.page.start('slow');
    expect(await budgetOf()).toMatchObject({ spentUsd: '0', heldUsd: '0.01', remainingUsd: '0' });
    expect(await refusal()).toMatchObject({ code: 'budget_exceeded' });
    release();
    await member.page.ended(generationId);
    expect(await budgetOf()).toMatchObject({ spentUsd: '0.004', heldUsd: '0', remainingUsd: '0.006' });
  });

  it('is free of failures, which the installation pays', async () => {
    await changeSettings(harness, { installationBudgetUsd: '10', installationBudgetPeriod: 'weekly' });
    await changeUser(harness, member.user.id, { budgetUsd: '1' });
    const before = await installationSpent();
    await chat('broken [[words=30 cut=20 pace=20]]');
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
    expect(await refusal()).toMatchObject({ code: 'budget_exceeded' });
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
      ...{ status: 'complete', content: expect.stringContaining('Found.') },
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

describe('a budget and the end of an answer', () => {
  const running = async () => {
    await changeSettings(harness, { installationBudgetUsd: '100', installationBudgetPeriod: 'monthly' });
    await changeUser(harness, member.user.id, { budgetUsd: '1' });
    const { generationId } = await member.page.start(ENDLESS);
    await member.page.firstText(generationId);
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0', heldUsd: '0.01' });
    return { generationId, before: await installationSpent() };
  };
  const paidByInstallation = async (before: number) => (await installationSpent()) - before;

  it('is charged for a stopped answer with text', async () => {
    const { generationId } = await running();
    await member.page.tryStop(generationId);
    await member.page.ended(generationId);
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0.01', heldUsd: '0' });
  });

  it('is free for a suspended member', async () => {
    const { before } = await running();
    await changeUser(harness, member.user.id, { isSuspended: true });
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0', heldUsd: '0' });
    expect(await paidByInstallation(before)).toBeCloseTo(0.01, 9);
  });

  it('is free for an answer of a dead node', async () => {
    const { generationId, before } = await running();
    await harness.app.get(OrphanFinalizer).finalize(generationId, 'interrupted');
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0', heldUsd: '0' });
    expect(await paidByInstallation(before)).toBeCloseTo(0.01, 9);
  });

  it('leaves no hold when a node of the previous version ends it', async () => {
    const { generationId } = await running();
    const undone = new Error('undone');
    const ending = harness.dataSource.transaction(async (manager) => {
      const read = async (of: string) => {
        const [row] = await manager.query<[{ charged: number; held: number }]>(
          'select sum(charged)::float8 as charged, sum(held)::float8 as held from budget_account where scope = $1',
          [of],
        );
        return row;
      };
      const before = await read('installation');
      await manager.query(
        `update usage_record set state = 'released', reason = 'interrupted', cost_source = 'unknown'
         where generation_id = $1`,
        [generationId],
      );
      expect(await read(scope)).toEqual({ charged: 0, held: 0 });
      // Its cost is unknown and counts as the hold.
      expect(await read('installation')).toEqual({ charged: expect.closeTo(before.charged + 0.01, 9), held: 0 });
      throw undone;
    });
    await expect(ending).rejects.toBe(undone);
    await member.page.tryStop(generationId);
    await member.page.ended(generationId);
  });

  it('leaves no hold of a deleted account', async () => {
    const { before } = await running();
    const admin = await harness.admin();
    expect((await admin.delete(`/api/admin/users/${member.user.id}`)).status).toBe(200);
    expect(await moneyIn(harness, 'installation')).toMatchObject({ heldUsd: '0' });
    expect(await paidByInstallation(before)).toBeCloseTo(0.01, 9);
    const rows = await harness.dataSource.query('select 1 from budget_account where scope = $1', [scope]);
    expect(rows).toEqual([]);
  });
});

describe('the budget of a key', () => {
  const createKey = async (fields: object) =>
    (await member.client.post<CreatedApiKey>('/api/user/keys', { name: 'limited', ...fields })).body;
  const ask = (key: string) =>
    harness
      .client()
      .post(
        '/api/v1/chat/completions',
        { messages: [{ role: 'user', content: 'hello' }] },
        { headers: { Authorization: `Bearer ${key}` } },
      );

  it('limits its calls alone, for its whole life', async () => {
    const { id, key } = await createKey({ budgetUsd: '0.02' });
    expect([await ask(key), await ask(key)].map(({ status }) => status)).toEqual([200, 200]);
    const refused = await ask(key);
    expect([refused.status, refused.body]).toEqual([
      403,
      { error: expect.objectContaining({ code: 'budget_exceeded', message: expect.stringContaining('API key') }) },
    ]);
    const [listed] = (await member.client.get<ApiKey[]>('/api/user/keys')).body;
    expect(listed).toMatchObject({ id, budgetUsd: '0.02', spentUsd: '0.02' });
    expect((await ask((await createKey({})).key)).status).toBe(200);
    await chat();
    await member.client.patch(`/api/user/keys/${id}`, { budgetUsd: 1 });
    expect((await ask(key)).status).toBe(200);
  });

  it('leaves no hold when the key is deleted during an answer', async () => {
    await changeUser(harness, member.user.id, { budgetUsd: '1' });
    const { id, key } = await createKey({ budgetUsd: '1' });
    const release = harness.upstream.hold(costing(0.005));
    const answer = ask(key);
    await waitUntil('the hold', async () => (await moneyIn(harness, `key:${id}`)).heldUsd === '0.01');
    expect((await member.client.delete(`/api/user/keys/${id}`)).status).toBe(200);
    expect((await answer).status).toBe(503);
    release();
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0', heldUsd: '0' });
  });
});

describe('the budget of the installation', () => {
  it('counts every cost, that of guests too, and shows its use to admins', async () => {
    const admin = await harness.admin();
    const settings = async () => (await admin.get<AdminSettings>('/api/general-settings')).body;
    await changeSettings(harness, { installationBudgetUsd: '1000', installationBudgetPeriod: 'never' });
    const before = Number((await settings()).installationBudget!.spentUsd);
    const guest = await harness.guest();
    harness.upstream.script(costing(0.25));
    expect((await guest.post('/api/chat/message', { content: 'hello' })).status).toBe(201);
    const { installationBudget } = await settings();
    expect(installationBudget).toMatchObject({ limitUsd: '1000', heldUsd: '0', period: 'never', resetsAt: null });
    expect(Number(installationBudget!.spentUsd)).toBeCloseTo(before + 0.25, 9);
    await changeSettings(harness, { installationBudgetUsd: installationBudget!.spentUsd });
    const refused = await (await harness.guest()).post('/api/chat/message', { content: 'hello' });
    expect(refused.body).toMatchObject({
      ...{ statusCode: 403, code: 'budget_exceeded', details: { params: { reason: 'installation' } } },
    });
    expect(await refusal()).toMatchObject({ code: 'budget_exceeded' });
    await changeSettings(harness, { installationBudgetUsd: null });
    expect((await settings()).installationBudget).toBeNull();
    await chat();
  });

  it('opens with what the period has cost so far', async () => {
    await harness.dataSource.query(`delete from budget_account where scope = 'installation'`);
    const [{ spent }] = await harness.dataSource.query<[{ spent: string }]>(
      `select trim_scale(sum(cost_usd))::text as spent from usage_record where state <> 'held'`,
    );
    await harness.dataSource.query('update usage_record set installation_budget_period = null');
    await changeSettings(harness, { installationBudgetUsd: '1000', installationBudgetPeriod: 'weekly' });
    harness.upstream.script(costing(0.5));
    await chat();
    expect(Number((await moneyIn(harness, 'installation')).spentUsd)).toBeCloseTo(Number(spent) + 0.5, 9);
  });
});
