import { Inject, Injectable } from '@nestjs/common';
import { AppError, errorWithSentence } from '../../../platform/errors/app-error.js';
import { toAppError } from '../../../platform/errors/error-body.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { causeOf } from '../../../providers/provider-cause.js';
import { mayBeBilled, ProviderError } from '../../../providers/provider-error.js';
import type { ReadOutcome, WaitingOutcome } from './answer-outcome.js';
import { GenerationMetrics } from '../live/generation-metrics.js';
import type { GenerationRun } from '../live/generation-run.js';
import type { RunSpec } from '../live/run-spec.js';
import { ImageWriter } from './image-writer.js';
import { StepLoop } from './step-loop.js';

const EMPTY_ANSWER = new AppError('provider_error', { reason: 'empty' });

/** Writes a run's answer, as text in steps or as one image, and classifies how it ended. */
@Injectable()
export class AnswerReader {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly steps: StepLoop,
    private readonly images: ImageWriter,
    private readonly metrics: GenerationMetrics,
  ) {}

  /** Writes to the end, or until calls wait. Never throws: every failure is an outcome. */
  async read(run: GenerationRun): Promise<ReadOutcome | WaitingOutcome> {
    try {
      if (run.spec.call !== undefined) return await this.readCall(run, run.spec.call);
      if (run.spec.isImage) {
        const prompt = await this.steps.loadPrompt(run, false);
        const content = await this.traced(run, () => this.images.draw(run, prompt?.messages ?? []));
        return { status: 'complete', error: null, content };
      }
      const waiting = await this.steps.write(run);
      if (waiting !== null) return waiting;
      // A drawn image is an answer without text. A program gets an empty answer as such, with its finish reason.
      if (!run.isDetached && run.text === '' && run.parts.count('image') === 0)
        return { status: 'error', error: EMPTY_ANSWER.toGenerationError() };
      return { status: 'complete', error: null };
    } catch (error) {
      return this.outcomeOf(run, error);
    }
  }

  private async readCall(run: GenerationRun, call: NonNullable<RunSpec['call']>): Promise<ReadOutcome> {
    const estimated = { promptTokens: run.spec.promptTokens?.() ?? 0, completionTokens: 0 };
    const result = this.traced(run, () => call(run.controller.signal));
    const { content, connection, usage } = await result.catch((error: unknown) => {
      if (mayBeBilled(error)) run.meter.estimate(estimated);
      throw error;
    });
    run.connection = connection;
    if (usage === null) run.meter.estimate(estimated);
    else run.addUsage(usage);
    run.controller.signal.throwIfAborted();
    return { status: 'complete', error: null, content: content ?? undefined };
  }

  private traced<Result>(run: GenerationRun, work: () => Promise<Result>): Promise<Result> {
    const attributes = { 'gen_ai.request.model': run.spec.modelId };
    return run.span.child('provider request', { kind: 'client', attributes, isPassive: true }, work);
  }

  private outcomeOf(run: GenerationRun, error: unknown): ReadOutcome {
    switch (run.abortReason) {
      case 'stopped':
        return { status: 'stopped', error: null };
      case 'interrupted':
      case 'shutdown':
      case 'fenced':
        return { status: 'interrupted', error: new AppError('interrupted').toGenerationError() };
      case null:
        return error instanceof ProviderError ? this.providerFailure(run, error) : this.failure(run, error);
    }
  }

  private providerFailure(run: GenerationRun, error: ProviderError): ReadOutcome {
    const { code, status } = error;
    if (error.isFiltered) {
      run.finishReason = 'content_filter';
      run.clientCalls.drop();
    }
    this.metrics.providerFailed(code);
    const cause = [run.connection, causeOf(error)].filter(Boolean).join(': ');
    this.logger.warn({ generationId: run.id, code, status, cause }, 'provider failed; ending the generation');
    const failure = errorWithSentence(error).toGenerationError();
    return {
      status: error.interrupted ? 'interrupted' : 'error',
      error: run.spec.showsCause ? { ...failure, cause } : failure,
    };
  }

  private failure(run: GenerationRun, error: unknown): ReadOutcome {
    const known = toAppError(error);
    if (known.code === 'internal') this.logger.error({ err: error, generationId: run.id }, 'generation failed');
    return { status: 'error', error: known.toGenerationError() };
  }
}
