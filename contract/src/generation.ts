import type { GenerationError } from './errors.js';
import type { MessagePart } from './chat/message-parts.js';
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
  /** Index of the part that it extends; a part begins with its first delta. Nodes of earlier versions omit it. */
  part?: number;
}

export interface ReasoningDeltaEvent extends GenerationEventBase {
  type: 'reasoning-delta';
  text: string;
  part?: number;
}

/** Adds a tool, source or image part, or replaces the one at `index`; reasoning replaces text that turned out to be it. */
export interface PartEvent extends GenerationEventBase {
  type: 'part';
  index: number;
  part: MessagePart;
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
export type GenerationEvent = TextDeltaEvent | ReasoningDeltaEvent | PartEvent | EndEvent | ErrorEvent;

/** Whether an event is a generation's last. The type alone decides. */
export const isClosing = (event: { type: string }): boolean => event.type === 'end' || event.type === 'error';
