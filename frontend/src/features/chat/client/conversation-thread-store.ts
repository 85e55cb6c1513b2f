import { createStore } from 'zustand/vanilla';
import { onConversationBegun } from '../../../app/state/conversation';
import { pageOwner } from '../../../app/session/page-owner';
import { GUEST } from '../../../app/storage/owner';
import { readStored, writeStored } from '../../../app/storage/stored';
import { type ConversationKey, outbox } from './outbox-store';

const GUEST_THREAD_KEY = 'tanya.guest-thread';

export interface ConversationThreads {
  /** Thread ids of the conversations that began on this page, by conversation key. */
  threads: Record<ConversationKey, number>;
  /** Those of them that are a guest's temporary ones: a login leaves them behind. */
  ofGuest: readonly number[];
  /** The guest's thread; a guest's address has no thread id. */
  guestThread: number | null;
}

export const conversationThreads = createStore<ConversationThreads>()(() => ({
  threads: {},
  ofGuest: [],
  guestThread: storedGuestThread(),
}));

function storedGuestThread(): number | null {
  const id = Number(readStored(GUEST_THREAD_KEY));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Records the thread that the server created for a new conversation. */
export function recordThread(conversation: ConversationKey, threadId: number, isTemporary?: boolean): void {
  conversationThreads.setState(({ threads, ofGuest }) => ({
    threads: { ...threads, [conversation]: threadId },
    ofGuest: isTemporary && pageOwner() === GUEST ? [...ofGuest, threadId] : ofGuest,
  }));
  outbox.moveToThread(conversation, threadId);
}

export function forgetTemporary(threadId: number): void {
  conversationThreads.setState(({ ofGuest }) => ({ ofGuest: ofGuest.filter((id) => id !== threadId) }));
}

/** Stores a guest's thread id in the browser, so that a reload reopens the thread; null removes the id. */
export function storeGuestThread(threadId: number | null): void {
  conversationThreads.setState({ guestThread: threadId });
  writeStored(GUEST_THREAD_KEY, threadId === null ? null : String(threadId));
}

onConversationBegun(() => storeGuestThread(null));
