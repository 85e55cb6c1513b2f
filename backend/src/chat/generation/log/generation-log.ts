import type { GenerationEvent } from '@tanya/contract';

/**
 * The events of recent generations, for clients that resume on any node. Sequence numbers start at 1 without gaps. Events
 * of unknown types are stored like any other; only `end` and `error` close a log.
 */
export interface GenerationLog {
  /**
   * Appends events. Events that the log already has are skipped, but a closing event closes the log whatever its number.
   * @returns 'closed' when the log has a closing event: another node has ended the generation, and the caller is fenced
   */
  append(generationId: string, events: readonly GenerationEvent[]): Promise<'appended' | 'closed'>;

  /**
   * Reads the events after a sequence number, without a gap.
   * @returns null when the log does not have them: the number is beyond its end, the log was trimmed or does not exist
   */
  readAfter(generationId: string, afterSeq: number): Promise<GenerationEvent[] | null>;

  /** The last sequence number; 0 when there is no log. */
  lastSeq(generationId: string): Promise<number>;
}

export const GENERATION_LOG = Symbol('GENERATION_LOG');
