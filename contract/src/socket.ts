import type { ErrorBody } from './errors.js';
import type { GenerationEvent, MessageStatus } from './generation.js';
import type { Quota } from './quota.js';
import type { Message, OutgoingMessage } from './threads.js';

/** Where Socket.IO listens, on the page's own origin. */
export const SOCKET_PATH = '/socket.io';

/** The answer to every client event; one is always given. */
export type Ack<T> = { ok: true; data: T } | { ok: false; error: ErrorBody };

export interface GenerationStartPayload {
  /** UUID made by the client; a repeated send with it gets the first one's answer. */
  clientMessageId: string;
  /** null opens a new thread. */
  threadId: number | null;
  model: string;
  content: OutgoingMessage;
  /** The user message that this one replaces as a new version. */
  editOf?: number;
}

export interface GenerationRegeneratePayload {
  clientMessageId: string;
  /** The AI message to write again; it stays as a version. */
  messageId: number;
  model?: string;
}

export interface GenerationStopPayload {
  generationId: string;
}

export interface GenerationResumePayload {
  generationId: string;
  /** The last seq that the client has; 0 asks for everything. */
  afterSeq: number;
}

export interface GenerationStarted {
  threadId: number;
  generationId: string;
  userMessage: Message;
  aiMessage: Message;
  quota: Quota;
  /** True when this clientMessageId had been taken before. */
  duplicate?: boolean;
}

export interface GenerationStopped {
  status: MessageStatus;
}

export type GenerationResumed =
  | { outcome: 'resumed'; events: GenerationEvent[] }
  /**
   * The missed events are no longer at hand: take this message as it is (null: it is gone). While it is `streaming`,
   * its content is the text up to `seq`, and events go on from there.
   */
  | { outcome: 'resync'; message: Message | null; seq?: number };

export interface ClientToServerEvents {
  'generation:start': (payload: GenerationStartPayload, ack: (answer: Ack<GenerationStarted>) => void) => void;
  'generation:regenerate': (
    payload: GenerationRegeneratePayload,
    ack: (answer: Ack<GenerationStarted>) => void,
  ) => void;
  'generation:stop': (payload: GenerationStopPayload, ack: (answer: Ack<GenerationStopped>) => void) => void;
  'generation:resume': (payload: GenerationResumePayload, ack: (answer: Ack<GenerationResumed>) => void) => void;
}

export interface ThreadChangedPayload {
  threadId: number;
  /** The last message of the shown path, where somebody chose another version. */
  activeLeafId?: number;
}

export interface ThreadDeletedPayload {
  threadId: number;
}

/** What a page tells with its handshake, so that it is never taken for somebody that it is not. */
export interface SocketAuth {
  /** Whom it shows to be signed in; absent for guests. */
  userId?: number;
}

export interface SessionEndedPayload {
  /** `expired`: by time, or without anybody who could say why. */
  reason: 'logout' | 'password' | 'role' | 'deleted' | 'expired';
}

export interface ServerToClientEvents {
  'generation:event': (event: GenerationEvent) => void;
  'thread:changed': (payload: ThreadChangedPayload) => void;
  'thread:deleted': (payload: ThreadDeletedPayload) => void;
  'quota:changed': (quota: Quota) => void;
  'models:changed': () => void;
  /** The general settings are others; told to one account alone, another plan or role holds for it. */
  'settings:changed': () => void;
  'session:ended': (payload: SessionEndedPayload) => void;
}
