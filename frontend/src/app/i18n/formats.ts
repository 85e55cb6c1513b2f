import { shownLanguage } from './load-texts';

/**
 * The locale of dates and names: the browser's variant of the page's language, such as `en-GB`, if it has one; for `spec`
 * the browser's own.
 */
export function locale(ofSpec?: string): string | undefined {
  const language = shownLanguage() === 'spec' ? ofSpec : shownLanguage();
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
}

/** The locale of numbers: for `spec` English, as for the numbers inside of its texts. */
export const numberLocale = () => locale('en');

const memo = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

export function cached<T extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => T): T {
  const format = (memo.get(key) as T | undefined) ?? make();
  memo.set(key, format);
  return format;
}

export function formatNumber(value: number): string {
  const tag = numberLocale();
  return cached(`${tag} number`, () => new Intl.NumberFormat(tag)).format(value);
}

/** A number with one decimal, as in `1.4`. */
export function formatDecimal(value: number): string {
  const tag = numberLocale();
  const make = () => new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return cached(`${tag} decimal`, make).format(value);
}

/** When something was, as short as it is clear: `09:41` today, `Tue, 24 Nov, 09:41` this year, else with the year. */
export function formatMoment(date: Date, now = new Date()): string {
  const tag = locale();
  const isThisYear = date.getFullYear() === now.getFullYear();
  const isToday = date.toDateString() === now.toDateString();
  const day: Intl.DateTimeFormatOptions = isToday
    ? {}
    : { weekday: 'short', day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) };
  const make = () => new Intl.DateTimeFormat(tag, { ...day, hour: '2-digit', minute: '2-digit' });
  return cached(`${tag} moment ${isToday} ${isThisYear}`, make).format(date);
}

/** Day, as in `22 Nov 2026`. */
export function formatDate(date: Date): string {
  const tag = locale();
  return cached(`${tag} day`, () => new Intl.DateTimeFormat(tag, { dateStyle: 'medium' })).format(date);
}

/** Creates the formatter below. It loads language data, which takes a slow phone as long as a rendering. */
export function prepareDateTimes(): void {
  formatDateTime(new Date());
}

/** Day and time of day, as in `22 Nov 2026, 09:41`. */
export function formatDateTime(date: Date): string {
  const tag = locale();
  const make = () => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' });
  return cached(`${tag} date`, make).format(date);
}
