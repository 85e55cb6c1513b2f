import { OrphanReaper } from '../../src/chat/nodes/orphan-reaper.js';
import { changeSettings, changeUser, moneyIn } from './budget-harness.js';
import { harness, installationSpent, member, scope } from './budgeted-member.js';

const ENDLESS = 'runs on [[words=3 stall=2]]';

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
    await harness.app.get(OrphanReaper).finalize(generationId, 'interrupted');
    expect(await moneyIn(harness, scope)).toEqual({ spentUsd: '0', heldUsd: '0' });
    expect(await paidByInstallation(before)).toBeCloseTo(0.01, 9);
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
