import { hashKey } from '@tanstack/react-query';
import type { Language, User } from '@tanya/contract';
import { api } from '../api/api-client';
import { shownLanguage, useLanguage } from '../i18n/load-texts';
import { queryClient } from '../queries/query-client';
import { settingsQuery } from '../queries/settings.query';
import { currentUserQuery } from '../queries/user.query';
import { saveDrafts } from '../storage/drafts';
import { storeChoice } from './choice';
import { chosenLanguage, showChosenLanguage } from './chosen-language';

/** Follows changes of the user and the settings. Call once. */
export function followLanguage(): void {
  // The page renders anew, and the composer then reads its draft.
  useLanguage.subscribe(saveDrafts);
  const watched = [currentUserQuery.queryKey, settingsQuery.queryKey].map(hashKey);
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && watched.includes(query.queryHash)) follow();
  });
  // The page has been shown for a while.
  follow();
}

/** Marks input that is not stored and codes that are shown once. Another language would remove them, because the page renders anew. */
const UNSAVED = '[data-saved=false]';
const UNSAVED_OR_DIALOG = `${UNSAVED}, [role=dialog], [role=alertdialog]`;
const RETRY_MS = 1_000;
let retry: ReturnType<typeof setTimeout> | undefined;
/**
 * Elements that delay a change of the language while they are on the page. An own choice does not wait for the dialog
 * that took it.
 */
let waitsFor = UNSAVED_OR_DIALOG;

/** Shows the chosen language as soon as nothing is unsaved, and a choice from elsewhere when no dialog is open either. */
function follow(): void {
  clearTimeout(retry);
  if (chosenLanguage() === shownLanguage()) return;
  if (document.querySelector(waitsFor)) retry = setTimeout(follow, RETRY_MS);
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
    // The choice of a guest in this browser would be kept on the account again at the next login.
    if (language === null) storeChoice(null);
    queryClient.setQueryData(currentUserQuery.queryKey, stored);
  } else {
    storeChoice(language);
  }
  const isShown = chosenLanguage() === shownLanguage() || document.querySelector(UNSAVED) === null;
  waitsFor = isShown ? UNSAVED_OR_DIALOG : UNSAVED;
  if (isShown) await showChosenLanguage();
  else follow();
  return isShown;
}
