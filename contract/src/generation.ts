import type { GenerationError } from './errors.js';
import type { Message } from './messages.js';
import type { Quota } from './quota.js';

interface GenerationEventBase {
  /** UUID of the generation. */
  generationId: string;
  threadId: number;
  /** Id of the AI message that this generation writes. */
  messageId: number;
  /** Sequence number: 1 for a generation's first event, then one more for each event of any type. */
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

/**
 * One event of a generation. Later versions add types: a client ignores unknown types, but counts their
 * `seq`.
 */
export type GenerationEvent = TextDeltaEvent | ReasoningDeltaEvent | EndEvent | ErrorEvent;

/** Whether an event is a generation's last. The type alone decides. */
export const isClosing = (event: { type: string }): boolean => event.type === 'end' || event.type === 'error';
