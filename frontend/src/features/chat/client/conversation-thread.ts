import { create } from 'zustand';
import { onConversationBegun } from '../../../app/state/conversation';
import { pageOwner } from '../../../app/session/page-owner';
import { belongsTo } from '../../../app/storage/owner';
import { outbox, type ConversationKey, type PendingSend } from './outbox-store';

const GUEST_THREAD_KEY = 'tanya.guest-thread';

interface ConversationThreadStore {
  /** The threads that new conversations of this page became. */
  threads: Record<ConversationKey, number>;
  /** The thread of a guest, whose address doesn't name it. */
  guestThread: number | null;
}

export const useConversationThread = create<ConversationThreadStore>()(() => ({
  threads: {},
  guestThread: storedGuestThread(),
}));

function storedGuestThread(): number | null {
  try {
    const id = Number(localStorage.getItem(GUEST_THREAD_KEY));
    return Number.isSafeInteger(id) && id > 0 ? id : null;
  } catch {
    return null;
  }
}

export function noteThread(conversation: ConversationKey, threadId: number): void {
  useConversationThread.setState(({ threads }) => ({ threads: { ...threads, [conversation]: threadId } }));
}

/** Keeps a guest's conversation over a reload; null forgets it. */
export function rememberGuestThread(threadId: number | null): void {
  useConversationThread.setState({ guestThread: threadId });
  try {
    if (threadId === null) localStorage.removeItem(GUEST_THREAD_KEY);
    else localStorage.setItem(GUEST_THREAD_KEY, String(threadId));
  } catch {
    // Storage may be blocked; the conversation then lasts until the page closes.
  }
}

/** A conversation that was sent before a reload and has no thread yet goes on; else a new one begins. */
export function firstDraft(fresh: ConversationKey): ConversationKey {
  const owner = pageOwner();
  const isFirst = ({ request }: PendingSend) =>
    request.event === 'generation:start' && request.payload.threadId === null;
  const sent = outbox.all().find((send) => isFirst(send) && (owner === null || belongsTo(owner, send.owner)));
  return sent?.conversation ?? fresh;
}

onConversationBegun(() => rememberGuestThread(null));
