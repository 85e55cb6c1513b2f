import { type Language, LANGUAGES, type PublicSettings, type SiteLanguage, type User } from '@tanya/contract';
import { readStored, writeStored } from '../storage/stored';

/** The choice of guests in this browser. public/first-paint.js reads both keys. */
const CHOICE_KEY = 'tanya.language';

/** The language that was shown last, so that the next visit can load its catalogue early. */
const LAST_KEY = 'tanya.language-shown';

/** The language that a guest has chosen in this browser; null for that of the site. */
export const storedChoice = (): Language | null => read(CHOICE_KEY);

export function storeChoice(language: Language | null): void {
  writeStored(CHOICE_KEY, language);
}

export function storeShown(language: Language): void {
  writeStored(LAST_KEY, language);
}

/** The language of a page: the person's own choice, else that of the site. Without settings, the one that was shown last. */
export function languageFor(user: User | null | undefined, settings: PublicSettings | undefined): Language {
  const choice = user ? user.language : storedChoice();
  if (choice !== null) return choice;
  return settings ? siteLanguage(settings.defaultLanguage) : (read(LAST_KEY) ?? 'spec');
}

/** Resolves `browser` to the first language of the browser that has a catalogue, else to English. */
export function siteLanguage(setting: SiteLanguage, preferred: readonly string[] = navigator.languages): Language {
  if (setting !== 'browser') return setting;
  const wanted = preferred.map((tag) => tag.split('-')[0]).find((tag) => tag === 'en' || tag === 'id');
  return wanted ?? 'en';
}

function read(key: string): Language | null {
  const stored = readStored(key);
  return LANGUAGES.find((language) => language === stored) ?? null;
}
