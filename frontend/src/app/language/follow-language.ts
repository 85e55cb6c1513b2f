import { hashKey } from '@tanstack/react-query';
import type { Language, PublicSettings, User } from '@tanya/contract';
import { api } from '../api/api-client';
import { showLanguage, shownLanguage, useLanguage } from '../i18n/load-texts';
import { queryClient } from '../queries/query-client';
import { settingsQuery } from '../queries/settings.query';
import { currentUserQuery } from '../queries/user.query';
import { saveDrafts } from '../storage/drafts';
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
  // The page renders anew, and the composer then reads its draft.
  useLanguage.subscribe(saveDrafts);
  const watched = [currentUserQuery.queryKey, settingsQuery.queryKey].map(hashKey);
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && watched.includes(query.queryHash)) follow();
  });
}

/** Marks input that is not stored and codes that are shown once. Another language would remove them, because the page renders anew. */
const UNSAVED = '[data-saved=false]';
const RETRY_MS = 1_000;
let retry: ReturnType<typeof setTimeout> | undefined;

/** Shows the chosen language as soon as no dialog is open and nothing is unsaved. */
function follow(): void {
  clearTimeout(retry);
  const user = queryClient.getQueryData<User | null>(currentUserQuery.queryKey);
  const settings = queryClient.getQueryData<PublicSettings>(settingsQuery.queryKey);
  if (languageFor(user, settings) === shownLanguage()) return;
  if (document.querySelector(`${UNSAVED}, [role=dialog], [role=alertdialog]`)) retry = setTimeout(follow, RETRY_MS);
  // A failed load keeps the shown language; the next change tries again.
  else void showChosenLanguage().catch(() => undefined);
}

/**
 * Stores the choice of the current user: on the account, or in this browser for guests. null follows the site. The page
 * shows it at once, or when nothing is unsaved any more.
 * @returns whether it is shown
 */
export async function chooseLanguage(language: Language | null): Promise<boolean> {
  const user = queryClient.getQueryData<User | null>(currentUserQuery.queryKey);
  if (user) {
    const stored = await api.patch<User>('/api/user', { language });
    queryClient.setQueryData(currentUserQuery.queryKey, stored);
  } else {
    storeChoice(language);
  }
  const isShown = document.querySelector(UNSAVED) === null;
  if (isShown) await showChosenLanguage();
  else follow();
  return isShown;
}
