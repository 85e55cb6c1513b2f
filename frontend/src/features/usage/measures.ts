import type { UsageSums } from '@tanya/contract';
import Big from 'big.js';
import { formatNumber } from '../../app/i18n/formats';
import { formatCompact, formatUsd } from '../../app/i18n/report-formats';

export const MEASURES = ['messages', 'tokens', 'cost', 'answers'] as const;
export type Measure = (typeof MEASURES)[number];

export const tokensOf = ({ promptTokens, completionTokens }: UsageSums): number => promptTokens + completionTokens;

/** The amount of a measure as an exact decimal string. */
export function amountOf(sums: UsageSums, measure: Measure): string {
  const amounts = {
    messages: sums.messages,
    tokens: tokensOf(sums),
    cost: sums.costUsd,
    answers: sums.generations,
  };
  return String(amounts[measure]);
}

/** The sum of exact decimal strings. */
export const addAmounts = (amounts: readonly string[]): string =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Big(0)).toFixed();

export const formatAmount = (amount: string, measure: Measure): string =>
  measure === 'cost' ? formatUsd(amount) : formatNumber(Number(amount));

export const formatTick = (value: number, measure: Measure): string =>
  measure === 'cost' ? formatUsd(value) : formatCompact(value);

/** Whether no cost is known. Calls of the site are in `unpriced`, and no generations. */
export const isCostUnknown = ({ costUsd, unpriced, generations }: UsageSums): boolean =>
  unpriced > 0 && unpriced >= generations && Number(costUsd) === 0;
