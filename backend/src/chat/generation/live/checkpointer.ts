import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { GenerationStore } from '../store/generation-store.js';
import { RunRegistry } from './run-registry.js';

/** Saves the text and parts of all runs to Postgres about once a second, one statement for all, so that it survives the node. */
@Injectable()
export class Checkpointer {
  private isSaving = false;

  constructor(
    @Inject(TIMINGS) timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly store: GenerationStore,
    private readonly registry: RunRegistry,
  ) {
    registry.whileRunning(timings.checkpoint, () => this.save());
  }

  private async save(): Promise<void> {
    if (this.isSaving) return;
    const chunks = this.registry.all.filter((run) => !run.isEnding).flatMap((run) => run.takeUnsaved() ?? []);
    if (chunks.length === 0) return;
    this.isSaving = true;
    try {
      await this.store.saveChunks(chunks);
      for (const chunk of chunks) this.registry.find(chunk.generationId)?.confirmSaved(chunk);
    } catch (error) {
      this.logger.warn({ err: error, runs: chunks.length }, 'checkpoint failed; retrying with the next one');
    } finally {
      this.isSaving = false;
    }
  }
}
