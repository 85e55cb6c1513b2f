import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { type Retries, retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { type Span, Tracing } from '../../../platform/observability/tracing.js';
import { FreeStops } from '../../../quota/free-stops.js';
import { notStored, type FinalOutcome, writeAnswer } from './answer.js';
import { AnswerWriter } from './answer-writer.js';
import { RunServices } from './run-services.js';
import { RunSuspender } from '../approvals/run-suspender.js';
import { GenerationFinalizer } from '../end/generation-finalizer.js';
import { type GenerationResult, isStoppedUnseen } from '../end/generation-result.js';
import { type AnyRun, GenerationRun } from '../live/generation-run.js';
import type { RunSpec } from '../live/run-spec.js';
import { RunRegistry } from '../live/run-registry.js';

/**
 * The lifecycle of runs: launches an admitted generation, reads its answer and finalizes it exactly once. A run outlives
 * the socket that started it.
 */
@Injectable()
export class GenerationEngine {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly registry: RunRegistry,
    private readonly services: RunServices,
    private readonly finalizer: GenerationFinalizer,
    private readonly suspender: RunSuspender,
    private readonly freeStops: FreeStops,
    private readonly tracing: Tracing,
  ) {}

  /** Starts an admitted generation. The first read happens in a later turn, so that the ack precedes every event. */
  launch(spec: RunSpec): GenerationRun {
    const run = new GenerationRun(spec, spec.asker.owner) as AnyRun;
    this.registry.add(run);
    // The images that a tool draws are answers of the same request.
    if (spec.asker.request !== undefined) spec.asker.request.answer ??= run;
    const attributes = { 'tanya.generation.id': run.id, 'gen_ai.request.model': run.model.modelId };
    const options = { attributes, isPassive: true };
    const execute = (span: Span) => this.execute(run, span);
    // A run that continues belongs to the trace of the send, not to that of the approval.
    if (spec.kind === 'message' && spec.restored !== undefined)
      void this.tracing.join(run.id, 'generation', options, execute);
    else void this.tracing.span('generation', options, execute);
    return run;
  }

  private async execute(run: AnyRun, span: Span): Promise<void> {
    run.span = span;
    await nextTurn();
    try {
      const writer = new AnswerWriter(run, this.services);
      const written = await writeAnswer(run, writer, this.services);
      const isSuspended = written.status === 'waiting' && (await run.span.enter(() => this.suspender.suspend(written)));
      if (isSuspended) {
        run.span.set({ 'tanya.generation.status': written.status });
        return;
      }
      const outcome = written.status === 'waiting' ? notStored() : written;
      run.isEnding = true;
      await run.span.enter(async () => {
        const result = await this.withFreeStop(run, resultOf(run, outcome));
        await this.finalizeWithRetries(run, result);
      });
      noteInSpan(run, outcome);
    } catch (error) {
      this.logger.error({ err: error, ...run.ids }, 'generation could not be ended; the reaper will end it');
    } finally {
      this.registry.remove(run);
      // Counts only for a run whose end could not be stored.
      run.markEnded({ status: 'interrupted', text: run.text, isStored: false });
    }
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

function noteInSpan(run: GenerationRun, { status, error }: FinalOutcome): void {
  run.span.set({
    'tanya.generation.status': status,
    'gen_ai.usage.input_tokens': run.usage?.promptTokens,
    'gen_ai.usage.output_tokens': run.usage?.completionTokens,
  });
  if (error !== null) run.span.fail(error.code);
}
