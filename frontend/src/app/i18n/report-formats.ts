import { cached, locale, numberLocale } from './formats';

/** Digits after the point of an exact amount in USD. */
const SCALE = 12;

const SIGNIFICANT = 3;

/**
 * An amount in USD: cents from one dollar on, and below as many digits as show the first three significant ones.
 * @param amount a decimal string, or a number where it is only drawn
 */
export function formatUsd(amount: string | number): string {
  return usd(amount, digitsOf(Math.abs(Number(amount))));
}

/** An amount in USD with all of its digits. */
export const formatExactUsd = (amount: string): string => usd(amount, SCALE);

function usd(amount: string | number, digits: number): string {
  const tag = locale();
  const make = () =>
    new Intl.NumberFormat(tag, {
      style: 'currency',
      currency: 'USD',
      minimumFractionDigits: 2,
      maximumFractionDigits: digits,
    });
  // A string keeps the digits that a number would lose.
  return cached(`${tag} usd ${digits}`, make).format(amount as Intl.StringNumericLiteral);
}

function digitsOf(amount: number): number {
  if (amount === 0 || amount >= 1) return 2;
  return Math.min(SCALE, Math.max(2, SIGNIFICANT - 1 - Math.floor(Math.log10(amount))));
}

/** A number in at most about six characters, as in `12.3M`. */
export function formatCompact(value: number): string {
  const tag = numberLocale();
  const make = () => new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 });
  return cached(`${tag} compact`, make).format(value);
}

/** A share of 1, as in `4.2%`. */
export function formatPercent(share: number): string {
  const tag = numberLocale();
  const make = () => new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
  return cached(`${tag} percent`, make).format(share);
}

/** A time in milliseconds, as in `850 ms` or `1.4 s`. */
export function formatMilliseconds(ms: number): string {
  const tag = numberLocale();
  const [unit, value] = ms < 1000 ? ['millisecond', ms] : ['second', ms / 1000];
  const make = () => new Intl.NumberFormat(tag, { style: 'unit', unit, maximumFractionDigits: 1 });
  return cached(`${tag} ${unit}`, make).format(value);
}

/** A UTC day such as `2026-11-22`, as in `22 Nov 2026`. */
export function formatDay(day: string): string {
  const tag = locale();
  const make = () => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' });
  return cached(`${tag} utc-day`, make).format(new Date(day));
}

/** A UTC day without its year, as in `22 Nov`. */
export function formatShortDay(day: string): string {
  const tag = locale();
  const make = () => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return cached(`${tag} utc-short`, make).format(new Date(day));
}

/** The month of a UTC day, as in `Nov 2026`. */
export function formatMonth(day: string): string {
  const tag = locale();
  const make = () => new Intl.DateTimeFormat(tag, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  return cached(`${tag} utc-month`, make).format(new Date(day));
}
