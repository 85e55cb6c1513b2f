import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { GenerationStore, type TextChunk } from '../store/generation-store.js';
import type { GenerationRun } from './generation-run.js';
import { GENERATION_LOG, type GenerationLog } from '../log/generation-log.js';
import { RunRegistry } from './run-registry.js';

/**
 * Saves what the runs write, so that it survives the node: events in batches to the generation log, text and parts about
 * once a second to Postgres. The finalizer flushes the last batch, with the closing event, after the end is stored.
 */
@Injectable()
export class RunSaver implements OnModuleInit {
  private isCheckpointing = false;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(GENERATION_LOG) private readonly log: GenerationLog,
    private readonly store: GenerationStore,
    private readonly registry: RunRegistry,
  ) {}

  onModuleInit(): void {
    this.registry.repeatWhileRunning(this.timings.logFlush, () => this.flushAll());
    this.registry.repeatWhileRunning(this.timings.checkpoint, () => this.checkpoint());
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

  /** Saves all that a run has written so far, in the log and in Postgres. */
  async save(run: GenerationRun): Promise<void> {
    await Promise.all([this.flush(run), this.saveParts(run)]);
  }

  /**
   * Stores all that a run has written so far together with other changes, in one commit: `write` gets the last chunk, null
   * without one. A chunk of a save that was not confirmed is stored before, because it ends earlier.
   */
  async saveWith<T>(run: GenerationRun, write: (chunk: TextChunk | null) => Promise<T>): Promise<T> {
    let chunk = run.unsaved.nextChunk(run.seq);
    while (chunk !== null && chunk.seq < run.seq) {
      await this.saveChunk(run, chunk);
      chunk = run.unsaved.nextChunk(run.seq);
    }
    const result = await write(chunk);
    if (chunk !== null) run.unsaved.confirm(chunk);
    return result;
  }

  /** The interval may store it too: a chunk that is stored twice is one. */
  private async saveParts(run: GenerationRun): Promise<void> {
    for (let chunk = run.unsaved.nextChunk(run.seq); chunk !== null; chunk = run.unsaved.nextChunk(run.seq))
      await this.saveChunk(run, chunk);
  }

  private async saveChunk(run: GenerationRun, chunk: TextChunk): Promise<void> {
    await this.store.saveChunks([chunk]);
    run.unsaved.confirm(chunk);
  }

  private async flushAll(): Promise<void> {
    await Promise.all(this.registry.all.map((run) => this.flush(run)));
  }

  /** One statement for all runs. */
  private async checkpoint(): Promise<void> {
    if (this.isCheckpointing) return;
    const chunks = this.registry.all
      .filter((run) => !run.isEnding)
      .flatMap((run) => run.unsaved.nextChunk(run.seq) ?? []);
    if (chunks.length === 0) return;
    this.isCheckpointing = true;
    try {
      await this.store.saveChunks(chunks);
      for (const chunk of chunks) this.registry.find(chunk.generationId)?.unsaved.confirm(chunk);
    } catch (error) {
      this.logger.warn({ err: error, runs: chunks.length }, 'checkpoint failed; retrying with the next one');
    } finally {
      this.isCheckpointing = false;
    }
  }
}
