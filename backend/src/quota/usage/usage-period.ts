import { LIMITS, type UsagePeriod } from '@tanya/contract';
import { invalidField } from '../../platform/errors/app-error.js';
import { DAY_MS, dayOf, dayParam } from '../../platform/http/day-param.js';

/** Days of a report whose request names no period. */
const DEFAULT_DAYS = 30;

/** Longest period with a step for each day. */
const MAX_DAILY_STEPS = 92;

/**
 * The period between two days, both included, by default the last 30 days.
 * @throws AppError `invalid` for malformed days and for more than `maxDays`
 */
export function usagePeriod(
  query: Record<string, unknown>,
  maxDays: number = LIMITS.usageDays,
  now = Date.now(),
): UsagePeriod {
  const to = dayParam('to', query['to']) ?? now - (now % DAY_MS);
  const from = dayParam('from', query['from']) ?? to - (DEFAULT_DAYS - 1) * DAY_MS;
  if (from > to) throw invalidField('from', 'from must not be after to.');
  const days = (to - from) / DAY_MS + 1;
  if (days > maxDays) throw invalidField('from', `The period must have at most ${maxDays} days.`);
  return { from: dayOf(from), to: dayOf(to), step: stepOf(days) };
}

const stepOf = (days: number): UsagePeriod['step'] => (days === 1 ? 'hour' : days > MAX_DAILY_STEPS ? 'month' : 'day');

export function* daysOf({ from, to }: Pick<UsagePeriod, 'from' | 'to'>): Iterable<string> {
  for (let day = Date.parse(from); day <= Date.parse(to); day += DAY_MS) yield dayOf(day);
}

/**
 * The months whose sums, with the fewest sums of single days, make the sums of a period: the first day of the first month,
 * and the day after the last month. Days of the period outside of them are to be added, their days outside of the period to
 * be subtracted; days after `today` have no usage. The two are equal when the period's own days are fewer.
 */
export function nearestMonths(
  period: Pick<UsagePeriod, 'from' | 'to'>,
  today = Date.now(),
): { first: string; end: string } {
  const from = Date.parse(period.from);
  const after = Date.parse(period.to) + DAY_MS;
  const daysUntilToday = (begin: number, end: number) => (Math.min(end, Math.max(begin, today)) - begin) / DAY_MS;
  const isOneMonth = monthOf(from) === monthOf(after - 1);
  if (isOneMonth) {
    const outside = (from - monthOf(from)) / DAY_MS + daysUntilToday(after, nextMonthOf(from));
    if ((after - from) / DAY_MS <= outside) return { first: period.from, end: period.from };
    return { first: dayOf(monthOf(from)), end: dayOf(nextMonthOf(from)) };
  }
  const isBeginNearer = from - monthOf(from) < nextMonthOf(from) - from;
  const isEndNearer = daysUntilToday(after, nextMonthOf(after - 1)) < (after - monthOf(after - 1)) / DAY_MS;
  return {
    first: dayOf(isBeginNearer ? monthOf(from) : nextMonthOf(from)),
    end: dayOf(isEndNearer ? nextMonthOf(after - 1) : monthOf(after - 1)),
  };
}

const startOfMonth = (time: number, months: number): number => {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
};

const monthOf = (time: number): number => startOfMonth(time, 0);
const nextMonthOf = (time: number): number => startOfMonth(time, 1);
