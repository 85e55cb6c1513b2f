import type { AdminUser } from '@tanya/contract';
import { sari } from '../../app/session/fake-user';

/** An account on the free plan as admins see it, for tests. */
export const account: AdminUser = {
  ...sari,
  isApproved: true,
  isSuspended: false,
  isService: false,
  quotaUsed: 0,
  quotaOverride: null,
  groupIds: [],
  quotaLimit: 100,
  budgetUsd: null,
  budgetPeriod: null,
  budget: null,
  lastSeenAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
};
