import type { GenerationEvent } from '@tanya/contract';
import { type GenerationLog, isClosing } from './generation-log.js';

interface Entry {
  events: GenerationEvent[];
  /** When it may go, ms; null while it runs. */
  until: number | null;
}

/** Logs kept at most, so that a flood of short answers can't fill the memory. */
const CAPACITY = 5_000;

/** For the one process that owns its database. */
export class LocalGenerationLog implements GenerationLog {
  private readonly entries = new Map<string, Entry>();

  /** @param retention how long a closed log is kept, ms */
  constructor(private readonly retention: number) {}

  async append(generationId: string, events: readonly GenerationEvent[]): Promise<'appended' | 'closed'> {
    const entry = this.entries.get(generationId) ?? this.open(generationId);
    if (entry.until !== null) return 'closed';
    entry.events.push(...events.filter((event) => event.seq > (entry.events.at(-1)?.seq ?? 0)));
    if (events.some(isClosing)) entry.until = Date.now() + this.retention;
    return 'appended';
  }

  async readAfter(generationId: string, afterSeq: number): Promise<GenerationEvent[] | null> {
    const entry = this.entries.get(generationId);
    if (entry === undefined) return null;
    const last = entry.events.at(-1)?.seq ?? 0;
    if (afterSeq > last) return null;
    const missed = entry.events.filter((event) => event.seq > afterSeq);
    return missed.length === 0 || missed[0]!.seq === afterSeq + 1 ? missed : null;
  }

  async lastSeq(generationId: string): Promise<number> {
    return this.entries.get(generationId)?.events.at(-1)?.seq ?? 0;
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
