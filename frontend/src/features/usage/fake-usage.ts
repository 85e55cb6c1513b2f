import type { UsagePoint, UsageReport, UsageSums } from '@tanya/contract';

/** Sums for tests, zeros where none are given. */
export const sums = (given: Partial<UsageSums> = {}): UsageSums => ({
  generations: 0,
  messages: 0,
  failures: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  costUsd: '0',
  unpriced: 0,
  ...given,
});

export const point = (day: string, name: string | null, given: Partial<UsageSums>): UsagePoint => ({
  ...sums(given),
  day,
  name,
});

const DAY = '2026-11-21';
const TOTALS = sums({
  generations: 12,
  messages: 10,
  failures: 3,
  promptTokens: 1200,
  completionTokens: 300,
  costUsd: '0.000123456',
  unpriced: 2,
});

export const REPORT: UsageReport = {
  from: DAY,
  to: '2026-11-22',
  step: 'day',
  totals: { ...TOTALS, people: 4, errorRate: 0.25, firstTokenMs: { p50: 480, p95: 1900 } },
  byModel: [point(DAY, 'maker/large', { messages: 7 }), point('2026-11-22', 'maker/small', { messages: 3 })],
  byPlan: [point(DAY, 'free', { messages: 7 }), point('2026-11-22', null, { messages: 3 })],
  byChannel: [point(DAY, 'web', { messages: 7 }), point('2026-11-22', 'api', { messages: 3 })],
  topPeople: [
    { owner: 'user:2', userId: 2, username: 'budi', ...sums({ messages: 7, costUsd: '0.5', generations: 7 }) },
    { owner: 'guest:0b6e', userId: null, username: null, ...sums({ messages: 2, generations: 2, unpriced: 2 }) },
    { owner: 'anonymous', userId: null, username: null, ...sums({ messages: 1, generations: 3, unpriced: 1 }) },
  ],
  site: sums({ promptTokens: 90, completionTokens: 10, costUsd: '0.00002' }),
  topModels: [{ modelId: 'maker/large', ...sums({ messages: 7 }) }],
  topKeys: [
    { apiKeyId: 5, name: 'Nightly report', userId: 2, username: 'budi', ...sums({ messages: 2 }) },
    { apiKeyId: 1204, name: null, userId: null, username: null, ...sums({ messages: 1 }) },
  ],
};
