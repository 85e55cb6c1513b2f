import { tryStorage } from './drafts';
import type { Owner } from './owner';

/** The cache of the chats that are shown without a connection. Keep in step with public/sw.js. */
export const CHATS_CACHE = 'tanya-chats';

/** The account whose chats this browser keeps. */
const OWNER_KEY = 'tanya.keeps-chats-of';

/** The account that logged in with 'Remember me' on this browser; null for none. */
export const keepsChatsOf = (): Owner | null =>
  tryStorage(() => localStorage.getItem(OWNER_KEY) as Owner | null) ?? null;

/** Call before the session of a login begins; null for a login without 'Remember me'. */
export function keepChatsOf(owner: Owner | null): void {
  tryStorage(() => (owner === null ? localStorage.removeItem(OWNER_KEY) : localStorage.setItem(OWNER_KEY, owner)));
}
