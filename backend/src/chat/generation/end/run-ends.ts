import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { type Retries, retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import { FreeStops } from '../../../quota/free-stops.js';
import type { GenerationRun } from '../live/generation-run.js';
import { RunRegistry } from '../live/run-registry.js';
import { GenerationFinalizer } from './generation-finalizer.js';
import { type GenerationEnd, isStoppedUnseen, notStored } from './generation-end.js';

/** Ends the runs of this node. */
@Injectable()
export class RunEnds {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly registry: RunRegistry,
    private readonly finalizer: GenerationFinalizer,
    private readonly freeStops: FreeStops,
  ) {}

  /**
   * Stores and announces the end of a run, and retries while Postgres is unavailable. After `settleRetry` the answer becomes
   * a storage error, which is free, and retries go on; a node that shuts down leaves the end to the reaper.
   * @throws when Postgres does not take it before the node shuts down
   */
  async store(run: GenerationRun, written: GenerationEnd): Promise<void> {
    const end = await this.withFreeStop(run, written);
    try {
      await this.finalizeUntil(run, end, { timeoutMs: this.timings.settleRetry, isRetried: () => true });
    } catch (error) {
      if (this.registry.isDraining) throw error;
      this.warn(run, error);
      const free: GenerationEnd = { ...end, status: 'error', error: notStored() };
      await this.finalizeUntil(run, free, { timeoutMs: Infinity, isRetried: () => !this.registry.isDraining }, true);
    }
  }

  /** Counts a stop before any output, once for all attempts to store it, and notes whether it is free. */
  private async withFreeStop(run: GenerationRun, end: GenerationEnd): Promise<GenerationEnd> {
    if (!isStoppedUnseen(end)) return end;
    const isFree = await this.freeStops.takeOne({ ...run.spec.asker, owner: run.owner });
    return { ...end, isBeyondFreeStops: !isFree };
  }

  /**
   * Finalizes, again and again while Postgres is unavailable.
   * @param isRetry whether an earlier attempt failed, whose commit may have succeeded
   */
  private finalizeUntil(run: GenerationRun, end: GenerationEnd, retries: Retries, isRetry = false): Promise<void> {
    const store = async (): Promise<void> => {
      const stored = await this.finalizer.finalize(run.id, end, run.seq, { isRetry });
      run.markEnded(stored ?? 'interrupted');
    };
    const onRetry = (error: unknown): void => {
      isRetry = true;
      this.warn(run, error);
    };
    return retryWhileStorageIsAway(store, { ...retries, onRetry });
  }

  private warn(run: GenerationRun, error: unknown): void {
    this.logger.warn({ err: error, ...run.ids }, 'end of the generation not stored; retrying');
  }
}
