import { LIMITS, type UsagePeriod } from '@tanya/contract';
import { invalidField } from '../../platform/errors/app-error.js';

const DAY_MS = 86_400_000;

/** Days of a report whose request names no period. */
const DEFAULT_DAYS = 30;

/** Longest period with a step for each day. */
const MAX_DAILY_STEPS = 92;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** `Date.parse` takes February 30 as March 2. */
const isCalendarDay = (day: string): boolean => dayOf(Date.parse(day)) === day;

/** Parses a date or a time of ISO 8601 as a UTC day. @throws AppError `invalid` */
function parseDay(field: 'from' | 'to', value: unknown, fallback: number): number {
  if (value === undefined || value === '') return fallback;
  const time =
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(value)
      ? Date.parse(value)
      : NaN;
  if (Number.isNaN(time) || dayOf(time).length > 10 || !isCalendarDay((value as string).slice(0, 10)))
    throw invalidField(field, `${field} must be a day such as 2026-11-22.`);
  return time - (time % DAY_MS);
}

/**
 * The period between two days, both included, by default the last 30 days.
 * @throws AppError `invalid` for malformed days and for more than `maxDays`
 */
export function usagePeriod(
  query: Record<string, unknown>,
  maxDays: number = LIMITS.usageDays,
  now = Date.now(),
): UsagePeriod {
  const to = parseDay('to', query['to'], now - (now % DAY_MS));
  const from = parseDay('from', query['from'], to - (DEFAULT_DAYS - 1) * DAY_MS);
  if (from > to) throw invalidField('from', 'from must not be after to.');
  const days = (to - from) / DAY_MS + 1;
  if (days > maxDays) throw invalidField('from', `The period must have at most ${maxDays} days.`);
  return { from: dayOf(from), to: dayOf(to), step: days > MAX_DAILY_STEPS ? 'month' : 'day' };
}

/** The days of a period, in order. */
export function* daysOf({ from, to }: Pick<UsagePeriod, 'from' | 'to'>): Iterable<string> {
  for (let day = Date.parse(from); day <= Date.parse(to); day += DAY_MS) yield dayOf(day);
}

/** The whole months of a period: the first day of the first month, and the day after the last month. Equal without one. */
export function wholeMonths({ from, to }: Pick<UsagePeriod, 'from' | 'to'>): { first: string; end: string } {
  const begin = new Date(from);
  const after = new Date(Date.parse(to) + DAY_MS);
  const first = Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + (begin.getUTCDate() === 1 ? 0 : 1), 1);
  const end = Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), 1);
  return { first: dayOf(first), end: dayOf(Math.max(first, end)) };
}
