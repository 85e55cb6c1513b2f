import {
  applyPartChange,
  derivedParts,
  type GenerationEvent,
  isPartChange,
  type Message,
  type MessagePart,
  textOfParts,
} from '@tanya/contract';

export interface StreamingEntry {
  generationId: string;
  threadId: number;
  messageId: number;
  /** Sequence number of the last applied event; null after a resync without one. */
  lastSeq: number | null;
  text: string;
  reasoning: string;
  /** The parts in order; `text` and `reasoning` are those of all of them. */
  parts: readonly MessagePart[];
}

export type Applied =
  | { outcome: 'applied'; entry: StreamingEntry }
  | { outcome: 'finished'; message: Message }
  | { outcome: 'dropped' }
  | { outcome: 'gap' };

/** The entry of an answer before its first event. */
export function emptyEntry(answer: Pick<GenerationEvent, 'generationId' | 'threadId' | 'messageId'>): StreamingEntry {
  const { generationId, threadId, messageId } = answer;
  return { generationId, threadId, messageId, lastSeq: 0, text: '', reasoning: '', parts: [] };
}

/**
 * Applies one event to an answer. Only the event after `lastSeq` is applied, so that any mix of live and resumed events
 * ends in the same text. A closing event is applied with any sequence number: it carries the whole message, and a node
 * that finalizes an orphan may have read fewer events than were sent. An event of an unknown type, sent by a newer
 * server, advances `lastSeq` only.
 */
export function applyEvent(entry: StreamingEntry, event: GenerationEvent): Applied {
  if (event.type === 'end' || event.type === 'error') return { outcome: 'finished', message: event.message };
  if (entry.lastSeq !== null && event.seq <= entry.lastSeq) return { outcome: 'dropped' };
  if (entry.lastSeq !== null && event.seq !== entry.lastSeq + 1) return { outcome: 'gap' };
  return { outcome: 'applied', entry: { ...entry, ...changeBy(entry, event), lastSeq: event.seq } };
}

function changeBy(entry: StreamingEntry, event: GenerationEvent): Partial<StreamingEntry> {
  if (!isPartChange(event)) return {};
  const parts = applyPartChange(entry.parts, event);
  if (event.type === 'part')
    return { parts, text: textOfParts(parts, 'text'), reasoning: textOfParts(parts, 'reasoning') };
  if (event.type === 'text-delta') return { parts, text: entry.text + event.text };
  return { parts, reasoning: entry.reasoning + event.text };
}

/**
 * The entry of an answer after a resync.
 * @param seq sequence number of the last event in the message's text; without it, the next event of any number is applied
 */
export function entryFromMessage(message: Message, generationId: string, seq: number | null = null): StreamingEntry {
  return {
    generationId,
    threadId: message.threadId,
    messageId: message.id,
    lastSeq: seq,
    text: message.content,
    reasoning: message.reasoning ?? '',
    parts: message.parts ?? derivedParts({ text: message.content }, message.reasoning),
  };
}
