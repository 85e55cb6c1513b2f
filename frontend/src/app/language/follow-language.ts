import { hashKey } from '@tanstack/react-query';
import type { Language, PublicSettings, User } from '@tanya/contract';
import { api } from '../api/api-client';
import { showLanguage, shownLanguage } from '../i18n/load-texts';
import { queryClient } from '../queries/query-client';
import { settingsQuery } from '../queries/settings.query';
import { currentUserQuery } from '../queries/user.query';
import { languageFor, storeShown, storeChoice } from './choice';

/** Shows the language of the current user and settings, and remembers it for the next visit. */
export async function showChosenLanguage(): Promise<void> {
  const user = queryClient.getQueryData<User | null>(currentUserQuery.queryKey);
  const settings = queryClient.getQueryData<PublicSettings>(settingsQuery.queryKey);
  const language = languageFor(user, settings);
  await showLanguage(language);
  if (settings) storeShown(language);
}

/** Follows changes of the user and the settings. Call once at startup. */
export function followLanguage(): void {
  const watched = [currentUserQuery.queryKey, settingsQuery.queryKey].map(hashKey);
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || !watched.includes(query.queryHash)) return;
    const user = queryClient.getQueryData<User | null>(currentUserQuery.queryKey);
    const settings = queryClient.getQueryData<PublicSettings>(settingsQuery.queryKey);
    // A failed load keeps the shown language; the next change tries again.
    if (languageFor(user, settings) !== shownLanguage()) void showChosenLanguage().catch(() => undefined);
  });
}

/** Stores the choice of the current user: on the account, or in this browser for guests. null follows the site. */
export async function chooseLanguage(language: Language | null): Promise<void> {
  const user = queryClient.getQueryData<User | null>(currentUserQuery.queryKey);
  if (user) {
    const stored = await api.patch<User>('/api/user', { language });
    queryClient.setQueryData(currentUserQuery.queryKey, stored);
  } else {
    storeChoice(language);
  }
  await showChosenLanguage();
}
