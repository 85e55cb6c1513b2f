import type { ClientEvent, EventData, EventPayload, GenerationEvent, Message } from '@tanya/contract';
import type { Owner } from '../../../app/storage/owner';
import type { ConversationKey } from './outbox-store';

/** The socket of the chat client: app/socket/socket.ts in the product, a fake in tests. */
export interface ChatSocket {
  /** Resolves with the data of the ack. Rejects with an `ApiError` on a refusal, a timeout or a lost connection. */
  request<E extends ClientEvent>(event: E, payload: EventPayload<E>, timeoutMs?: number): Promise<EventData<E>>;
  onGenerationEvent(listener: (event: GenerationEvent) => void): () => void;
  onConnected(listener: () => void): () => void;
  isConnected(): boolean;
  /** Opens another connection after a pause. */
  reconnect(): void;
}

/** The owner that the page shows: app/session/page-owner.ts in the product, a fake in tests. */
export interface ChatOwner {
  /** Null until the session is loaded. */
  current(): Owner | null;
  /** Loads the session, if it is not loaded. */
  load(): void;
  /** Calls the listener with the previous owner. */
  onChanged(listener: (before: Owner | null) => void): () => void;
}

/** Callbacks of the chat client. */
export interface ChatObserver {
  answerStarted(threadId: number): void;
  /** A connection began. Of the running answers, only those of these threads are known. */
  connected(streaming: number[]): void;
  answerFinished(message: Message): void;
  threadCreated(conversation: ConversationKey, threadId: number, isTemporary?: boolean): void;
}
