import { Inject, Injectable } from '@nestjs/common';
import { type EventLog, GENERATION_LOG, type LogEvent } from '../log/generation-log.js';

export interface LoggedEvents {
  events: string[];
  /** Whether the last event has been read: nothing follows. */
  isClosed: boolean;
}

/** The key of a generation's stream of the public API, apart from the log of its message. */
const keyOf = (generationId: string): string => `${generationId}/stream`;

/**
 * Events of detached generations for readers on any node, in the generation log. The caller defines their form. Their
 * numbers start at 0; the log, whose numbers start at 1, is deleted `timings.logRetention` after it is closed.
 */
@Injectable()
export class DetachedLog {
  constructor(@Inject(GENERATION_LOG) private readonly log: EventLog<LogEvent>) {}

  /** Appends events, the first of which has the number `first`. Events that the log has are skipped. */
  async append(generationId: string, first: number, events: readonly string[], isLast: boolean): Promise<void> {
    const entries: LogEvent[] = events.map((text, index) => ({ seq: first + index + 1, type: 'event', text }));
    if (isLast) entries.push({ seq: first + events.length + 1, type: 'end' });
    await this.log.append(keyOf(generationId), entries);
  }

  /** Reads the events from a number on. @returns null when the log does not have them */
  async readFrom(generationId: string, from: number): Promise<LoggedEvents | null> {
    const events = await this.log.readAfter(keyOf(generationId), from);
    if (events === null) return null;
    return {
      events: events.flatMap(({ text }) => text ?? []),
      isClosed: events.at(-1)?.type === 'end',
    };
  }

  async exists(generationId: string): Promise<boolean> {
    return (await this.log.lastSeq(keyOf(generationId))) > 0;
  }
}
