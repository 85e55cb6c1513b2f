import type { ErrorBody } from './errors.js';
import type { GenerationEvent } from './generation.js';
import type {
  AnswerOptions,
  Message,
  MessageFeedback,
  MessageStatus,
  OutgoingMessage,
  SendOptions,
} from './messages.js';
import type { Quota } from './quota.js';

/** Where Socket.IO listens, on the page's own origin. */
export const SOCKET_PATH = '/socket.io';

/** The acknowledgement of a client event. The server answers each event with exactly one. */
export type Ack<T> = { ok: true; data: T } | { ok: false; error: ErrorBody };

export interface GenerationStartPayload extends SendOptions {
  /** Idempotency key, a UUID made by the client: a repeated send with it gets the first send's answer. */
  clientMessageId: string;
  /** null starts a new thread. */
  threadId: number | null;
  model: string;
  content: OutgoingMessage;
  /** Id of the user message that this message replaces as a new version. */
  editOf?: number;
}

export interface GenerationRegeneratePayload extends AnswerOptions {
  clientMessageId: string;
  /** Id of the AI message to answer anew; the old answer stays as a version. */
  messageId: number;
  model?: string;
}

export interface GenerationStopPayload {
  generationId: string;
}

/** A decision about one call that waits. The same decision may be sent again. */
export interface GenerationApprovePayload {
  generationId: string;
  callId: string;
  allow: boolean;
}

export interface GenerationResumePayload {
  generationId: string;
  /** The last sequence number that the client has; 0 asks for all events. */
  afterSeq: number;
}

export interface GenerationStarted {
  threadId: number;
  generationId: string;
  userMessage: Message;
  aiMessage: Message;
  quota: Quota;
  /** True for a repeated `clientMessageId`. */
  duplicate?: boolean;
  /** Whether the thread is temporary; otherwise absent. */
  temporary?: boolean;
}

/** `waiting` while other calls of the answer wait. */
export interface GenerationApproved {
  status: MessageStatus;
}

export interface GenerationStopped {
  status: MessageStatus;
}

export type GenerationResumed =
  | { outcome: 'resumed'; events: GenerationEvent[] }
  /**
   * The log no longer has the missed events. The client replaces its copy by `message` (null: deleted). While the
   * message is `streaming` or `waiting`, its content and parts are those up to `seq`, and the next event is `seq + 1`.
   */
  | { outcome: 'resync'; message: Message | null; seq?: number };

export interface ClientToServerEvents {
  'generation:start': (payload: GenerationStartPayload, ack: (answer: Ack<GenerationStarted>) => void) => void;
  'generation:regenerate': (
    payload: GenerationRegeneratePayload,
    ack: (answer: Ack<GenerationStarted>) => void,
  ) => void;
  'generation:stop': (payload: GenerationStopPayload, ack: (answer: Ack<GenerationStopped>) => void) => void;
  'generation:approve': (payload: GenerationApprovePayload, ack: (answer: Ack<GenerationApproved>) => void) => void;
  'generation:resume': (payload: GenerationResumePayload, ack: (answer: Ack<GenerationResumed>) => void) => void;
}

export type ClientEvent = keyof ClientToServerEvents;
export type EventPayload<E extends ClientEvent> = Parameters<ClientToServerEvents[E]>[0];
export type EventData<E extends ClientEvent> =
  Parameters<Parameters<ClientToServerEvents[E]>[1]>[0] extends Ack<infer T> ? T : never;

/** The client events by name. `satisfies` keeps this table and the types above in step. */
export const CLIENT_EVENTS = {
  'generation:start': true,
  'generation:regenerate': true,
  'generation:stop': true,
  'generation:approve': true,
  'generation:resume': true,
} as const satisfies Record<keyof ClientToServerEvents, true>;

export interface ThreadChangedPayload {
  threadId: number;
  /** The last message of the shown path, after a switch to another version. */
  activeLeafId?: number;
}

export interface ThreadDeletedPayload {
  threadId: number;
  /** Until when the deletion can be taken back. */
  restorableUntil?: string;
}

export interface MessageRatedPayload {
  threadId: number;
  messageId: number;
  /** null after the rating was removed. */
  feedback: MessageFeedback | null;
}

export interface ProjectChangedPayload {
  projectId: number;
}

/** Sent with the handshake. The server refuses a socket whose session belongs to another user than the page shows. */
export interface SocketAuth {
  /** The user that the page shows as signed in; absent for guests. */
  userId?: number;
}

export interface SessionEndedPayload {
  /** `expired`: the session timed out, gave way to newer ones, ended with a new second factor, or for an unknown reason. */
  reason: 'logout' | 'password' | 'role' | 'deleted' | 'suspended' | 'expired';
}

export interface ServerToClientEvents {
  'generation:event': (event: GenerationEvent) => void;
  'thread:changed': (payload: ThreadChangedPayload) => void;
  'thread:deleted': (payload: ThreadDeletedPayload) => void;
  'message:rated': (payload: MessageRatedPayload) => void;
  'quota:changed': (quota: Quota) => void;
  /** A project of the account, its members, its files or the state of one changed, or the account left it. */
  'project:changed': (payload: ProjectChangedPayload) => void;
  'models:changed': () => void;
  /** The general settings changed. Sent to one account alone when its plan, role or profile changed. */
  'settings:changed': () => void;
  'session:ended': (payload: SessionEndedPayload) => void;
}
