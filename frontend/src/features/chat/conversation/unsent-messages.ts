import { onConversationBegun } from '../../../app/state/conversation';
import { restoreDraft, useComposerStore } from '../../../app/state/composer-store';
import { onOwnerLeft, pageOwner } from '../../../app/session/page-owner';
import { joinTexts } from '../../../app/storage/drafts';
import { isWithdrawable } from '../client/is-withdrawable';
import { outbox } from '../client/outbox-store';
import { sentContent } from '../messages/conversation-view';
import { filesOf } from '../shared/message-content';
import { firstSends, startNewChat } from './first-send';

/** Lets New chat move the first messages that were not accepted back into the draft: the new conversation would hide them. */
export function restoreUnsentMessages(): void {
  onConversationBegun(() => {
    startNewChat();
    const unsent = pageOwner() === null ? [] : firstSends().filter(isWithdrawable);
    if (unsent.length === 0) return;
    const contents = unsent.map(sentContent);
    for (const { clientMessageId } of unsent) outbox.remove(clientMessageId);
    restoreDraft(joinTexts(...contents.map(({ text }) => text ?? '')), contents.flatMap(filesOf));
  });
  // A logout begins a conversation too.
  onOwnerLeft(() => useComposerStore.setState({ text: null, files: [] }));
}
