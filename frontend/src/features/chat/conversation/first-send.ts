import { onConversationBegun } from '../../../app/state/conversation';
import { restoreDraft, useComposerStore } from '../../../app/state/composer-store';
import { onOwnerLeft, pageOwner } from '../../../app/session/page-owner';
import { joinTexts } from '../../../app/storage/drafts';
import { belongsTo } from '../../../app/storage/owner';
import { type ConversationKey, isWithdrawable, outbox, type PendingSend } from '../client/outbox-store';
import { sentContent } from '../messages/conversation-view';
import { filesOf } from '../shared/message-content';

/** True from New chat until the home page shows the new conversation. */
let isNewChat = false;

/** The sends of this page's owner that create a thread and have no ack yet. */
function firstSends(): PendingSend[] {
  const owner = pageOwner();
  return outbox
    .all()
    .filter(
      ({ request, owner: writer, ackedAs }) =>
        request.event === 'generation:start' &&
        request.payload.threadId === null &&
        ackedAs === undefined &&
        (owner === null || belongsTo(owner, writer)),
    );
}

/**
 * The key of the conversation that the home page shows: that of the newest first message without an ack, such as after a
 * visit of another page or a reload; after New chat `newKey`.
 */
export function homeConversationKey(newKey: ConversationKey): ConversationKey {
  return (isNewChat ? undefined : firstSends().at(-1)?.conversation) ?? newKey;
}

/** Ends the exception of New chat: the home page shows its conversation. */
export function endNewChat(): void {
  isNewChat = false;
}

/** Moves the first messages that were not accepted back into the draft: the new conversation would hide them. */
onConversationBegun(() => {
  isNewChat = true;
  const unsent = pageOwner() === null ? [] : firstSends().filter(isWithdrawable);
  if (unsent.length === 0) return;
  const contents = unsent.map(sentContent);
  for (const { clientMessageId } of unsent) outbox.remove(clientMessageId);
  restoreDraft(joinTexts(...contents.map(({ text }) => text ?? '')), contents.flatMap(filesOf));
});

// A logout begins a conversation too.
onOwnerLeft(() => useComposerStore.setState({ text: null, files: [] }));
