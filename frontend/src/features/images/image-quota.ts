import { LIMITS, type Quota, UNLIMITED } from '@tanya/contract';

export function canAffordImage(quota: Quota | undefined): boolean {
  return quota === undefined || quota.max === UNLIMITED || quota.used + LIMITS.imageCost <= quota.max;
}
