import type { GenerationEvent, Message, Quota } from '@tanya/contract';

/** The received state of a running answer. */
export interface StreamingEntry {
  generationId: string;
  threadId: number;
  messageId: number;
  /** Sequence number of the last applied event; null after a resync without one. */
  lastSeq: number | null;
  text: string;
  reasoning: string;
}

export type Applied =
  | { outcome: 'applied'; entry: StreamingEntry }
  | { outcome: 'finished'; message: Message; quota: Quota | null }
  | { outcome: 'dropped' }
  | { outcome: 'gap' };

/** The entry of an answer before its first event. */
export function emptyEntry(answer: Pick<GenerationEvent, 'generationId' | 'threadId' | 'messageId'>): StreamingEntry {
  const { generationId, threadId, messageId } = answer;
  return { generationId, threadId, messageId, lastSeq: 0, text: '', reasoning: '' };
}

/**
 * Applies one event to an answer. Only the very next event changes the text, so that any mix of live and replayed
 * events ends in the same text. A closing event counts whatever its place: it carries the whole message, and the server
 * that closes for one that died may know of fewer events than were sent.
 */
export function applyEvent(entry: StreamingEntry, event: GenerationEvent): Applied {
  if (event.type === 'end') return { outcome: 'finished', message: event.message, quota: event.quota };
  if (event.type === 'error') return { outcome: 'finished', message: event.message, quota: null };
  if (entry.lastSeq !== null && event.seq <= entry.lastSeq) return { outcome: 'dropped' };
  if (entry.lastSeq !== null && event.seq !== entry.lastSeq + 1) return { outcome: 'gap' };
  const grown =
    event.type === 'text-delta' ? { text: entry.text + event.text } : { reasoning: entry.reasoning + event.text };
  return { outcome: 'applied', entry: { ...entry, ...grown, lastSeq: event.seq } };
}

/**
 * The entry for an answer whose missed events are gone.
 * @param seq the newest event that is in the message's text; without it whatever event comes next is taken
 */
export function entryFromMessage(message: Message, generationId: string, seq: number | null = null): StreamingEntry {
  return {
    generationId,
    threadId: message.threadId,
    messageId: message.id,
    lastSeq: seq,
    text: message.content,
    reasoning: message.reasoning ?? '',
  };
}
