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
const PIECES = /"[^"]*"|\\.|\[[^[\]]*\]|g{1,3}|e{1,2}/gi;
const PLACE = /^[ge]/i;

/** Whether a format shows years of eras. */
export const hasEra = (pattern: string): boolean =>
  (pattern.match(PIECES) ?? []).some((piece) => piece.toLowerCase().startsWith('g'));

/** A format with the era and its year of a day as texts; as it is before the first era. @param day as workbooks count */
export function withEra(pattern: string, day: number): string {
  const time = DAY_0 + (Math.floor(day) + (day < LEAP_DAY ? 1 : 0)) * DAY_MS;
  const era = ERAS.find(([first]) => time >= first);
  if (era === undefined) return pattern;
  const [first, letter, name] = era;
  const year = String(new Date(time).getUTCFullYear() - new Date(first).getUTCFullYear() + 1);
  return pattern.replace(PIECES, (piece) => {
    if (!PLACE.test(piece)) return piece;
    if (/^e/i.test(piece)) return `"${year.padStart(piece.length, '0')}"`;
    return `"${piece.length === 1 ? letter : name.slice(0, piece.length - 1)}"`;
  });
}
