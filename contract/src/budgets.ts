import { trimEndOf } from './trim-end.js';

/** Periods of budgets, in UTC. A week begins on Monday. */
export const BUDGET_PERIODS = ['never', 'daily', 'weekly', 'monthly'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** A decimal string without trailing zeros: Postgres pads decimals to the scale of their column. */
export const withoutTrailingZeros = (decimal: string): string =>
  decimal.includes('.') ? trimEndOf(trimEndOf(decimal, '0'), '.') : decimal;

/** A budget with its use in the current period. Amounts are decimal strings in USD. */
export interface Budget {
  limitUsd: string;
  /** Costs of the period. The last answer may exceed the limit, because its cost is estimated before. */
  spentUsd: string;
  /** Reserved for running answers. */
  heldUsd: string;
  /** Never below 0. */
  remainingUsd: string;
  period: BudgetPeriod;
  /** ISO 8601 time of the next period; null when the budget never resets. */
  resetsAt: string | null;
}
