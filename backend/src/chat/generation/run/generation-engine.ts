import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, errorWithSentence, type StoredError } from '../../../platform/errors/app-error.js';
import { toAppError } from '../../../platform/errors/error-body.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { type Span, Tracing } from '../../../platform/observability/tracing.js';
import { causeOf, providerFailureOf } from '../../../providers/provider-cause.js';
import { ProviderError } from '../../../providers/provider-error.js';
import { writeProgramAnswer } from './program-answer.js';
import { RunServices } from './run-services.js';
import { drawImage, relay } from './single-call.js';
import { Steps } from './steps.js';
import { RunSuspender, type WaitingRun } from '../approvals/run-suspender.js';
import { endOf, type GenerationEnd } from '../end/generation-end.js';
import { GenerationFinalizer } from '../end/generation-finalizer.js';
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
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly registry: RunRegistry,
    private readonly services: RunServices,
    private readonly finalizer: GenerationFinalizer,
    private readonly suspender: RunSuspender,
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
      const written = await this.writeAnswer(run);
      const end = written.status === 'waiting' ? await this.suspender.suspend(written) : written;
      if (end === null) return;
      run.isEnding = true;
      await run.span.enter(() => this.finalizer.endRun(run, end));
      noteInSpan(run, end);
    } catch (error) {
      this.logger.error({ err: error, ...run.ids }, 'generation could not be ended; the reaper will end it');
    } finally {
      this.registry.remove(run);
      // Counts only for a run whose end could not be stored.
      run.markEnded('interrupted');
    }
  }

  /**
   * Writes the answer of a run to its end, or until calls of tools wait for approval. An answer is a text in steps, the text
   * for a program, one image, or the result of another call, such as embeddings. Never rejects: every failure is an end.
   */
  private async writeAnswer(run: AnyRun): Promise<GenerationEnd | WaitingRun> {
    const { services } = this;
    try {
      switch (run.kind) {
        case 'message': {
          const waiting = await new Steps(run, services).write();
          return waiting ?? (isEmpty(run) ? endOf(run, 'error', emptyAnswer()) : endOf(run, 'complete'));
        }
        case 'program':
          // A program gets an empty answer as such, with its finish reason.
          await writeProgramAnswer(run, run.detached!, services);
          return endOf(run, 'complete');
        case 'image':
          return endOf(run, 'complete', null, await drawImage(run, services));
        case 'relay':
          return endOf(run, 'complete', null, (await relay(run)) ?? undefined);
      }
    } catch (error) {
      return this.failedEnd(run, error);
    }
  }

  private failedEnd(run: GenerationRun, error: unknown): GenerationEnd {
    if (run.abortReason === 'stopped') return endOf(run, 'stopped');
    if (run.abortReason !== null) {
      const isRevoked = run.abortReason === 'access';
      const interrupted = isRevoked ? new AppError('interrupted', { reason: 'access' }) : new AppError('interrupted');
      return endOf(run, 'interrupted', interrupted.toGenerationError());
    }
    if (error instanceof ProviderError) return this.endOfFailedProvider(run, error);
    const known = toAppError(error);
    if (known.code === 'internal') this.logger.error({ err: error, ...run.ids }, 'generation failed');
    return endOf(run, 'error', known.toGenerationError());
  }

  private endOfFailedProvider(run: GenerationRun, error: ProviderError): GenerationEnd {
    const { code, status } = error;
    if (error.isFiltered) run.detached?.append(0, { type: 'finish', reason: 'content_filter' });
    this.services.metrics.providerFailed(code);
    const cause = [run.connection?.name, causeOf(error)].filter(Boolean).join(': ');
    this.logger.warn({ ...run.ids, code, status, cause }, 'provider failed; ending the generation');
    const failure: StoredError = errorWithSentence(error).toGenerationError();
    const provider = providerFailureOf(error);
    run.providerFailure = { ...provider, errorCode: code };
    if (run.spec.thread?.showsCause) failure.cause = [cause, provider.message].filter(Boolean).join(' ');
    // A message is shown to people, who get the sentence alone.
    if (run.detached !== null) failure.provider = provider;
    return endOf(run, error.interrupted ? 'interrupted' : 'error', failure);
  }
}

function noteInSpan(run: GenerationRun, { status, error }: GenerationEnd): void {
  run.span.set({
    'tanya.generation.status': status,
    'gen_ai.usage.input_tokens': run.usage?.promptTokens,
    'gen_ai.usage.output_tokens': run.usage?.completionTokens,
  });
  if (error !== null) run.span.fail(error.code);
}

const emptyAnswer = (): StoredError => new AppError('provider_error', { reason: 'empty' }).toGenerationError();

/** Neither a drawn image nor reasoning that reached the length which was asked for is an empty answer. */
function isEmpty({ text, reasoning, parts, notices }: GenerationRun): boolean {
  if (text !== '' || parts.count('image') > 0) return false;
  return parts.isCut || !notices.has('answer_length') || reasoning === '';
}
