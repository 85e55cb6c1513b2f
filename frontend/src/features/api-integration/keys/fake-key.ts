import type { ApiKey } from '@tanya/contract';

/** A key with limits, for tests. */
export const report: ApiKey = {
  id: 3,
  name: 'Nightly report',
  hint: 'wxyz',
  createdAt: '2026-11-01T08:00:00.000Z',
  lastUsedAt: null,
  expiresAt: null,
  messageCap: 100,
  messagesUsed: 12,
  budgetUsd: null,
  spentUsd: null,
  scope: 'api',
  requestsPerMinute: null,
  tokensPerMinute: null,
  adminLimits: {},
  models: ['openai/small'],
};
