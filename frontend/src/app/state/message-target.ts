import { create } from 'zustand';

/** A message to scroll to when its thread is on the screen. */
export interface MessageTarget {
  threadId: number;
  messageId: number;
  words: string;
}

/** Connects searches outside of the chat with the open conversation, which consumes the target once. */
export const useMessageTarget = create<{ target: MessageTarget | null }>()(() => ({ target: null }));

export function setMessageTarget(target: MessageTarget): void {
  useMessageTarget.setState({ target });
}
