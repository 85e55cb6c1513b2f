import { create } from 'zustand';

interface FoundMessageStore {
  /** The message to scroll to. Each request is a new object, so that the same message can be requested again. */
  requested: { messageId: number; words: string } | null;
  /** True while the whole thread is loaded, to search or print it: older messages are then inserted above the visible ones. */
  isLoadingThread: boolean;
}

/** Connects the search in a conversation with the message list. */
export const useFoundMessage = create<FoundMessageStore>()(() => ({ requested: null, isLoadingThread: false }));

/** Requests the message list to scroll to a message and to mark the words in it. */
export function showMessage(messageId: number, words: string): void {
  useFoundMessage.setState({ requested: { messageId, words } });
}
