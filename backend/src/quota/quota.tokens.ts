export const QUOTA_COUNTERS = Symbol('QUOTA_COUNTERS');
