import type { AdminSettings } from '@tanya/contract';
import { changeSettings, moneyIn } from './budget-harness.js';
import { chat, costing, harness, installationSpent, refusal } from './budgeted-member.js';

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
      statusCode: 403,
      code: 'budget_exceeded',
      details: { params: { reason: 'installation' } },
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

  it('opens with what was spent while it was off since the period began', async () => {
    await harness.dataSource.query(`delete from budget_account where scope = 'installation'`);
    await harness.dataSource.query('update usage_record set installation_budget_period = null');
    await changeSettings(harness, { installationBudgetUsd: '1000', installationBudgetPeriod: 'daily' });
    const before = await installationSpent();
    await chat('yesterday');
    const yesterday = `to_char((now() - interval '1 day') at time zone 'utc', 'YYYY-MM-DD')`;
    await harness.dataSource.query(`update budget_account set period = ${yesterday} where scope = 'installation'`);
    await harness.dataSource.query(
      `update usage_record set installation_budget_period = ${yesterday} where installation_budget_period is not null`,
    );
    await changeSettings(harness, { installationBudgetUsd: null });
    harness.upstream.script(costing(0.125));
    await chat('without a budget');
    await changeSettings(harness, { installationBudgetUsd: '1000' });
    expect(await installationSpent()).toBeCloseTo(before + 0.125, 9);
  });
});
