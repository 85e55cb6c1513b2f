import { locale } from '../../../../app/i18n/formats';
import { readStored, writeStored } from '../../../../app/storage/stored';

/** The language that was dictated last in this browser; '' leaves it to the model. */
const LANGUAGE_KEY = 'tanya.dictation-language';

/** Languages that models for transcriptions know well. */
const CODES = [
  'ar',
  'bn',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'fa',
  'fi',
  'fr',
  'he',
  'hi',
  'hu',
  'id',
  'it',
  'ja',
  'jv',
  'ko',
  'ms',
  'nl',
  'no',
  'pl',
  'pt',
  'ro',
  'ru',
  'su',
  'sv',
  'sw',
  'ta',
  'th',
  'tl',
  'tr',
  'uk',
  'ur',
  'vi',
  'zh',
];

/** The chosen language, else that of the page. */
export function spokenLanguage(): string {
  return readStored(LANGUAGE_KEY) ?? document.documentElement.lang.split('-')[0]!;
}

export function storeSpokenLanguage(code: string): void {
  writeStored(LANGUAGE_KEY, code);
}

/** Code and name of each language, sorted by the name in the page's language. */
export function spokenLanguages(): [code: string, name: string][] {
  const names = new Intl.DisplayNames(locale(), { type: 'language' });
  const languages = CODES.map((code): [string, string] => [code, names.of(code) ?? code]);
  return languages.toSorted(([, a], [, b]) => a.localeCompare(b));
}
