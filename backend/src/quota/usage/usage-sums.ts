import type { UsageSums } from '@tanya/contract';

export interface SumsRow {
  generations: number;
  messages: number;
  failures: number;
  unpriced: number;
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: number;
  reasoning_tokens: number;
  cost_usd: string;
}

export const NO_USAGE: UsageSums = {
  generations: 0,
  messages: 0,
  failures: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  costUsd: '0',
  unpriced: 0,
};

export const sumsOf = (row: SumsRow): UsageSums => ({
  generations: row.generations,
  messages: row.messages,
  failures: row.failures,
  promptTokens: row.prompt_tokens,
  completionTokens: row.completion_tokens,
  cachedTokens: row.cached_tokens,
  reasoningTokens: row.reasoning_tokens,
  costUsd: row.cost_usd,
  unpriced: row.unpriced,
});
