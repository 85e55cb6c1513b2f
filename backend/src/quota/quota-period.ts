import type { QuotaPeriod } from '@tanya/contract';

/** The key of the period that contains `now`, in UTC: `ever`, `2026-11-20` or `2026-11`. */
export function periodKey(period: QuotaPeriod, now: Date): string {
  if (period === 'never') return 'ever';
  return now.toISOString().slice(0, period === 'daily' ? 10 : 7);
}

/** ISO time at which the next period begins; null for `never`. */
export function periodEnd(period: QuotaPeriod, now: Date): string | null {
  if (period === 'never') return null;
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return new Date(period === 'daily' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1)).toISOString();
}
