/** What a search looks for in a text. */
export interface SearchWords {
  /** Words between blanks, in the form in which the index has them. */
  words: string;
  /** Pieces of texts in scripts without blanks between words. */
  grams: string[];
}

export interface AskedWords extends SearchWords {
  /** Of pieces, where the question is shorter than one. */
  beginnings: string[];
}

const IS_PLAIN = /^\p{ASCII}*$/u;

/**
 * Postgres would read paths, addresses, tags and numbers with a sign as one word or none: `and/or`, `report.pdf`, `<limit>`,
 * `-9001`.
 */
const GLUE = /[/\\@<>&_|=+*~]|(?<=\p{L})\.(?=\p{L})|-(?=\p{N})/gu;

/** Accents, vowel marks of Arabic and Hebrew, and characters that nobody sees, such as a soft hyphen. */
const MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u00ad\u200b-\u200f\ufeff]/g;

/** Letters with another one or two for those who cannot type them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
};

const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** Digits of Arabic and Persian. */
const DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** The article of Arabic, which is written as one with its word, also behind “and”, “with”, “for” and the like. */
const ARTICLE = /(?<!\p{Script=Arabic})(?:[وفبك]?ال|[وف]?لل)(?=\p{Script=Arabic}{3})/gu;

/** “The”, “and”, “in”, “to” and the like of Hebrew, which are written as one with their word. */
const PREFIXES = /(?<!\p{Script=Hebrew})[והבכלמש]{1,9}(?=\p{Script=Hebrew}{4})/gu;

/** A text without accents, wide forms, ligatures and capital letters. */
export function folded(text: string): string {
  if (IS_PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .replace(DIGIT, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(ARTICLE, '')
    .replace(PREFIXES, '');
}

/** Chinese and Japanese have no blanks. Korean words end with particles. Most of their words have two characters. */
const PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;

/** A consonant with its vowel is two characters here, which would be in every text. */
const TRIPLED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

const IS_WORDLESS = /[\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u3000-\uffff]/;

/** Hiragana alone are particles and endings. */
const IS_ENDING = /^\p{Script=Hiragana}+$/u;

/** A word that may be a compound, as in German, Dutch or Swedish. */
const LONG_WORD = /\p{Script=Latin}{10,40}/gu;

/** Begins a word that is written backwards, so that its end can be looked for as a beginning. */
export const BACKWARDS = '<';

/**
 * The words and pieces of a text that is searched. The end of a run of characters is a piece too, so that a shorter search
 * finds it, and long words stand among the pieces backwards, so that the last part of a compound is found.
 */
export function indexedWords(text: string): SearchWords {
  const { words, grams } = inPieces(text, (characters, size) =>
    characters.map((_, at) => characters.slice(at, at + size).join('')),
  );
  const long = new Set(words.match(LONG_WORD));
  return { words, grams: [...grams, ...[...long].map((word) => BACKWARDS + [...word].reverse().join(''))] };
}

export function askedWords(text: string): AskedWords {
  const beginnings: string[] = [];
  const { words, grams } = inPieces(text, (characters, size) => {
    if (characters.length < size) beginnings.push(characters.join(''));
    const count = Math.max(0, characters.length - size + 1);
    return Array.from({ length: count }, (_, at) => characters.slice(at, at + size).join(''));
  });
  const telling = grams.filter((gram) => !IS_ENDING.test(gram));
  return { words, grams: telling.length > 0 ? telling : grams, beginnings };
}

function inPieces(text: string, cut: (characters: string[], size: number) => string[]): SearchWords {
  let words = folded(text).replace(GLUE, ' ');
  const grams = new Set<string>();
  if (!IS_WORDLESS.test(words)) return { words, grams: [] };
  for (const [script, size] of [
    [PAIRED, 2],
    [TRIPLED, 3],
  ] as const)
    words = words.replace(script, (run) => {
      for (const gram of cut([...run], size)) grams.add(gram);
      return ' ';
    });
  return { words, grams: [...grams] };
}
