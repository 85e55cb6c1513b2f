import type { User } from '@tanya/contract';
import { api } from '../../app/api/api-client';
import { storedChoice } from '../../app/language/choice';

/** Keeps the language that someone chose as a guest on an account without a language of its own. @returns the account */
export async function keepChoice(user: User): Promise<User> {
  const language = storedChoice();
  if (user.language !== null || language === null) return user;
  // The login has succeeded; a language that is not stored can be chosen again.
  return api.patch<User>('/api/user', { language }).catch(() => user);
}
