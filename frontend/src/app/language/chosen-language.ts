import type { Language } from '@tanya/contract';
import { showLanguage } from '../i18n/load-texts';
import { queryClient } from '../queries/query-client';
import { settingsQuery } from '../queries/settings.query';
import { currentUserQuery } from '../queries/user.query';
import { languageFor, storeShown } from './choice';

export const chosenLanguage = (): Language =>
  languageFor(queryClient.getQueryData(currentUserQuery.queryKey), queryClient.getQueryData(settingsQuery.queryKey));

/** Shows the language of the current user and settings, and stores it for the next visit. */
export async function showChosenLanguage(): Promise<void> {
  const language = chosenLanguage();
  await showLanguage(language);
  if (queryClient.getQueryData(settingsQuery.queryKey)) storeShown(language);
}
