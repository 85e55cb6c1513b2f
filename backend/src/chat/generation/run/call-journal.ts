import type { ToolPart } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { Checkpointer } from '../live/checkpointer.js';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import type { GenerationRun } from '../live/generation-run.js';
import type { TextChunk } from '../store/generation-store.js';
import { ToolCallStore } from '../store/tool-call-store.js';

/**
 * Commits calls before they run and their results after it, each in one commit with a checkpoint of the answer. A crash
 * in between leaves a call that its generation's end interrupts; no node runs it again.
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
    return this.store(run, (chunk) => this.calls.begin(run.id, calls, chunk));
  }

  /** Throws like `begin`. */
  finish(run: GenerationRun, call: ToolPart): Promise<void> {
    return this.store(run, (chunk) => this.calls.finish(run.id, call, chunk));
  }

  /** Retries while Postgres is unavailable, as the end of a generation does. */
  private async store(run: GenerationRun, write: (chunk: TextChunk | null) => Promise<boolean>): Promise<void> {
    const isStored = await retryWhileStorageIsAway(() => this.checkpointer.saveWith(run, write), {
      timeoutMs: this.timings.settleRetry,
      signal: run.controller.signal,
    });
    if (!isStored) run.abort('fenced');
    run.controller.signal.throwIfAborted();
  }
}
