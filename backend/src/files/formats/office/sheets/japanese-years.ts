/** Eras of Japan by their first day in UTC, the last one first. */
const ERAS: readonly [first: number, letter: string, name: string][] = [
  [Date.UTC(2019, 4, 1), 'R', '令和'],
  [Date.UTC(1989, 0, 8), 'H', '平成'],
  [Date.UTC(1926, 11, 25), 'S', '昭和'],
  [Date.UTC(1912, 6, 30), 'T', '大正'],
  [Date.UTC(1868, 8, 8), 'M', '明治'],
];

const DAY_MS = 86_400_000;

/** The day 0 of workbooks that count from 1900, as they count from March on: they have a 29th of February that was not. */
const DAY_0 = Date.UTC(1899, 11, 30);
const LEAP_DAY = 60;

/** Texts of a format, and its places for an era and its year: `[$-411]ggge"年"m"月"d"日"`. */
const PIECES = /General|"[^"]*"|[\\_*].|\[[^[\]]*\]|(g{1,3}|e{1,2})/gi;

/** A region that counts its years in another way, as Taiwan does. */
const OTHER_REGION = /\[\$[^\]-]*-(?!ja|[\da-f]*411(?![\da-f]))[^\]]*\]/i;

/** Places of a format, each of which has a mark in texts: one of those that no text has. */
const PLACES = ['g', 'gg', 'ggg', 'e', 'ee'];
const FIRST_MARK = 0xe000;
const MARKS = /[\ue000-\ue004]/g;

/**
 * A format with marks in place of the eras that it shows and their years; null for one that shows none. One format serves
 * all days: the library keeps each that it has seen.
 */
export function withMarksOfEra(pattern: string): string | null {
  if (OTHER_REGION.test(pattern)) return null;
  let hasEra = false;
  const marked = pattern.replace(PIECES, (piece, place?: string) => {
    if (place === undefined) return piece;
    hasEra ||= /^g/i.test(place);
    return `"${String.fromCharCode(FIRST_MARK + PLACES.indexOf(place.toLowerCase()))}"`;
  });
  return hasEra ? marked : null;
}

export type Era = Record<'letter' | 'name' | 'year', string>;

/** The era of a day; null before the first one. @param day as workbooks count */
export function eraOf(day: number): Era | null {
  const time = DAY_0 + (Math.floor(day) + (day < LEAP_DAY ? 1 : 0)) * DAY_MS;
  const era = ERAS.find(([first]) => time >= first);
  if (era === undefined) return null;
  const [first, letter, name] = era;
  return { letter, name, year: String(new Date(time).getUTCFullYear() - new Date(first).getUTCFullYear() + 1) };
}

/** A text of such a format with an era in place of its marks. */
export const withEra = (shown: string, { letter, name, year }: Era): string =>
  shown.replace(
    MARKS,
    (mark) => [letter, name.slice(0, 1), name, year, year.padStart(2, '0')][mark.charCodeAt(0) - FIRST_MARK]!,
  );
