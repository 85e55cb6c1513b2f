import { type BudgetSettings, budgetTerms } from './budget-terms.js';

const NONE: BudgetSettings = {
  freeUserBudgetUsd: null,
  premiumUserBudgetUsd: null,
  userBudgetPeriod: 'monthly',
  installationBudgetUsd: null,
  installationBudgetPeriod: 'weekly',
};

const MEMBER = { userId: 1, isPremium: false, budgetUsd: null, budgetPeriod: null };
const GUEST = { userId: null, isPremium: false };

describe('the budgets of a caller', () => {
  it('are none without a budget anywhere', () => {
    expect(budgetTerms(MEMBER, NONE)).toBeNull();
  });

  it('are the default of the plan', () => {
    const settings = { ...NONE, freeUserBudgetUsd: '5', premiumUserBudgetUsd: '20' };
    expect(budgetTerms(MEMBER, settings)).toEqual({ user: { limit: '5', period: 'monthly' } });
    expect(budgetTerms({ ...MEMBER, isPremium: true }, settings)).toEqual({ user: { limit: '20', period: 'monthly' } });
  });

  it('are the own budget in place of the default, also a budget of zero', () => {
    const settings = { ...NONE, freeUserBudgetUsd: '5' };
    const own = { ...MEMBER, budgetUsd: '0', budgetPeriod: 'daily' as const };
    expect(budgetTerms(own, settings)).toEqual({ user: { limit: '0', period: 'daily' } });
  });

  it('include those of the key and of the installation', () => {
    const settings = { ...NONE, installationBudgetUsd: '100' };
    expect(budgetTerms({ ...MEMBER, apiKey: { id: 3, models: null, budgetUsd: '1' } }, settings)).toEqual({
      key: { limit: '1', period: 'never' },
      installation: { limit: '100', period: 'weekly' },
    });
  });

  it('are that of the installation alone for a guest', () => {
    const settings = { ...NONE, freeUserBudgetUsd: '5', installationBudgetUsd: '100' };
    expect(budgetTerms(GUEST, settings)).toEqual({ installation: { limit: '100', period: 'weekly' } });
  });
});
