import type { UsageSums } from '@tanya/contract';
import Big from 'big.js';
import { formatNumber } from '../../app/i18n/formats';
import { formatCompact, formatUsd } from '../../app/i18n/report-formats';
import { t } from '../../app/i18n/translate';

export const MEASURES = ['messages', 'tokens', 'cost', 'answers'] as const;
export type Measure = (typeof MEASURES)[number];

export const tokensOf = ({ promptTokens, completionTokens }: UsageSums): number => promptTokens + completionTokens;

/** An exact decimal string; null for a cost of which nothing is known. */
export type Amount = string | null;

export function amountOf(sums: UsageSums, measure: Measure): Amount {
  if (measure === 'cost' && isCostUnknown(sums)) return null;
  const amounts = {
    messages: sums.messages,
    tokens: tokensOf(sums),
    cost: sums.costUsd,
    answers: sums.generations,
  };
  return String(amounts[measure]);
}

/** The sum of the known amounts; null where these are 0 and others are unknown. */
export function addAmounts(amounts: readonly Amount[]): Amount {
  const sum = amounts.reduce((total, amount) => total.plus(amount ?? 0), new Big(0));
  return sum.eq(0) && amounts.includes(null) ? null : sum.toFixed();
}

export function formatAmount(amount: Amount, measure: Measure): string {
  if (amount === null) return t('usage.unknown');
  return measure === 'cost' ? formatUsd(amount) : formatNumber(Number(amount));
}

export const formatTick = (value: number, measure: Measure): string =>
  measure === 'cost' ? formatUsd(value) : formatCompact(value);

/** Whether no cost is known. Calls of the site are in `unpriced`, and no generations. */
export const isCostUnknown = ({ costUsd, unpriced, generations }: UsageSums): boolean =>
  unpriced > 0 && unpriced >= generations && Number(costUsd) === 0;
