import type { User } from '@tanya/contract';
import { api } from '../api/api-client';
import { queryClient } from '../queries/query-client';
import { currentUserQuery } from '../queries/user.query';
import { readStored, writeStored } from '../storage/stored';
import { storedChoice } from './choice';

/** Keeps the language that someone chose as a guest on an account without a language of its own. @returns the account */
export async function keepChoice(user: User): Promise<User> {
  const language = storedChoice();
  if (user.language !== null || language === null) return user;
  // The login has succeeded; a language that is not stored can be chosen again.
  return api.patch<User>('/api/user', { language }).catch(() => user);
}

/** Set while a guest logs in at an identity provider, which leaves the page. */
const LEFT_KEY = 'tanya.left-for-login';

export const noteLoginElsewhere = (): void => writeStored(LEFT_KEY, 'yes', 'tab');

/** Keeps the guest's choice when the browser comes back from an identity provider with an account. */
export async function keepChoiceOfLoginElsewhere(): Promise<void> {
  if (readStored(LEFT_KEY, 'tab') === null) return;
  writeStored(LEFT_KEY, null, 'tab');
  const user = await queryClient.ensureQueryData(currentUserQuery).catch(() => null);
  if (user === null) return;
  const kept = await keepChoice(user);
  if (kept !== user) queryClient.setQueryData(currentUserQuery.queryKey, kept);
}
