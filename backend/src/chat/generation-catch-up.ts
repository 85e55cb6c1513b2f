import type { GenerationEvent, GenerationResumed } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../config/timings.js';
import { AppError } from '../platform/app-error.js';
import type { Owner } from '../platform/identity.js';
import { GenerationEngine } from './generation-engine.js';
import { GENERATION_LOG, type GenerationLog, isClosing } from './generation-log.js';
import { GenerationStore } from './generation-store.js';

/** How many flushes of its log another process may be behind what it has emitted, one of them on its way. */
const FLUSHES_BEHIND = 3;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const reachesEnd = (events: readonly GenerationEvent[]): boolean => events.length > 0 && isClosing(events.at(-1)!);

/** Brings a page that was away up to date with a generation, whichever process writes it. */
@Injectable()
export class GenerationCatchUp {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(GENERATION_LOG) private readonly log: GenerationLog,
    private readonly store: GenerationStore,
    private readonly engine: GenerationEngine,
  ) {}

  /**
   * The events after a position, or the message as it stands where they are no longer at hand: null when the generation
   * is unknown, gone with its thread for example.
   * @throws AppError `not_found` for somebody else's
   */
  async after(owner: Owner, generationId: string, afterSeq: number): Promise<GenerationResumed> {
    const row = await this.store.find(owner, generationId);
    if (row === null && !(await this.store.exists(generationId))) return { outcome: 'resync', message: null };
    if (row === null || row.message_id === null) throw new AppError('not_found');
    const run = this.engine.find(generationId);
    if (run !== undefined) await this.engine.flush(run);
    const isElsewhere = run === undefined && row.status === 'streaming';
    const events = await this.logged(generationId, afterSeq, isElsewhere ? FLUSHES_BEHIND : 0);
    // After the end only events that reach it will do: a process that died may have given out numbers that nobody stored,
    // and an end that got one of them anew must not pass for seen.
    const isWhole = events !== null && (row.status === 'streaming' || reachesEnd(events));
    if (isWhole) return { outcome: 'resumed', events };
    const message = await this.store.message(row.message_id);
    if (message === null || message.status !== 'streaming') return { outcome: 'resync', message };
    const soFar = run ?? (await this.store.survived(generationId));
    return {
      outcome: 'resync',
      message: { ...message, content: soFar.text, reasoning: soFar.reasoning || null },
      seq: soFar.seq,
    };
  }

  /** @param flushes how many flushes of another process to wait for: what it emits it logs a moment later */
  private async logged(generationId: string, afterSeq: number, flushes: number): Promise<GenerationEvent[] | null> {
    const events = await this.log.readAfter(generationId, afterSeq).catch(() => null);
    if (events !== null || flushes === 0) return events;
    await sleep(this.timings.logFlush);
    return this.logged(generationId, afterSeq, flushes - 1);
  }
}
