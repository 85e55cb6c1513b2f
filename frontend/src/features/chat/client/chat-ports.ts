import type { Ack, ClientToServerEvents, GenerationEvent, Message } from '@tanya/contract';
import type { Owner } from '../../../app/storage/owner';
import type { ConversationKey } from './outbox-store';

type Event = keyof ClientToServerEvents;
export type PayloadOf<E extends Event> = Parameters<ClientToServerEvents[E]>[0];
type DataOf<E extends Event> = Parameters<Parameters<ClientToServerEvents[E]>[1]>[0] extends Ack<infer T> ? T : never;

/** The socket as the chat sees it; app/socket.ts in the product, a fake in the tests. */
export interface ChatSocket {
  request<E extends Event>(event: E, payload: PayloadOf<E>, timeoutMs?: number): Promise<DataOf<E>>;
  onGenerationEvent(listener: (event: GenerationEvent) => void): () => void;
  onConnected(listener: () => void): () => void;
  isConnected(): boolean;
}

/** Whom the page shows; app/page-owner.ts in the product. */
export interface ChatOwner {
  /** Null while that is not known. */
  current(): Owner | null;
  /** Finds out, where it is not known. */
  ask(): void;
  onChanged(listener: (before: Owner | null) => void): () => void;
}

/** What others want to know of the session's work. */
export interface ChatObserver {
  answering(threadId: number): void;
  /** The answer reached its final state. */
  answered(message: Message): void;
  /** A conversation got its thread. */
  threadOpened(conversation: ConversationKey, threadId: number): void;
}
