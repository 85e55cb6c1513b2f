import { LIMITS, type UsagePeriod } from '@tanya/contract';
import { formatDay, formatMonth } from '../../app/i18n/report-formats';
import { t } from '../../app/i18n/translate';

const DAY_MS = 86_400_000;

export const PRESETS = ['today', 'week', 'days30', 'month'] as const;
export type Preset = (typeof PRESETS)[number];

/** First and last day by UTC, both included. */
export type Days = Pick<UsagePeriod, 'from' | 'to'>;

/** A period as it is chosen: one that moves with the days, or fixed days. */
export type PeriodChoice = Preset | Days;

export const utcDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

const before = (day: string, days: number): string => utcDay(Date.parse(day) - days * DAY_MS);

export function daysOf(choice: PeriodChoice, today: string): Days {
  if (typeof choice === 'object') return choice;
  const from = {
    today,
    week: before(today, 6),
    days30: before(today, 29),
    month: `${today.slice(0, 8)}01`,
  };
  return { from: from[choice], to: today };
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));

/** The choice in the search part of an address; the last 30 days for any other search. */
export function choiceOf({ period, from, to }: Record<string, unknown>): PeriodChoice {
  const preset = PRESETS.find((name) => name === period);
  if (preset) return preset;
  return isDay(from) && isDay(to) && daysError({ from, to }) === null ? { from, to } : 'days30';
}

export const searchOf = (choice: PeriodChoice): Record<string, string> =>
  typeof choice === 'object' ? { from: choice.from, to: choice.to } : { period: choice };

/** The error of entered days; null for days that a report can have. */
export function daysError({ from, to }: Days): { field: 'from' | 'to'; message: string } | null {
  if (!isDay(from)) return { field: 'from', message: t('usage.dayRequired') };
  if (!isDay(to)) return { field: 'to', message: t('usage.dayRequired') };
  if (from > to) return { field: 'from', message: t('usage.daysReversed') };
  if (countOf({ from, to }) > LIMITS.usageDays)
    return { field: 'from', message: t('usage.daysTooMany', { max: LIMITS.usageDays }) };
  return null;
}

export const countOf = ({ from, to }: Days): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** The steps of a report by their first day, or hours, those without usage included. */
export function stepsOf({ from, to, step }: UsagePeriod): string[] {
  if (step === 'hour') return Array.from({ length: 24 }, (_, hour) => `${from}T${String(hour).padStart(2, '0')}:00`);
  const steps: string[] = [];
  for (let day = step === 'month' ? `${from.slice(0, 8)}01` : from; day <= to; day = after(day, step)) steps.push(day);
  return steps;
}

/** A step as text: the hour of a day, a day or a month. */
export function stepText(step: string, unit: UsagePeriod['step']): string {
  if (unit === 'hour') return step.slice(-5);
  return unit === 'day' ? formatDay(step) : formatMonth(step);
}

function after(day: string, step: UsagePeriod['step']): string {
  if (step === 'day') return before(day, -1);
  const [year = 0, month = 0] = day.split('-').map(Number);
  return utcDay(Date.UTC(year, month, 1));
}
