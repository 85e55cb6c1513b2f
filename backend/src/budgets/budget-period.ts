import type { BudgetPeriod } from '@tanya/contract';

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
