import type { QuotaPeriod } from '@tanya/contract';
import { periodEnd } from './quota-period.js';

/** Time before the end of a period in which the node's clock alone does not refuse, ms: it may be slow by that much. */
const CLOCK_SKEW_MS = 60 * 60 * 1000;

interface Demand {
  /** Messages of the period by the node's clock, from a cached account. */
  used: number;
  cost: number;
  max: number;
  quotaPeriod: QuotaPeriod;
}

/**
 * Whether an owner has spent the quota, as a rule without a query. Shortly before the end of the period by the node's clock
 * the period of the database's clock decides: it may have ended.
 * @param usedNow reads the messages of the period by the database's clock
 */
export async function isQuotaSpent(demand: Demand, usedNow: () => Promise<number>): Promise<boolean> {
  const { used, cost, max, quotaPeriod } = demand;
  if (used + cost <= max) return false;
  const end = periodEnd(quotaPeriod, new Date());
  const isNearEnd = end !== null && Date.parse(end) - Date.now() < CLOCK_SKEW_MS;
  return !isNearEnd || (await usedNow()) + cost > max;
}
