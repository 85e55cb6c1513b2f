import type { Owner } from './owner';
import { readStored, writeStored } from './stored';

/** The cache of the chats that are shown without a connection. Keep in step with public/sw.js. */
export const CHATS_CACHE = 'tanya-chats';

/** The account whose chats this browser keeps. */
const OWNER_KEY = 'tanya.keeps-chats-of';

/** The account that logged in with 'Remember me' on this browser; null for none. */
export const keepsChatsOf = (): Owner | null => readStored(OWNER_KEY) as Owner | null;

/** Call before the session of a login begins; null for a login without 'Remember me'. */
export function keepChatsOf(owner: Owner | null): void {
  writeStored(OWNER_KEY, owner);
}
