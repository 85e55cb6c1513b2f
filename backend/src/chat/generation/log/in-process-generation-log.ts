import type { GenerationEvent } from '@tanya/contract';
import { type GenerationLog, isClosing } from './generation-log.js';
import { lastSeqOf, packInto, type PackedEvent, unpackAfter } from './packed-events.js';

interface Entry {
  events: PackedEvent[];
  /** When it may go, ms; null while it runs. */
  until: number | null;
}

function lastOf({ events }: Entry): number {
  const last = events.at(-1);
  return last === undefined ? 0 : lastSeqOf(last);
}

/** Logs kept at most, so that a flood of short answers can't fill the memory. */
const CAPACITY = 5_000;

/** For the one process that owns its database. */
export class InProcessGenerationLog implements GenerationLog {
  private readonly entries = new Map<string, Entry>();

  /** @param retention how long a closed log is kept, ms */
  constructor(private readonly retention: number) {}

  async append(generationId: string, events: readonly GenerationEvent[]): Promise<'appended' | 'closed'> {
    const entry = this.entries.get(generationId) ?? this.open(generationId);
    if (entry.until !== null) return 'closed';
    const known = lastOf(entry);
    for (const event of events) if (event.seq > known) packInto(entry.events, event);
    if (events.some(isClosing)) entry.until = Date.now() + this.retention;
    return 'appended';
  }

  async readAfter(generationId: string, afterSeq: number): Promise<GenerationEvent[] | null> {
    const entry = this.entries.get(generationId);
    if (entry === undefined) return null;
    if (afterSeq > lastOf(entry)) return null;
    const missed = unpackAfter(entry.events, afterSeq);
    return missed.length === 0 || missed[0]!.seq === afterSeq + 1 ? missed : null;
  }

  async lastSeq(generationId: string): Promise<number> {
    const entry = this.entries.get(generationId);
    return entry === undefined ? 0 : lastOf(entry);
  }

  private open(generationId: string): Entry {
    this.trim();
    const entry: Entry = { events: [], until: null };
    this.entries.set(generationId, entry);
    return entry;
  }

  private trim(): void {
    const now = Date.now();
    for (const [id, { until }] of this.entries) {
      if (until === null) continue;
      if (until > now && this.entries.size < CAPACITY) break;
      this.entries.delete(id);
    }
  }
}
