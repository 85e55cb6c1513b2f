import type { TerminalStatus } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { AppError, type StoredError } from '../../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { type Retries, retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import { FreeStops } from '../../../quota/free-stops.js';
import type { AnyRun, GenerationRun } from '../live/generation-run.js';
import { RunRegistry } from '../live/run-registry.js';
import { GenerationFinalizer } from './generation-finalizer.js';
import { type GenerationResult, isStoppedUnseen } from './generation-result.js';

/** How an answer ends, unless its calls wait. */
export interface FinalOutcome {
  status: TerminalStatus;
  error: StoredError | null;
  /** The stored content when it is more than the run's text. */
  content?: string;
}

/** The end of an answer that Postgres did not take in time. */
export const notStored = (): FinalOutcome => ({
  status: 'error',
  error: new AppError('storage_unavailable').toGenerationError(),
});

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

  /** Stores and announces the end of a run. @throws when Postgres does not take it before the node shuts down */
  async store(run: AnyRun, outcome: FinalOutcome): Promise<void> {
    const result = await this.withFreeStop(run, resultOf(run, outcome));
    await this.finalizeWithRetries(run, result);
  }

  /** Counts a stop before any output, once for all attempts to store it, and notes whether it is free. */
  private async withFreeStop(run: GenerationRun, result: GenerationResult): Promise<GenerationResult> {
    if (!isStoppedUnseen(result)) return result;
    const isFree = await this.freeStops.takeOne({ ...run.spec.asker, owner: run.owner });
    return { ...result, isBeyondFreeStops: !isFree };
  }

  /**
   * Stores the end and retries while Postgres is unavailable. After `settleRetry` the answer becomes a storage error,
   * which is free, and retries go on; a node that shuts down leaves the end to the reaper.
   */
  private async finalizeWithRetries(run: GenerationRun, result: GenerationResult): Promise<void> {
    try {
      await this.finalizeUntil(run, result, { timeoutMs: this.timings.settleRetry, isRetried: () => true });
    } catch (error) {
      if (this.registry.isDraining) throw error;
      this.warn(run, error);
      const free = { ...result, ...notStored() };
      await this.finalizeUntil(run, free, { timeoutMs: Infinity, isRetried: () => !this.registry.isDraining }, true);
    }
  }

  /**
   * Finalizes, again and again while Postgres is unavailable.
   * @param isRetry whether an earlier attempt failed, whose commit may have succeeded
   */
  private finalizeUntil(run: GenerationRun, end: GenerationResult, retries: Retries, isRetry = false): Promise<void> {
    const store = async (): Promise<void> => {
      const stored = await this.finalizer.finalize(run.id, end, run.seq, { isRetry });
      run.markEnded({ status: stored ?? end.status, text: run.text, isStored: stored !== null });
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

function resultOf(run: AnyRun, { status, error, content }: FinalOutcome): GenerationResult {
  return {
    status,
    error,
    text: run.text,
    reasoning: run.reasoning === '' ? null : run.reasoning,
    parts: run.parts.finish(),
    content,
    notices: run.notices.all,
    modelId: run.model.modelId,
    attempts: run.attempts,
    contextTokens: run.contextTokens,
    detached: detachedResult(run, content),
    promptTokens: run.usage?.promptTokens ?? null,
    completionTokens: run.usage?.completionTokens ?? null,
    usage: run.recordedUsage,
  };
}

/** @param content of an image or of a call that is not chat */
function detachedResult({ detached, spec }: AnyRun, content = ''): GenerationResult['detached'] {
  if (detached === null) return undefined;
  if (spec.kind !== 'program')
    return { choices: [{ choice: 0, text: content, finishReason: 'stop' }], held: 1, regular: 1, isShown: false };
  const { all, choiceCount: held, regular } = detached;
  return { choices: all, held, regular, isShown: detached.isShown(spec.hidesReasoning ?? false) };
}
