/** Scripts that are written for one language most of the time. Kana come before the ideographs that Japanese shares. */
const SCRIPTS: readonly [pattern: RegExp, code: string][] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Bengali}/u, 'bn'],
  [/\p{Script=Tamil}/u, 'ta'],
  [/\p{Script=Greek}/u, 'el'],
];

/** Frequent words that the other language does not have. */
const WORDS = {
  en: /\b(the|and|of|to|is|that|with|for)\b/gi,
  id: /\b(yang|dan|di|untuk|dengan|ini|adalah|tidak)\b/gi,
};

/** Characters of an answer that are looked at. */
const SAMPLE = 2_000;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * The language of a text, by its script. English and Indonesian, the languages of the page, are told apart by their words;
 * other texts in Latin letters have the page's language.
 */
export function guessLanguage(text: string, pageLanguage: string): string {
  const sample = text.slice(0, SAMPLE);
  const letters = countOf(sample, /\p{L}/gu);
  const script = SCRIPTS.find(([pattern]) => countOf(sample, new RegExp(pattern, 'gu')) > letters / 5);
  if (script !== undefined) return script[1];
  const [english, indonesian] = [countOf(sample, WORDS.en), countOf(sample, WORDS.id)];
  if (english === indonesian) return pageLanguage;
  return english > indonesian ? 'en' : 'id';
}
