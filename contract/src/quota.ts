/** What the owner may still spend, in messages. The same on REST, on the socket and in the page. */
export interface Quota {
  /** Charged and held together. */
  used: number;
  /** -1 is unlimited. */
  max: number;
  /** Never below 0; -1 when unlimited. */
  remaining: number;
  /** ISO time of the next reset, null when quotas count for ever. */
  resetsAt: string | null;
}

export type QuotaPeriod = 'never' | 'daily' | 'monthly';
