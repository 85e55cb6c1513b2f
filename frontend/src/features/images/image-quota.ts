import { LIMITS, type Quota, UNLIMITED } from '@tanya/contract';

/** Whether what is left pays for one more picture. */
export function canAffordImage(quota: Quota | undefined): boolean {
  return quota === undefined || quota.max === UNLIMITED || quota.used + LIMITS.imageCost <= quota.max;
}
