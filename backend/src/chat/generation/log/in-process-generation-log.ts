import { type GenerationEvent, isClosing } from '@tanya/contract';
import type { EventLog, LogEvent } from './generation-log.js';
import { lastSeqOf, packInto, type PackedEvent, unpackAfter } from './packed-events.js';

interface Entry {
  events: PackedEvent[];
  /** Approximate size of the events. */
  characters: number;
  /** When the log may be deleted, epoch ms; null while the generation runs. */
  expiresAt: number | null;
}

function lastSeqIn({ events }: Entry): number {
  const last = events.at(-1);
  return last === undefined ? 0 : lastSeqOf(last);
}

/** Above one of these bounds, the events of the logs that were closed first are deleted before their retention ends. */
const MAX_CLOSED = 5_000;
const MAX_CLOSED_CHARACTERS = 64_000_000;

/** Above it, the running logs that were appended to least recently are deleted: those of answers that wait for approvals. */
const MAX_RUNNING_CHARACTERS = 64_000_000;

/** Memory of a packed event beside its text, in characters. */
const TEXT_OVERHEAD = 32;

const charactersOf = (event: LogEvent): number =>
  event.text === undefined ? JSON.stringify(event).length : event.text.length + TEXT_OVERHEAD;

/** The log of a process without Redis, which is the only node of its database. */
export class InProcessGenerationLog<E extends LogEvent = GenerationEvent> implements EventLog<E> {
  /** Logs of running and waiting generations, in the order of their last appends. The length of an answer bounds each. */
  private readonly running = new Map<string, Entry>();
  /** In the order in which they were closed. */
  private readonly closed = new Map<string, Entry>();
  /** When the retention of closed logs without events ends, epoch ms. They fence runs like other closed logs. */
  private readonly emptied = new Map<string, number>();
  private closedCharacters = 0;
  private runningCharacters = 0;

  /**
   * @param retention of a closed log in ms
   * @param maxClosedCharacters of all closed logs
   * @param maxRunningCharacters of all others
   */
  constructor(
    private readonly retention: number,
    private readonly maxClosedCharacters = MAX_CLOSED_CHARACTERS,
    private readonly maxRunningCharacters = MAX_RUNNING_CHARACTERS,
  ) {}

  async append(generationId: string, events: readonly E[]): Promise<'appended' | 'closed'> {
    if (this.closed.has(generationId) || this.emptied.has(generationId)) return 'closed';
    const entry = this.running.get(generationId) ?? this.open();
    this.forget(generationId);
    const last = lastSeqIn(entry);
    for (const event of events) {
      if (event.seq <= last) continue;
      packInto(entry.events, event);
      entry.characters += charactersOf(event);
    }
    if (events.some(isClosing)) this.close(generationId, entry);
    else this.keep(generationId, entry);
    return 'appended';
  }

  async readAfter(generationId: string, afterSeq: number): Promise<E[] | null> {
    const entry = this.find(generationId);
    if (entry === undefined) return null;
    if (afterSeq > lastSeqIn(entry)) return null;
    const missed = unpackAfter(entry.events, afterSeq) as E[];
    return missed.length === 0 || missed[0]!.seq === afterSeq + 1 ? missed : null;
  }

  async lastSeq(generationId: string): Promise<number> {
    const entry = this.find(generationId);
    return entry === undefined ? 0 : lastSeqIn(entry);
  }

  /** A log whose retention has ended may still be in memory. */
  private find(generationId: string): Entry | undefined {
    const entry = this.running.get(generationId) ?? this.closed.get(generationId);
    return entry?.expiresAt != null && entry.expiresAt <= Date.now() ? undefined : entry;
  }

  private open(): Entry {
    this.trim();
    return { events: [], characters: 0, expiresAt: null };
  }

  private keep(generationId: string, entry: Entry): void {
    this.running.set(generationId, entry);
    this.runningCharacters += entry.characters;
    for (const id of this.running.keys()) {
      if (this.runningCharacters <= this.maxRunningCharacters || id === generationId) break;
      this.forget(id);
    }
  }

  private forget(generationId: string): void {
    this.runningCharacters -= this.running.get(generationId)?.characters ?? 0;
    this.running.delete(generationId);
  }

  private close(generationId: string, entry: Entry): void {
    entry.expiresAt = Date.now() + this.retention;
    this.closed.set(generationId, entry);
    this.closedCharacters += entry.characters;
    this.trim();
  }

  private trim(): void {
    const now = Date.now();
    for (const [id, { expiresAt, characters }] of this.closed) {
      const isTooMuch = this.closed.size > MAX_CLOSED || this.closedCharacters > this.maxClosedCharacters;
      if (!isTooMuch && expiresAt! > now) break;
      this.closed.delete(id);
      this.closedCharacters -= characters;
      this.emptied.set(id, expiresAt!);
    }
    for (const [id, expiresAt] of this.emptied) {
      const areTooMany = this.emptied.size + this.closed.size > MAX_CLOSED;
      if (!areTooMany && expiresAt > now) break;
      this.emptied.delete(id);
    }
  }
}
