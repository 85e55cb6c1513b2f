import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { withTimeout } from '../../../platform/resilience/with-timeout.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { type Traced, Tracing } from '../../../platform/observability/tracing.js';
import { FreeStops } from '../../../quota/free-stops.js';
import { AnswerSource, type ReadOutcome, type WaitingOutcome } from './answer-source.js';
import { createBackoff } from './backoff.js';
import { GenerationFinalizer, type GenerationResult, isStoppedUnseen } from './generation-finalizer.js';
import { GenerationRun } from './generation-run.js';
import type { RunSpec } from './run-spec.js';
import { GenerationSuspender } from './generation-suspender.js';
import { RunRegistry } from './run-registry.js';

/** After the grace period of a shutdown, aborted runs get this long to store their end. */
const ABORT_TIMEOUT_MS = 5_000;

/**
 * The lifecycle of runs: launches an admitted generation, reads its answer and finalizes it exactly once. A run outlives
 * the socket that started it.
 */
@Injectable()
export class GenerationEngine implements BeforeApplicationShutdown {
  private draining: Promise<void> | null = null;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly registry: RunRegistry,
    private readonly reader: AnswerSource,
    private readonly finalizer: GenerationFinalizer,
    private readonly suspender: GenerationSuspender,
    private readonly freeStops: FreeStops,
    private readonly tracing: Tracing,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.drain();
  }

  /** Starts no further run; running ones may end within the grace period, the rest is interrupted with its text. */
  drain(): Promise<void> {
    this.draining ??= this.endAll();
    return this.draining;
  }

  get isDraining(): boolean {
    return this.draining !== null;
  }

  /** Starts an admitted generation. The first read happens in a later turn, so that the ack precedes every event. */
  launch(spec: RunSpec): GenerationRun {
    const run = new GenerationRun(spec, spec.spender.owner);
    this.registry.add(run);
    void this.traced(run, (span) => {
      run.span = span;
      return this.execute(run);
    });
    return run;
  }

  /** The run that continues a suspended generation belongs to the trace of the send, not to that of the approval. */
  private traced(run: GenerationRun, work: Traced<void>): Promise<void> {
    const { modelId, suspended } = run.spec;
    const attributes = { 'tanya.generation.id': run.id, 'gen_ai.request.model': modelId };
    const options = { attributes, isPassive: true };
    if (suspended === undefined) return this.tracing.span('generation', options, work);
    return this.tracing.join(run.id, 'generation', options, work);
  }

  private async execute(run: GenerationRun): Promise<void> {
    await nextTurn();
    try {
      const read = await this.reader.read(run);
      const outcome = read.status === 'waiting' ? await run.span.enter(() => this.suspend(run, read)) : read;
      if (outcome === null) {
        run.span.set({ 'tanya.generation.status': read.status });
        return;
      }
      run.isEnding = true;
      await run.span.enter(async () => this.storeEnd(run, await this.counted(run, resultOf(run, outcome))));
      describe(run, outcome);
    } catch (error) {
      this.logger.error({ err: error, generationId: run.id }, 'generation could not be ended; the reaper will end it');
    } finally {
      this.registry.remove(run);
      run.settle({ status: 'interrupted', text: run.text, isStored: false });
    }
  }

  /** Counts a stop before any output, once for all attempts to store it. */
  private async counted(run: GenerationRun, result: GenerationResult): Promise<GenerationResult> {
    if (!isStoppedUnseen(result)) return result;
    const isFree = await this.freeStops.take({ ...run.spec.spender, owner: run.owner });
    return { ...result, isBeyondFreeStops: !isFree };
  }

  /**
   * Stores the end and retries while Postgres is unavailable. After `settleRetry` the answer becomes a storage error,
   * which is free, and retries go on; a node that shuts down leaves the end to the reaper.
   */
  private async storeEnd(run: GenerationRun, initial: GenerationResult): Promise<void> {
    let result = initial;
    const deadline = Date.now() + this.timings.settleRetry;
    const wait = createBackoff();
    for (let isRetry = false; ; isRetry = true) {
      try {
        const stored = await this.finalizer.finalize(run.id, result, run.seq, isRetry);
        run.settle({ status: stored ?? result.status, text: run.text, isStored: stored !== null });
        return;
      } catch (error) {
        this.logger.warn({ err: error, generationId: run.id }, 'end of the generation not stored; retrying');
      }
      if (Date.now() > deadline) {
        if (this.isDraining) return;
        result = { ...result, status: 'error', error: new AppError('storage_unavailable').toGenerationError() };
      }
      await wait();
    }
  }

  /**
   * Stores a run that waits, and retries while Postgres is unavailable. A Stop meanwhile ends the stored generation.
   * @returns null when it is stored, or when another node has ended the generation
   */
  private async suspend(run: GenerationRun, outcome: WaitingOutcome): Promise<ReadOutcome | null> {
    const deadline = Date.now() + this.timings.settleRetry;
    for (const wait = createBackoff(); ; await wait()) {
      try {
        const isWaiting = await this.suspender.suspend(run, outcome);
        run.settle({ status: isWaiting ? 'waiting' : 'interrupted', text: run.text, isStored: true });
        return null;
      } catch (error) {
        this.logger.warn({ err: error, generationId: run.id }, 'suspension of the answer failed; retrying');
      }
      if (Date.now() > deadline) {
        return { status: 'error', error: new AppError('storage_unavailable').toGenerationError() };
      }
    }
  }

  private async endAll(): Promise<void> {
    const allEnded = () => Promise.all(this.registry.all.map((run) => run.ended));
    await withTimeout(this.timings.shutdownGrace, allEnded());
    for (const run of this.registry.all) run.abort('shutdown');
    await withTimeout(ABORT_TIMEOUT_MS, allEnded());
  }
}

/** The outcome of a run in its span. */
function describe(run: GenerationRun, { status, error }: ReadOutcome): void {
  run.span.set({
    'tanya.generation.status': status,
    'gen_ai.usage.input_tokens': run.usage?.promptTokens,
    'gen_ai.usage.output_tokens': run.usage?.completionTokens,
  });
  if (error !== null) run.span.fail(error.code);
}

function resultOf(run: GenerationRun, { status, error, content }: ReadOutcome): GenerationResult {
  return {
    status,
    error,
    text: run.text,
    reasoning: run.reasoning === '' ? null : run.reasoning,
    parts: run.parts.finish(),
    content,
    notices: run.notices.all,
    finishReason: run.isCut ? 'length' : run.finishReason,
    clientCalls: run.clientCalls.all,
    clientReasoning: run.clientReasoning,
    hidesReasoning: run.spec.hidesReasoning,
    promptTokens: run.usage?.promptTokens ?? null,
    completionTokens: run.usage?.completionTokens ?? null,
    usage: run.recordedUsage,
  };
}
