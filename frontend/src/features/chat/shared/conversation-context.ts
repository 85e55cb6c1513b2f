import type { Message, PublicModel } from '@tanya/contract';
import { createContext, useContext } from 'react';
import type { PendingSend } from '../client/outbox-store';

export interface ConversationActions {
  /** False while an answer is running or a send awaits its ack. */
  canSwitch: boolean;
  /** Whether a message can be sent, too: false with a used-up quota. */
  isIdle: boolean;
  /** Asks for the rest of an answer that was stopped, as a new turn. */
  continueAnswer: () => void;
  /** Writes another version of an answer, by default with the model of the composer. */
  regenerate: (messageId: number, model?: PublicModel) => void;
  edit: (message: Message, text: string) => void;
  /** Whether the version is shown. */
  showVersion: (messageId: number) => Promise<boolean>;
  /** Sends a refused message again; with `isOther` as a new one with the model of the composer. */
  retry: (send: PendingSend, isOther?: boolean) => void;
  /** Moves an unsent message back into the composer, and an unsent edit into the editing of its message. */
  withdraw: (send: PendingSend) => void;
}

export const ConversationContext = createContext<ConversationActions | null>(null);

export function useConversationActions(): ConversationActions {
  const actions = useContext(ConversationContext);
  if (!actions) throw new Error('useConversationActions needs a ConversationContext above it');
  return actions;
}
