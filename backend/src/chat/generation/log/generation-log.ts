import type { GenerationEvent } from '@tanya/contract';

/** An event of a log. Adjacent events that differ in `seq` and `text` alone are stored together. */
export interface LogEvent {
  seq: number;
  /** `end` and `error` close a log; events of unknown types are stored like any other. */
  type: string;
  text?: string;
}

/** The events of recent generations, for readers on any node. Sequence numbers start at 1 without gaps. */
export interface EventLog<E extends LogEvent> {
  /**
   * Appends events. Events that the log already has are skipped, but a closing event closes the log whatever its number.
   * @returns 'closed' when the log has a closing event: another node has ended the generation, and the caller is fenced
   */
  append(id: string, events: readonly E[]): Promise<'appended' | 'closed'>;

  /**
   * Reads the events after a sequence number, without a gap.
   * @returns null when the log does not have them: the number is beyond its end, the log was trimmed or does not exist
   */
  readAfter(id: string, afterSeq: number): Promise<E[] | null>;

  /** The last sequence number; 0 when there is no log. */
  lastSeq(id: string): Promise<number>;
}

/** The log of answers in threads, by the id of their generation, for clients that resume. */
export type GenerationLog = EventLog<GenerationEvent>;

/** Injects the log: a `GenerationLog`, or an `EventLog` of other events under ids of its own. */
export const GENERATION_LOG = Symbol('GENERATION_LOG');
