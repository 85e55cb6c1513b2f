import { isSharePage } from './browser/share-page';
import { followLanguage } from './language/follow-language';
import { keepChoiceOfLoginElsewhere } from './language/keep-choice';
import { openDialog } from './state/dialogs';
import { keepChats } from './sync/offline-chats';

/** Starts what the first screen has no room for. */
export function startLate(): void {
  followLanguage();
  void keepChoiceOfLoginElsewhere();
  openLinkedLogin();
  if (!isSharePage()) keepChats();
}

/** A shared page, which has no dialogs of its own, links to the login. */
function openLinkedLogin(): void {
  if (window.location.search !== '?login') return;
  window.history.replaceState(window.history.state, '', '/');
  openDialog('login');
}
