import type { ModelPricing } from '@tanya/contract';
import Big from 'big.js';
import type { CostSource } from './usage-record.entity.js';

export type { CostSource } from './usage-record.entity.js';

/** Digits after the point of every stored amount. */
const SCALE = 12;

/** Larger amounts do not fit into the columns and count as unknown. */
const LIMIT = new Big(10).pow(8);

/** Usage that a provider bills: that of one call, or the sum of several. Counts are whole and not negative. */
export interface Consumption {
  requests: number;
  promptTokens: number;
  completionTokens: number;
  /** Part of `promptTokens`. */
  cachedTokens: number;
  images: number;
}

/** Tokens, cost and times of a settled usage record. */
export interface RecordedUsage {
  promptTokens: number | null;
  completionTokens: number | null;
  cachedTokens: number | null;
  reasoningTokens: number | null;
  /** Decimal string in USD; null when unknown. */
  costUsd: string | null;
  costSource: CostSource;
  answeringModel: string | null;
  firstTokenMs: number | null;
  totalMs: number | null;
}

/** The usage of a generation of which none is known. */
export const UNKNOWN_USAGE: RecordedUsage = {
  promptTokens: null,
  completionTokens: null,
  cachedTokens: null,
  reasoningTokens: null,
  costUsd: null,
  costSource: 'unknown',
  answeringModel: null,
  firstTokenMs: null,
  totalMs: null,
};

/**
 * The price of a consumption in USD. An absent price is not zero: the cost is null when a price is missing for tokens
 * that were used. Only the fee per request is optional, and cached tokens without a price of their own cost as much as
 * others. An image costs its price, or its tokens where images have none.
 */
export function costOf(used: Consumption, pricing: ModelPricing | null): Big | null {
  if (pricing === null) return null;
  const { requests, promptTokens, completionTokens, images } = used;
  const cachedTokens = Math.min(used.cachedTokens, promptTokens);
  const fee = product(requests, pricing.request ?? '0');
  if (images > 0 && pricing.image !== undefined) return sum([fee, product(images, pricing.image)]);
  // Without tokens nothing is known about the price of an image.
  if (images > 0 && promptTokens + completionTokens === 0) return null;
  return sum([
    fee,
    product(promptTokens - cachedTokens, pricing.prompt),
    product(cachedTokens, pricing.cachedPrompt ?? pricing.prompt),
    product(completionTokens, pricing.completion),
  ]);
}

/** An amount as it is stored, rounded half up to 12 digits; null when it is unknown or does not fit. */
export function storedAmount(amount: Big | null): string | null {
  if (amount === null || amount.lt(0) || amount.gte(LIMIT)) return null;
  return amount.round(SCALE, Big.roundHalfUp).toFixed();
}

export function sum(amounts: readonly (Big | null)[]): Big | null {
  let total = new Big(0);
  for (const amount of amounts) {
    if (amount === null) return null;
    total = total.plus(amount);
  }
  return total;
}

const product = (count: number, price: string | undefined): Big | null => {
  if (count === 0) return new Big(0);
  return price === undefined ? null : new Big(price).times(count);
};

/** An amount for people: cents from one dollar on, and below the first three significant digits. @param amount a decimal string */
export function shownUsd(amount: string, direction: 'up' | 'down'): string {
  const exact = new Big(amount);
  const rounding = direction === 'up' ? Big.roundUp : Big.roundDown;
  return (exact.gte(1) ? exact.round(2, rounding) : exact.prec(3, rounding)).toFixed();
}
