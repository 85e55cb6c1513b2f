import { type GenerationEvent, isClosing } from '@tanya/contract';
import type { GenerationLog } from './generation-log.js';
import { lastSeqOf, packInto, type PackedEvent, unpackAfter } from './packed-events.js';

interface Entry {
  events: PackedEvent[];
  /** When the log may be deleted, epoch ms; null while the generation runs. */
  expiresAt: number | null;
}

function lastSeqIn({ events }: Entry): number {
  const last = events.at(-1);
  return last === undefined ? 0 : lastSeqOf(last);
}

/** Above this number, closed logs are evicted before their retention ends. */
const CAPACITY = 5_000;

/** The log of a process without Redis, which is the only node of its database. */
export class InProcessGenerationLog implements GenerationLog {
  private readonly entries = new Map<string, Entry>();

  /** @param retention of a closed log in ms */
  constructor(private readonly retention: number) {}

  async append(generationId: string, events: readonly GenerationEvent[]): Promise<'appended' | 'closed'> {
    const entry = this.entries.get(generationId) ?? this.open(generationId);
    if (entry.expiresAt !== null) return 'closed';
    const last = lastSeqIn(entry);
    for (const event of events) if (event.seq > last) packInto(entry.events, event);
    if (events.some(isClosing)) entry.expiresAt = Date.now() + this.retention;
    return 'appended';
  }

  async readAfter(generationId: string, afterSeq: number): Promise<GenerationEvent[] | null> {
    const entry = this.find(generationId);
    if (entry === undefined) return null;
    if (afterSeq > lastSeqIn(entry)) return null;
    const missed = unpackAfter(entry.events, afterSeq);
    return missed.length === 0 || missed[0]!.seq === afterSeq + 1 ? missed : null;
  }

  async lastSeq(generationId: string): Promise<number> {
    const entry = this.find(generationId);
    return entry === undefined ? 0 : lastSeqIn(entry);
  }

  /** A log whose retention has ended may still be in memory. */
  private find(generationId: string): Entry | undefined {
    const entry = this.entries.get(generationId);
    return entry?.expiresAt != null && entry.expiresAt <= Date.now() ? undefined : entry;
  }

  private open(generationId: string): Entry {
    this.trim();
    const entry: Entry = { events: [], expiresAt: null };
    this.entries.set(generationId, entry);
    return entry;
  }

  private trim(): void {
    const now = Date.now();
    for (const [id, { expiresAt }] of this.entries) {
      if (expiresAt === null) continue;
      if (expiresAt > now && this.entries.size < CAPACITY) break;
      this.entries.delete(id);
    }
  }
}
