import type { Message } from '@tanya/contract';
import { createContext, useContext } from 'react';
import type { PendingSend } from '../client/outbox-store';

/** What can be done from within a message. */
export interface ConversationActions {
  /** False while an answer is written or a send awaits its ack. */
  isIdle: boolean;
  regenerate: (messageId: number) => void;
  edit: (message: Message, text: string) => void;
  showVersion: (messageId: number) => void;
  /** Sends a refused message again. */
  retry: (send: PendingSend) => void;
  /** Takes an unsent message back into the composer. */
  takeBack: (send: PendingSend) => void;
}

export const ConversationContext = createContext<ConversationActions | null>(null);

export function useConversationActions(): ConversationActions {
  const actions = useContext(ConversationContext);
  if (!actions) throw new Error('A message is shown outside of a conversation');
  return actions;
}
