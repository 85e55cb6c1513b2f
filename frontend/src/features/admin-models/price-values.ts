import type { ModelPricing } from '@tanya/contract';
import Big from 'big.js';
import { t } from '../../app/i18n/translate';

/** The prices of the form. Tokens are priced per million, the others per unit. */
export const PRICE_NAMES = ['prompt', 'completion', 'cachedPrompt', 'request', 'image', 'search'] as const;
export type PriceName = (typeof PRICE_NAMES)[number];

/** USD as entered; blank for an unknown price. */
export type PriceValues = Record<PriceName, string>;

const MILLION = 1_000_000;
const PER_MILLION: readonly PriceName[] = ['prompt', 'completion', 'cachedPrompt'];

export const isPerMillion = (name: PriceName): boolean => PER_MILLION.includes(name);

const unitsOf = (name: PriceName): number => (isPerMillion(name) ? MILLION : 1);

/** Digits of a stored price before and after the point. */
const WHOLE = 8;
const SCALE = 12;

const scaleOf = (name: PriceName): number => SCALE - Math.log10(unitsOf(name));

export const toPriceValues = (pricing: ModelPricing | null): PriceValues => mapPrices((name) => shown(name, pricing));

function shown(name: PriceName, pricing: ModelPricing | null): string {
  const price = pricing?.[name];
  return price === undefined ? '' : new Big(price).times(unitsOf(name)).toFixed();
}

/**
 * The prices to store: blank ones are absent. Prices that the form does not show or that were not edited stay.
 * @returns null without a price
 */
export function toPricing(
  values: PriceValues,
  stored: ModelPricing | null,
  edited: readonly PriceName[] = PRICE_NAMES,
): ModelPricing | null {
  const pricing: ModelPricing = { ...stored };
  for (const name of edited) {
    const value = values[name].trim();
    if (value === '') delete pricing[name];
    else pricing[name] = new Big(value).div(unitsOf(name)).toFixed();
  }
  return Object.keys(pricing).length === 0 ? null : pricing;
}

export function checkPrice(name: PriceName, entered: string): true | string {
  const value = entered.trim();
  if (value === '') return true;
  const digits = scaleOf(name);
  const pattern = new RegExp(`^\\d{1,${WHOLE}}(\\.\\d{1,${digits}})?$`);
  return pattern.test(value) || t('prices.rule', { digits });
}

function mapPrices(valueOf: (name: PriceName) => string): PriceValues {
  return Object.fromEntries(PRICE_NAMES.map((name) => [name, valueOf(name)])) as PriceValues;
}
