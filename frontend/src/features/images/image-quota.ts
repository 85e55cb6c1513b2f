import { LIMITS, type Quota, UNLIMITED } from '@tanya/contract';

/** Whether the remaining quota covers one more image. */
export function canAffordImage(quota: Quota | undefined): boolean {
  return quota === undefined || quota.max === UNLIMITED || quota.used + LIMITS.imageCost <= quota.max;
}
