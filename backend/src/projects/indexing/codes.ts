import { datesIn } from './dates.js';

/** Codes of one chunk or of one question. */
const MAX_CODES = 200;

const TOKEN = /[\p{L}\p{N}]+(?:[-./_:][\p{L}\p{N}]+)*/gu;

const SEPARATORS = /[-./_:]/g;

/** A name of capital letters before a number, such as `ISO 9001`. */
const SPACED = /(?<![\p{L}\p{N}])(\p{Lu}{2,6}) (\p{N}{2,8})(?![\p{L}\p{N}])/gu;

/** A numbered part of a law or a contract, such as `§ 12`, `Art. 5` or `Pasal 5`. */
const PART =
  /(?:§|(?<!\p{L})(art(?:icle|ikel)?|pasal|ayat|bab|bagian|sec(?:tion)?|clause|klausul|chapter|kapitel|annex|lampiran|appendix)\.?)\s{0,2}(\d{1,4}(?:\.\d{1,3}){0,3}[a-z]?)(?![\p{L}\p{N}])/giu;

/** Ends the number of a part, so that § 1 is not found in § 12, and by no likeness. */
const END_OF_PART = '§';

/**
 * A number with separators of thousands or with two decimals, as English, Indonesian or Swiss write it: `1,250.00`,
 * `Rp1.250.000`, `1'250`. A hyphen before it is a sign, unless it continues a word: `-1,250.00`, but not `AB-1.250`.
 */
const AMOUNT =
  /(\p{L})?(?<![\p{N}.,'’_/:]|[\p{L}\p{N}\-.,'’_/:]-)(?:(\d{1,3}(?:([.,'’])\d{3})(?:\3\d{3}){0,4})(?:(?!\3)[.,]\d{1,2})?|(\d{3,12})[.,]\d{2})(?![\p{L}\p{N}]|[-.,'’_/:]\p{N})/gu;

/** Between two amounts with separators of thousands: `500,000-1,000,000`. */
const HYPHEN_OF_RANGE = /(?<=[.,'’]\d{3})-(?=\d{1,3}[.,'’]\d{3})/g;

/**
 * The codes in a text, such as numbers of invoices and articles: tokens of at least three characters with a digit, in lower
 * case and without separators, each once. `INV-2024/0091` is `inv20240091`, `ISO 9001` also `iso9001`, `Article 5` `art5§`.
 * An amount has neither its separators nor its decimals: `1,250.00` and `1.250` are `1250`. A date is one more code.
 */
export const codesIn = (text: string): string[] => bounded([...writtenCodes(text), ...datesIn(text).codes]);

/** The codes that a question asks for: its dates in their common form alone, however the documents write them. */
export function askedCodes(question: string): string[] {
  const { codes, rest } = datesIn(question);
  return codes.length === 0 ? codesIn(question) : bounded([...codes, ...writtenCodes(rest)]);
}

const bounded = (codes: readonly string[]): string[] => [...new Set(codes)].slice(0, MAX_CODES);

function writtenCodes(given: string): string[] {
  const amounts = new Set<string>();
  const text = given.normalize('NFKC').replace(HYPHEN_OF_RANGE, '–');
  const withoutAmounts = text.replace(
    AMOUNT,
    (amount: string, letter?: string, grouped?: string, _separator?: string, whole?: string) => {
      amounts.add((grouped ?? whole ?? '').replace(/\D/g, ''));
      // `AB1.250` may be the number of a part.
      return letter === undefined ? ' ' : amount;
    },
  );
  const codes = new Set<string>();
  for (const [, word = '§', number = ''] of text.matchAll(PART))
    codes.add(`${word.slice(0, 3).toLowerCase()}${number.toLowerCase()}${END_OF_PART}`);
  for (const [, name = '', number = ''] of withoutAmounts.matchAll(SPACED)) codes.add(`${name.toLowerCase()}${number}`);
  for (const [token] of withoutAmounts.matchAll(TOKEN)) {
    if (codes.size >= MAX_CODES) break;
    if (token.length > 64 || !/\p{N}/u.test(token)) continue;
    const code = token.replace(SEPARATORS, '').toLowerCase();
    if (code.length >= 3) codes.add(code);
  }
  return [...codes, ...amounts];
}
