import { useStore } from 'zustand';
import { type ConversationThreads, conversationThreads } from '../client/conversation-thread-store';

/** Reads from the store that maps new conversations to their threads. */
export function useConversationThread<T>(select: (threads: ConversationThreads) => T): T {
  return useStore(conversationThreads, select);
}
