import { folded } from './search-words.js';

/** Languages whose names of months are read, also the short ones. */
const LANGUAGES = ['en', 'id', 'de', 'fr', 'es', 'pt', 'it', 'nl'];

/** Numbers of the months by their names, with accents and without. */
const MONTHS = new Map<string, number>();
for (const language of LANGUAGES)
  for (const length of ['long', 'short'] as const) {
    const format = new Intl.DateTimeFormat(language, { month: length, timeZone: 'UTC' });
    for (let month = 0; month < 12; month += 1) {
      const name = format
        .format(Date.UTC(2000, month, 15))
        .replace('.', '')
        .toLowerCase();
      for (const form of [name, folded(name)]) if (!MONTHS.has(form)) MONTHS.set(form, month + 1);
    }
  }

const MONTH = `(${[...MONTHS.keys()].toSorted((a, b) => b.length - a.length).join('|')})`;

/** Digits of Arabic and Persian. */
const DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** Neither within a word nor within a code. */
const BEFORE = String.raw`(?<![\p{L}\p{N}]|[\p{L}\p{N}][-./_:])`;
const AFTER = String.raw`(?![\p{L}\p{N}]|[-./_:][\p{L}\p{N}])`;

const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|er|\.|o)?`;
const YEAR = String.raw`([12]\d{3})`;

type Read = (...groups: string[]) => [year: string, month: number, day: string][];

const numberOf = (month = ''): number => MONTHS.get(month.toLowerCase()) ?? 0;

/** `3/4/2024` is a day of March or of April. */
const inEitherOrder: Read = (first = '', _separator, second = '', year = '') => [
  [year, Number(second), first],
  [year, Number(first), second],
];

const FORMS: readonly (readonly [RegExp, Read])[] = [
  [
    new RegExp(`${BEFORE}${YEAR}([-./])(\\d{1,2})\\2(\\d{1,2})${AFTER}`, 'giu'),
    (year = '', _separator, month = '', day = '') => [[year, Number(month), day]],
  ],
  [new RegExp(`${BEFORE}(\\d{1,2})([-./])(\\d{1,2})\\2${YEAR}${AFTER}`, 'giu'), inEitherOrder],
  [
    new RegExp(`${BEFORE}${YEAR} ?[年년] ?(\\d{1,2}) ?[月월] ?(\\d{1,2})`, 'giu'),
    (year = '', month = '', day = '') => [[year, Number(month), day]],
  ],
  [
    new RegExp(`${BEFORE}${DAY}[ -](?:(?:of|de) )?${MONTH}\\.?,?[ -](?:del? )?${YEAR}${AFTER}`, 'giu'),
    (day = '', month, year = '') => [[year, numberOf(month), day]],
  ],
  [
    new RegExp(`${BEFORE}${MONTH}\\.? ${DAY},? ${YEAR}${AFTER}`, 'giu'),
    (month, day = '', year = '') => [[year, numberOf(month), day]],
  ],
];

/**
 * The dates in a text as codes such as `20240503`, which `2024-05-03` has too: `3 May 2024`, `May 3rd, 2024`, `03.05.2024`,
 * `3 Mei 2024`, `2024年5月3日`. A date that is read in two ways gives both.
 */
export function datesIn(given: string): { codes: string[]; rest: string } {
  const codes = new Set<string>();
  let rest = given
    .normalize('NFKC')
    .replace(DIGIT, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/\s+/g, ' ');
  if (!/\d{4}/.test(rest)) return { codes: [], rest };
  for (const [form, read] of FORMS)
    rest = rest.replace(form, (date: string, ...groups: string[]) => {
      const found = read(...groups).filter(([, month, day]) => month >= 1 && month <= 12 && isDay(day));
      for (const [year, month, day] of found)
        codes.add(`${year}${String(month).padStart(2, '0')}${day.padStart(2, '0')}`);
      return found.length === 0 ? date : ' ';
    });
  return { codes: [...codes], rest };
}

const isDay = (day: string): boolean => Number(day) >= 1 && Number(day) <= 31;
