import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import type { GenerationRun } from './generation-run.js';
import { GENERATION_LOG, type GenerationLog } from '../log/generation-log.js';
import { RunRegistry } from './run-registry.js';

/**
 * Appends the events of all runs to the generation log in batches. The last batch of a run follows its end in Postgres and
 * has the closing event; while the end cannot be stored, the interval appends the rest.
 */
@Injectable()
export class LogFlusher {
  constructor(
    @Inject(TIMINGS) timings: Timings,
    @Inject(GENERATION_LOG) private readonly log: GenerationLog,
    private readonly registry: RunRegistry,
  ) {
    registry.whileRunning(timings.logFlush, () => this.flushAll());
  }

  /** Appends the events that are still in memory. Events that the log did not take stay in memory for the next flush. */
  flush(run: GenerationRun): Promise<void> {
    return run.inLogOrder(async () => {
      const events = run.takeUnlogged();
      if (events.length === 0) return;
      try {
        if ((await this.log.append(run.id, events)) === 'closed' && !run.isEnding) run.abort('fenced');
      } catch {
        run.putBackUnlogged(events);
      }
    });
  }

  private async flushAll(): Promise<void> {
    await Promise.all(this.registry.all.map((run) => this.flush(run)));
  }
}
