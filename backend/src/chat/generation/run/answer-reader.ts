import { type GenerationError, LIMITS, type TerminalStatus } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { toAppError } from '../../../platform/errors/error-body.js';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { GenerationMetrics } from './generation-metrics.js';
import type { ProviderEvent } from '../../../providers/provider.js';
import { causeOf } from '../../../providers/provider-cause.js';
import { ProviderError } from '../../../providers/provider-error.js';
import { ProviderRegistry } from '../../../providers/registry.js';
import { createBackoff } from './backoff.js';
import { ChatEvents } from '../ports/chat-events.js';
import type { GenerationRun, RunSpec } from './generation-run.js';
import { ImageWriter } from './image-writer.js';
import { RunOwnership } from '../ports/run-ownership.js';

const CUT_NOTICE = `The answer was cut at ${LIMITS.answerCharacters.toLocaleString('en')} characters.`;
const LENGTH_NOTICE = 'The answer reached the length that the model allows.';

const EMPTY_ANSWER = new AppError('provider_error', {
  message: 'The model gave an empty answer. Please try again.',
});

/** How reading the provider ended. */
export interface ReadOutcome {
  status: TerminalStatus;
  error: GenerationError | null;
  /** The stored content when it is more than the run's text. */
  content?: string;
}

/** Thrown out of the provider's stream to close it when the answer has reached its maximum length. */
class AnswerTooLong extends Error {}

/** Reads a run's answer from its provider: records and emits each delta, and classifies how reading ended. */
@Injectable()
export class AnswerReader {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly providers: ProviderRegistry,
    private readonly images: ImageWriter,
    private readonly ownership: RunOwnership,
    private readonly events: ChatEvents,
    private readonly metrics: GenerationMetrics,
  ) {}

  /** Reads to the end. Never throws: every failure is an outcome. */
  async read(run: GenerationRun): Promise<ReadOutcome> {
    try {
      if (run.spec.call !== undefined) return await this.readCall(run, run.spec.call);
      if (this.images.draws(run.spec.modelId)) {
        const prompt = await this.loadPrompt(run, false);
        return { status: 'complete', error: null, content: await this.images.draw(run, prompt?.messages ?? []) };
      }
      await this.readText(run, false);
      if (run.text === '') return { status: 'error', error: EMPTY_ANSWER.toGenerationError() };
      return { status: 'complete', error: null };
    } catch (error) {
      return this.outcomeOf(run, error);
    }
  }

  private async readCall(run: GenerationRun, call: NonNullable<RunSpec['call']>): Promise<ReadOutcome> {
    const { content, connection, promptTokens } = await call(run.controller.signal);
    run.controller.signal.throwIfAborted();
    run.connection = connection;
    if (promptTokens !== null) run.usage = { promptTokens, completionTokens: 0 };
    return { status: 'complete', error: null, content: content ?? undefined };
  }

  /** @param shrink halves the prompt, after the provider refused its length */
  private async readText(run: GenerationRun, shrink: boolean): Promise<void> {
    const prompt = await this.loadPrompt(run, shrink);
    if (prompt === null) throw new ProviderError('provider_context');
    run.addNotice(prompt.notice);
    const { modelId, connectionId, sampling, maxTokens, reasoningEffort } = run.spec;
    const { provider, model, connection } = this.providers.forChat(modelId, connectionId);
    run.connection = connection;
    const { signal } = run.controller;
    try {
      const request = { model, messages: prompt.messages, sampling, maxTokens, reasoningEffort };
      await provider.stream(request, signal, (events) => {
        // A delta that arrives after Stop is dropped: the user has not seen it.
        signal.throwIfAborted();
        for (const event of events) this.take(run, event);
        if (run.isCut) throw new AnswerTooLong();
      });
    } catch (error) {
      if (error instanceof AnswerTooLong) return run.addNotice(CUT_NOTICE);
      const isTooLong = error instanceof ProviderError && error.code === 'provider_context';
      if (isTooLong && !shrink && run.seq === 0) await this.readText(run, true);
      else throw error;
    }
  }

  /** Loads the prompt and retries while Postgres is unavailable, up to the timeout of the first token. */
  private async loadPrompt(run: GenerationRun, shrink: boolean): ReturnType<RunSpec['prompt']> {
    const deadline = Date.now() + this.timings.firstToken;
    for (const wait = createBackoff(); ; await wait()) {
      run.controller.signal.throwIfAborted();
      try {
        return await run.spec.prompt(run.owner, shrink);
      } catch (error) {
        if (toAppError(error).code !== 'storage_unavailable' || Date.now() > deadline) throw error;
      }
    }
  }

  private take(run: GenerationRun, event: ProviderEvent): void {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        this.emit(run, event.type, event.text);
        return;
      case 'usage':
        run.usage = { promptTokens: event.promptTokens, completionTokens: event.completionTokens };
        return;
      case 'finish':
        run.finishReason = event.reason;
        if (event.reason === 'length') run.addNotice(LENGTH_NOTICE);
    }
  }

  private emit(run: GenerationRun, type: 'text-delta' | 'reasoning-delta', text: string): void {
    if (run.seq === 0) this.metrics.firstToken(run.age);
    const event = run.append(type, text);
    if (event === null || run.isDetached) return;
    // While ownership is unverified nothing is emitted: clients detect the sequence gap and resume.
    if (this.ownership.isVerified && run.abortReason !== 'fenced') {
      this.events.emit(run.owner, 'generation:event', event);
    }
  }

  private outcomeOf(run: GenerationRun, error: unknown): ReadOutcome {
    switch (run.abortReason) {
      case 'stopped':
        return { status: 'stopped', error: null };
      case 'shutdown':
      case 'fenced':
        return { status: 'interrupted', error: new AppError('interrupted').toGenerationError() };
      case null:
        return error instanceof ProviderError ? this.providerFailure(run, error) : this.failure(run, error);
    }
  }

  private providerFailure(run: GenerationRun, error: ProviderError): ReadOutcome {
    const { code, message, retryAfter, status } = error;
    this.metrics.providerFailed(code);
    const cause = [run.connection, causeOf(error)].filter(Boolean).join(': ');
    this.logger.warn({ generationId: run.id, code, status, cause }, 'provider failed; ending the generation');
    const failure = new AppError(code, { message, retryAfter }).toGenerationError();
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
