import { useEffect } from 'react';
import { create } from 'zustand';

interface ConversationStore {
  /** Counts the new conversations begun on this page. */
  begun: number;
  /** The thread that the current conversation became and the key it keeps; `arrived` once the address shows it. */
  adopted: { threadId: number; key: string; arrived: boolean } | null;
}

type Listener = () => void;
const listeners = new Set<Listener>();

const useStore = create<ConversationStore>()(() => ({ begun: 0, adopted: null }));

/** Empties the chat area, also when it already shows a new conversation. Leads nowhere by itself. */
export function beginConversation(): void {
  useStore.setState(({ begun }) => ({ begun: begun + 1, adopted: null }));
  listeners.forEach((listener) => listener());
}

/** The new conversation on the screen got its thread: the view goes on as it is when the address changes to it. */
export function adoptThread(threadId: number): void {
  useStore.setState(({ begun }) => ({ begun: begun + 1, adopted: { threadId, key: `new-${begun}`, arrived: false } }));
}

/** The React key of the chat area: another conversation is another view, a new one that got its thread is not. */
export function useConversationKey(threadId: number | null): string {
  useEffect(() => {
    const { adopted } = useStore.getState();
    if (adopted && adopted.threadId === threadId) useStore.setState({ adopted: { ...adopted, arrived: true } });
  }, [threadId]);
  return useStore(({ begun, adopted }) => {
    if (threadId === null) return adopted && !adopted.arrived ? adopted.key : `new-${begun}`;
    return adopted?.threadId === threadId ? adopted.key : `thread-${threadId}`;
  });
}

/** Tells when the user asks for an empty chat; returns the way to stop. */
export function onConversationBegun(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
