import type { Language } from '@tanya/contract';
import { create } from 'zustand';
import type { Part, Texts } from '../../texts/catalogue';
import { flatten } from '../../texts/flatten';
import { i18n } from './translate';

type Loader = () => Promise<{ default: Texts }>;

const CATALOGUES: Record<Language, Record<Part, Loader>> = {
  spec: {
    start: () => import('../../texts/spec/start'),
    more: () => import('../../texts/spec/more'),
    admin: () => import('../../texts/spec/admin'),
    starters: () => import('../../texts/spec/starters'),
  },
  en: {
    start: () => import('../../texts/en/start'),
    more: () => import('../../texts/en/more'),
    admin: () => import('../../texts/en/admin'),
    starters: () => import('../../texts/spec/starters'),
  },
  id: {
    start: () => import('../../texts/id/start'),
    more: () => import('../../texts/id/more'),
    admin: () => import('../../texts/id/admin'),
    starters: () => import('../../texts/id/starters'),
  },
};

/** Language tags of the page and of its plurals. `spec` is mostly English. */
const TAGS: Record<Language, string> = { spec: 'en', en: 'en', id: 'id' };

/** Language tags that are written from right to left, for catalogues to come. */
const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/;

export const useLanguage = create<{ language: Language }>()(() => ({ language: 'spec' }));

export const shownLanguage = (): Language => useLanguage.getState().language;

const loads = new Map<string, Promise<void>>();
const neededParts = new Set<Part>(['start']);
let wanted: Language | null = null;

/** Loads parts of the active catalogue. A language that is chosen meanwhile is loaded too. */
export async function loadTexts(...parts: Part[]): Promise<void> {
  for (const part of parts) neededParts.add(part);
  const language = wanted ?? shownLanguage();
  await Promise.all(parts.map((part) => load(language, part)));
  if (language !== (wanted ?? shownLanguage())) await loadTexts(...parts);
}

/** Shows another language once its catalogue has loaded. Of several calls the last one holds. */
export async function showLanguage(language: Language): Promise<void> {
  wanted = language;
  await Promise.all([...neededParts].map((part) => load(language, part)));
  if (wanted !== language) return;
  const tag = TAGS[language];
  i18n.activate(language, [tag]);
  document.documentElement.lang = tag;
  document.documentElement.dir = RIGHT_TO_LEFT.test(tag) ? 'rtl' : 'ltr';
  useLanguage.setState({ language });
}

/** Loads a part once. A failed load is repeated at the next call. */
function load(language: Language, part: Part): Promise<void> {
  const key = `${language} ${part}`;
  const running =
    loads.get(key) ?? CATALOGUES[language][part]().then((file) => i18n.load(language, flatten(file.default)));
  loads.set(key, running);
  running.catch(() => loads.delete(key));
  return running;
}
