import { invalidField } from '../errors/app-error.js';

export const DAY_MS = 86_400_000;

/** A date or a time of ISO 8601 from 1970 to 2999: every day around them is one that Postgres reads. */
const DAY_OR_TIME = /^(19[7-9]\d|2\d{3})-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/;

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** `Date.parse` takes February 30 as March 2. */
const isCalendarDay = (day: string): boolean => dayOf(Date.parse(day)) === day;

/**
 * The start, in milliseconds, of the UTC day that a query names by a date or a time; null when it names none.
 * @throws AppError `invalid`
 */
export function dayParam(field: 'from' | 'to', value: unknown): number | null {
  if (value === undefined || value === '') return null;
  const time = typeof value === 'string' && DAY_OR_TIME.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(time) || !isCalendarDay((value as string).slice(0, 10)))
    throw invalidField(field, `${field} must be a day such as 2026-11-22.`);
  return time - (time % DAY_MS);
}

/**
 * The days of a query, both included, as times in milliseconds: the first one, and the first one that is too late; null where it
 * names none.
 * @throws AppError `invalid` for days that are none or in the wrong order
 */
export function daysParam(query: Record<string, unknown>): { from: number | null; until: number | null } {
  const from = dayParam('from', query['from']);
  const to = dayParam('to', query['to']);
  if (from !== null && to !== null && from > to) throw invalidField('from', 'from must not be after to.');
  return { from, until: to === null ? null : to + DAY_MS };
}
