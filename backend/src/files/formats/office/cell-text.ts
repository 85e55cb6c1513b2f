import type { CellObject } from '@e965/xlsx';
import { format, isDateFormat } from 'numfmt';
import { DIGITS } from './drawings.js';

/** Days from the first day of workbooks that count from 1904, once those of a Macintosh, to that of the others. */
const DAYS_TO_1904 = 1_462;

/**
 * Formats that each computer shows in the order of its own region. Day and month cannot be told apart in them, so the year
 * stands first.
 */
const REGIONAL: Record<string, string> = { 'm/d/yy': 'yyyy-mm-dd', 'm/d/yy h:mm': 'yyyy-mm-dd hh:mm' };

/** A currency with its region, which Excel does not apply to the marks of thousands and decimals. */
const CURRENCY_REGION = /\[\$([^\]-]+)-[^\]]*\]/g;

/**
 * A cell as it is shown; a number in the general format with all of its digits; a formula without a value as itself.
 * @param isFrom1904 whether the workbook counts days from 1904
 */
export function textOfCell({ t, v, w, f, z }: CellObject, isFrom1904: boolean): string {
  // Errors of newer versions have no number.
  if (t === 'e' && w) return w;
  if (t === 'z' || v === undefined || v === null || v === '') return f === undefined ? '' : `=${f}`;
  const pattern = typeof z === 'string' && !/^general$/i.test(z) ? z : '';
  const shown =
    typeof v === 'number'
      ? shownNumber(v, pattern, isFrom1904)
      : typeof v === 'string' && pattern.includes('@')
        ? (formatted(pattern, v) ?? v)
        : (w ?? String(v));
  return shown.replace(/[\t\n\r]+/g, ' ').trim();
}

function shownNumber(value: number, pattern: string, isFrom1904: boolean): string {
  const digits = String(Number(value.toPrecision(DIGITS)));
  if (pattern === '') return digits;
  const known = REGIONAL[pattern] ?? pattern.replace(CURRENCY_REGION, '[$$$1]');
  const days = isFrom1904 && isDateFormat(known) ? DAYS_TO_1904 : 0;
  return formatted(known, value + days) ?? digits;
}

/** @returns null for a format that is no valid one */
function formatted(pattern: string, value: number | string): string | null {
  try {
    return format(pattern, value);
  } catch {
    return null;
  }
}
