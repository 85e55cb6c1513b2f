import { pageOwner } from '../../../app/session/page-owner';
import { belongsTo } from '../../../app/storage/owner';
import { conversationThreads } from '../client/conversation-thread-store';
import { type ConversationKey, outbox, type PendingSend } from '../client/outbox-store';

/**
 * True from New chat until the home page shows the new conversation. Only code that moves the first messages into the draft
 * sets it: where that has not been loaded, the home page shows them.
 */
let isNewChat = false;

/** The sends of this page's owner that create a thread and have no ack yet. */
export function firstSends(): PendingSend[] {
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
 * visit of another page or a reload; after New chat `newKey`. A conversation with a thread has its own page.
 */
export function homeConversationKey(newKey: ConversationKey): ConversationKey {
  const { threads } = conversationThreads.getState();
  const withoutThread = firstSends().filter(({ conversation }) => threads[conversation] === undefined);
  return (isNewChat ? undefined : withoutThread.at(-1)?.conversation) ?? newKey;
}

/** Begins the exception of New chat: the home page shows an empty conversation. */
export function startNewChat(): void {
  isNewChat = true;
}

/** Ends the exception of New chat: the home page shows its conversation. */
export function endNewChat(): void {
  isNewChat = false;
}
