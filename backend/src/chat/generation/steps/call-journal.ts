import type { ToolPart } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { toAppError } from '../../../platform/errors/error-body.js';
import { createBackoff } from '../run/backoff.js';
import { Checkpointer } from '../run/checkpointer.js';
import type { GenerationRun } from '../run/generation-run.js';
import { ToolCallStore } from '../store/tool-call-store.js';

/**
 * Commits calls before they run and their results after it, each with a checkpoint of the answer. A crash in between
 * leaves a call that its generation's end interrupts; no node runs it again.
 */
@Injectable()
export class CallJournal {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly checkpointer: Checkpointer,
    private readonly calls: ToolCallStore,
  ) {}

  /** @throws the abort reason when the run was stopped, or when another node has ended the generation */
  begin(run: GenerationRun, calls: readonly ToolPart[]): Promise<void> {
    return this.store(run, () => this.calls.begin(run.id, calls));
  }

  /** Throws like `begin`. */
  finish(run: GenerationRun, call: ToolPart): Promise<void> {
    return this.store(run, () => this.calls.finish(run.id, call));
  }

  /** Retries while Postgres is unavailable, as the end of a generation does. */
  private async store(run: GenerationRun, write: () => Promise<boolean>): Promise<void> {
    const { signal } = run.controller;
    const deadline = Date.now() + this.timings.settleRetry;
    for (const wait = createBackoff(); ; await wait()) {
      signal.throwIfAborted();
      try {
        await this.checkpointer.saveRun(run);
        if (!(await write())) run.abort('fenced');
        signal.throwIfAborted();
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (toAppError(error).code !== 'storage_unavailable' || Date.now() > deadline) throw error;
      }
    }
  }
}
