import type { CellObject } from '@e965/xlsx';
import { format, getFormatDateInfo, isDateFormat, isValidFormat } from 'numfmt';
import { eraOf, withEra, withMarksOfEra } from './japanese-years.js';

/** Significant digits of a number in Excel. */
const DIGITS = 15;

/** Days from the first day of workbooks that count from 1904, once those of a Macintosh, to that of the others. */
export const DAYS_TO_1904 = 1_462;

/**
 * Formats that each computer shows in the order of its own region. Day and month cannot be told apart in them, so the year
 * stands first.
 */
const REGIONAL = new Map([
  ['m/d/yy', 'yyyy-mm-dd'],
  ['m/d/yy h:mm', 'yyyy-mm-dd hh:mm'],
]);

/** A currency with its region, and a region alone, which Excel does not apply to the marks of thousands and decimals. */
const CURRENCY_REGION = /\[\$([^\]-]+)-[^\]]*\]/g;
const REGION = /\[\$-[^\]]*\]/g;

/** Characters of a format: the bound of Excel. */
const MAX_FORMAT = 255;

/** A colour that stands for the sign of a negative number, which has no other one then. */
const COLOUR = /\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]/i;

/** Numbers that the library groups as if their exponent were digits, also as a percentage. */
const MAX_GROUPED = 1e19;
const EXPONENT = /e[+-]/i;

/** A format as the library takes it. */
interface Format {
  pattern: string;
  /** Whether it shows a day, month or year, and whether only a time or a length of time. */
  hasDay: boolean;
  isTime: boolean;
  /** With marks for years of the eras of Japan; null for one that shows none. */
  marked: string | null;
}

/** Formats of one document. Excel has 250 at most. The library takes 7 kB for each. */
const MAX_FORMATS = 2_000;

/** By the formats of cells; null for one that is no valid one. A sheet has few formats and many cells. */
const formats = new Map<string, Format | null>();

/**
 * A cell as it is shown; a number in the general format with all of its digits; a formula without a value as itself.
 * @param isFrom1904 whether the workbook counts days from 1904
 */
export function textOfCell({ t, v, w, f, z }: CellObject, isFrom1904: boolean): string {
  // Errors of newer versions have no number.
  if (t === 'e' && w) return w;
  if (t === 'z' || v === undefined || v === null || v === '') return f === undefined ? '' : `=${f}`;
  const shown =
    typeof v === 'number'
      ? shownNumber(v, formatOf(z), isFrom1904)
      : typeof v === 'string' && String(z).includes('@')
        ? (formatted(formatOf(z), v) ?? v)
        : (w ?? String(v));
  return shown.replace(/[\t\n\r]+/g, ' ').trim();
}

/** A value of a chart: a day as it is shown, and a percentage, any other number with all of its digits. */
export function textOfPoint(value: string, pattern: string, isFrom1904: boolean): string {
  const number = Number(value);
  if (value.trim() === '' || Number.isNaN(number)) return value;
  const known = formatOf(pattern);
  if (known !== null && (known.hasDay || known.isTime)) return shownNumber(number, known, isFrom1904);
  return known !== null && PERCENT.test(known.pattern) ? `${digitsOf(100 * number)}%` : rounded(value);
}

/** A sign of a percentage that is no text of its format. */
const PERCENT = /^(?:[^"\\]|"[^"]*"|\\.)*?%/;

/** A value without the digits beyond those of Excel: files have 4.4000000000000004 for 4.4. */
const rounded = (value: string): string => (/^-?\d+\.\d{15,}$/.test(value) ? digitsOf(Number(value)) : value);

const digitsOf = (value: number): string =>
  String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(DIGITS)));

function shownNumber(value: number, known: Format | null, isFrom1904: boolean): string {
  const digits = digitsOf(value);
  if (known === null || (Math.abs(value) >= MAX_GROUPED && !EXPONENT.test(known.pattern))) return digits;
  // Lengths of time below zero, which workbooks from 1904 show, and others fill with marks.
  if (known.isTime && value < 0) return `-${formatted(known, -value) ?? digits.slice(1)}`;
  const day = value + (isFrom1904 && known.hasDay ? DAYS_TO_1904 : 0);
  const shown = formattedDay(known, day) ?? formatted(known, day) ?? digits;
  const isSignColoured = value < 0 && COLOUR.test(known.pattern) && /[1-9]/.test(shown) && !/[-\u2212(]/.test(shown);
  return isSignColoured ? `-${shown.trim()}` : shown;
}

/** A day of an era of Japan; null for others, and for formats without eras. */
function formattedDay({ marked }: Format, day: number): string | null {
  const era = marked === null ? null : eraOf(day);
  if (marked === null || era === null) return null;
  const shown = formatted({ pattern: marked }, day);
  return shown === null ? null : withEra(shown, era);
}

/** @returns null for the general format, for those beyond `MAX_FORMATS`, and for one that is no valid one */
function formatOf(given: CellObject['z']): Format | null {
  if (typeof given !== 'string' || given.length > MAX_FORMAT || /^general$/i.test(given)) return null;
  const known = formats.get(given);
  if (known !== undefined) return known;
  if (formats.size >= MAX_FORMATS) return null;
  const pattern = REGIONAL.get(given) ?? given.replace(CURRENCY_REGION, '[$$$1]');
  const found = isValidFormat(pattern) ? described(pattern) : null;
  formats.set(given, found);
  return found;
}

function described(pattern: string): Format {
  if (!isDateFormat(pattern))
    return { pattern: pattern.replace(REGION, ''), hasDay: false, isTime: false, marked: null };
  const { year, month, day, hours, seconds } = getFormatDateInfo(pattern);
  // Minutes in front of seconds count as a month there.
  const hasDay = year || day || (month && !hours && !seconds);
  return { pattern, hasDay, isTime: !hasDay, marked: withMarksOfEra(pattern) };
}

/** @returns null without a format, and for a value that it cannot show */
function formatted(known: Pick<Format, 'pattern'> | null, value: number | string): string | null {
  try {
    return known && format(known.pattern, value);
  } catch {
    return null;
  }
}
