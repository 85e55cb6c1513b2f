import type { GenerationError } from './errors.js';
import type { Message } from './threads.js';
import type { Quota } from './quota.js';

/** `streaming` is the only state that changes; the others are final. */
export const MESSAGE_STATUSES = ['streaming', 'complete', 'stopped', 'interrupted', 'error'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];
export type TerminalStatus = Exclude<MessageStatus, 'streaming'>;

interface GenerationEventBase {
  /** UUID of the generation. */
  generationId: string;
  threadId: number;
  /** Id of the AI message that this generation writes. */
  messageId: number;
  /** Starts at 1 for each generation and grows by one an event. */
  seq: number;
}

export interface TextDeltaEvent extends GenerationEventBase {
  type: 'text-delta';
  text: string;
}

export interface ReasoningDeltaEvent extends GenerationEventBase {
  type: 'reasoning-delta';
  text: string;
}

/** Closes a `complete` or `stopped` generation. */
export interface EndEvent extends GenerationEventBase {
  type: 'end';
  message: Message;
  quota: Quota;
}

/** Closes an `error` or `interrupted` generation. */
export interface ErrorEvent extends GenerationEventBase {
  type: 'error';
  error: GenerationError;
  message: Message;
}

export type GenerationEvent = TextDeltaEvent | ReasoningDeltaEvent | EndEvent | ErrorEvent;
