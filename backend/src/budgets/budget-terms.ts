import type { BudgetPeriod, SettingValue } from '@tanya/contract';
import type { Identity } from '../identity/identity.js';

/** A budget: USD as a decimal string for each period. */
export interface BudgetTerm {
  limit: string;
  period: BudgetPeriod;
}

/** The budgets that a generation counts against, in the order of their locks. */
export interface BudgetTerms {
  user?: BudgetTerm;
  key?: BudgetTerm;
  installation?: BudgetTerm;
}

export type BudgetSettings = {
  readonly [
    N in
      | 'freeUserBudgetUsd'
      | 'premiumUserBudgetUsd'
      | 'userBudgetPeriod'
      | 'installationBudgetUsd'
      | 'installationBudgetPeriod'
  ]: SettingValue<N>;
};

/** The fields of an identity that decide its budgets. */
export type Budgeted = Pick<Identity, 'userId' | 'isPremium' | 'budgetUsd' | 'budgetPeriod' | 'apiKey'>;

/** The budget of a member: its own, else that of its groups, else that of its plan; a negative one is unlimited. */
export function userTerm(
  member: Pick<Budgeted, 'isPremium' | 'budgetUsd' | 'budgetPeriod'>,
  settings: BudgetSettings,
): BudgetTerm | undefined {
  const ofPlan = member.isPremium ? settings.premiumUserBudgetUsd : settings.freeUserBudgetUsd;
  const limit = member.budgetUsd ?? ofPlan;
  return limit === null || Number(limit) < 0
    ? undefined
    : { limit, period: member.budgetPeriod ?? settings.userBudgetPeriod };
}

/** A key's budget counts for the life of the key, as its message cap does. */
export const keyTerm = (budgetUsd: string | null | undefined): BudgetTerm | undefined =>
  budgetUsd == null ? undefined : { limit: budgetUsd, period: 'never' };

export const installationTerm = (settings: BudgetSettings): BudgetTerm | undefined =>
  settings.installationBudgetUsd === null
    ? undefined
    : { limit: settings.installationBudgetUsd, period: settings.installationBudgetPeriod };

/** The budgets of a caller; null without any. A guest counts against the installation's alone. */
export function budgetTerms(asker: Budgeted, settings: BudgetSettings): BudgetTerms | null {
  const user = asker.userId === null ? undefined : userTerm(asker, settings);
  const key = keyTerm(asker.apiKey?.budgetUsd);
  const installation = installationTerm(settings);
  if (user === undefined && key === undefined && installation === undefined) return null;
  return { ...(user && { user }), ...(key && { key }), ...(installation && { installation }) };
}

const DAY_MS = 86_400_000;

/** ISO time at which the next period begins, in UTC; null for `never`. A week begins on Monday. */
export function budgetPeriodEnd(period: BudgetPeriod, now: Date): string | null {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const today = Date.UTC(year, month, day);
  switch (period) {
    case 'never':
      return null;
    case 'daily':
      return new Date(today + DAY_MS).toISOString();
    case 'weekly':
      return new Date(today + (7 - ((now.getUTCDay() + 6) % 7)) * DAY_MS).toISOString();
    case 'monthly':
      return new Date(Date.UTC(year, month + 1, 1)).toISOString();
  }
}
