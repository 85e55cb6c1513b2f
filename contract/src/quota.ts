import type { Budget } from './budgets.js';

/** A quota of this value is unlimited. */
export const UNLIMITED = -1;

/** An owner's quota in messages, the same on REST, socket and page. */
export interface Quota {
  /** Charged plus held messages. */
  used: number;
  /** -1 is unlimited. */
  max: number;
  /** Never below 0; -1 when unlimited. */
  remaining: number;
  /** ISO 8601 time of the next reset; null when quotas never reset. */
  resetsAt: string | null;
}

/** `GET /api/user/quota`. */
export interface AccountQuota extends Quota {
  /** The account's budget in USD; absent without one. */
  budget?: Budget;
}
