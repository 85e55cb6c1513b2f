import { useLayoutEffect } from 'react';
import { create } from 'zustand';

interface ConversationStore {
  begun: number;
  /** The thread created for the current conversation and the React key it keeps; `arrived` once the URL shows the thread. */
  adopted: { threadId: number; key: string; arrived: boolean } | null;
}

type Listener = () => void;
const listeners = new Set<Listener>();

/** The React key of the chat area that is on the screen. */
let shownKey = '';

const useStore = create<ConversationStore>()(() => ({ begun: 0, adopted: null }));

/** Starts an empty conversation, also when the chat area already shows one. Does not navigate. */
export function beginConversation(): void {
  useStore.setState(({ begun }) => ({ begun: begun + 1, adopted: null }));
  listeners.forEach((listener) => listener());
}

/** Links the conversation on the screen to its new thread, so that its view survives the change of URL. */
export function adoptThread(threadId: number): void {
  useStore.setState(({ begun }) => ({ begun: begun + 1, adopted: { threadId, key: shownKey, arrived: false } }));
}

/**
 * The React key of the chat area. It changes with the conversation, but not when a conversation gets its thread.
 * @param projectId the project of a new chat, which must not pass its settings on to another one
 */
export function useChatPageKey(threadId: number | null, projectId?: number): string {
  const key = useStore(({ begun, adopted }) => {
    if (threadId === null) return adopted && !adopted.arrived ? adopted.key : `new-${begun}-${projectId}`;
    return adopted?.threadId === threadId ? adopted.key : `thread-${threadId}`;
  });
  // Before the effects of the chat area, which adopts a thread in one.
  useLayoutEffect(() => {
    shownKey = key;
    const { adopted } = useStore.getState();
    if (adopted && adopted.threadId === threadId) useStore.setState({ adopted: { ...adopted, arrived: true } });
  }, [key, threadId]);
  return key;
}

export function onConversationBegun(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
