import type { GenerationEvent } from '@tanya/contract';

/**
 * The events of recent generations, so that a client that was away gets what it missed, from any node.
 * Sequence numbers begin at 1 and have no holes.
 */
export interface GenerationLog {
  /**
   * Adds events that follow what is there.
   * @returns 'closed' when the log has an end already: whoever appends has been replaced and must stop emitting
   */
  append(generationId: string, events: readonly GenerationEvent[]): Promise<'appended' | 'closed'>;
  /**
   * The events after a position, without a hole.
   * @returns null when that position is unknown here: beyond the log, trimmed, or of a generation that has none
   */
  readAfter(generationId: string, afterSeq: number): Promise<GenerationEvent[] | null>;
  /** The last seq, 0 when nothing is known. */
  lastSeq(generationId: string): Promise<number>;
}

export const GENERATION_LOG = Symbol('GENERATION_LOG');

export const isClosing = (event: GenerationEvent): boolean => event.type === 'end' || event.type === 'error';
