import { isSharePage } from './browser/share-page';
import { followLanguage } from './language/follow-language';
import { keepChats } from './sync/offline-chats';

/** Starts what the first screen has no room for. */
export function startLate(): void {
  followLanguage();
  if (!isSharePage()) keepChats();
}
