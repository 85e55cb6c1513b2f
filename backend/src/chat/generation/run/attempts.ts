import { AppError } from '../../../platform/errors/app-error.js';
import type { ProviderEvent, ProviderRequest } from '../../../providers/provider.js';
import { ProviderError } from '../../../providers/provider-error.js';
import { promptTokens } from '../../../providers/token-estimate.js';
import type { TextRun } from '../live/generation-run.js';
import type { RunModel } from '../live/run-spec.js';
import { fallbackNotice } from '../store/generation-store.js';
import { Fallbacks, type FallbackServices, isOfModel } from './fallbacks.js';
import { type RunServices, storeChange } from './run-services.js';

/** What a model is asked. */
export type AttemptRequest = Omit<ProviderRequest, 'model' | 'hasFallback'>;

/** An answer, or a step of one, that models are asked for one after another. */
export interface AttemptTarget {
  /** What the present model of the run is asked. Called for each attempt: another model has another prompt. */
  request(): AttemptRequest | Promise<AttemptRequest>;
  add(event: ProviderEvent): void;
  /** After each stream, whole or not. */
  end?(): void;
  /** Whether anything of it was written: then no model is asked again. */
  isWritten(): boolean;
  /** Whether the answer has reached its maximum length. */
  isCut(): boolean;
  /** What was written, to estimate its tokens where the provider reports none. */
  texts(): string[];
  /**
   * Changes the request for the same model after its refusal.
   * @returns false when it has no other one
   */
  reduceAfter?(error: unknown): Promise<boolean>;
}

export interface AttemptResult {
  /** False when it was cut at the maximum length. */
  isWhole: boolean;
  /** Kind of the connection that answered. */
  provider: string;
}

/** Thrown out of the provider's stream to close it when the answer has reached its maximum length. */
class AnswerTooLong extends Error {
  readonly code = 'answer_cut';
}

export type AttemptServices = FallbackServices &
  Pick<RunServices, 'generations' | 'logger' | 'metrics' | 'modelMetrics'>;

/**
 * Asks models for the text of a run: the asked one, and when it fails before anything of the answer is written, its fallbacks,
 * once each. The answer is charged as one message; its usage record has the cost of every attempt.
 */
export class Attempts {
  private readonly askedModel: RunModel;
  private readonly fallbacks: Fallbacks;
  /** Why the asked model does not answer; null while it is asked. */
  private failure: { error: ProviderError; connection: TextRun['connection'] } | null = null;

  constructor(
    private readonly run: TextRun,
    private readonly services: AttemptServices,
  ) {
    this.askedModel = run.model;
    this.fallbacks = new Fallbacks(run, services);
  }

  /**
   * Streams a text from the present model of the run, or from the first one that does not fail before it begins.
   * @throws ProviderError, AppError, or the abort reason of the run
   */
  async read(text: AttemptTarget): Promise<AttemptResult> {
    try {
      for (;;) {
        const request = await text.request();
        try {
          if (this.isFallback) await this.fallbacks.hold(request);
          return await this.stream(request, text);
        } catch (error) {
          if (this.isFinal(text) || !(await this.isAskedAgain(error, request, text))) throw error;
        }
      }
    } catch (error) {
      throw this.isFinal(text) ? error : this.giveUp(error);
    }
  }

  private isFinal(text: AttemptTarget): boolean {
    return this.run.controller.signal.aborted || text.isWritten();
  }

  /** Whether the answer has nothing yet, not even of an earlier step. */
  private get isUnwritten(): boolean {
    return this.run.seq === 0;
  }

  /** Whether a fallback is asked for the beginning of the answer. */
  private get isFallback(): boolean {
    return this.run.model !== this.askedModel && this.isUnwritten;
  }

  /** Streams one attempt, and measures its usage, estimated where the provider reports none. */
  private async stream(attempted: AttemptRequest, text: AttemptTarget): Promise<AttemptResult> {
    const { run } = this;
    const { signal } = run.controller;
    const { metrics, modelMetrics, providers } = this.services;
    const { provider, model, connection } = providers.route(run.model);
    run.connection = connection;
    signal.throwIfAborted();
    const request = { ...attempted, model, hasFallback: this.fallbacks.areLeft && this.isUnwritten };
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider.name,
      'gen_ai.request.model': model,
    };
    const late = this.lateStart();
    const either = late === null ? signal : AbortSignal.any([signal, late.signal]);
    let isReported = false;
    let failure: Error | null = null;
    try {
      await run.span.child('provider request', { kind: 'client', attributes, isPassive: true }, (span) =>
        provider.stream(request, either, (events) => {
          late?.cancel();
          // A delta that arrives after Stop is dropped: the user has not seen it.
          if (run.abortReason !== null) signal.throwIfAborted();
          const isSilent = run.firstTokenMs === null;
          for (const event of events)
            if (event.type === 'usage') {
              isReported = true;
              run.addUsage(event);
            } else text.add(event);
          if (isSilent && run.firstTokenMs !== null) {
            const seconds = run.firstTokenMs / 1000;
            metrics.firstToken(seconds);
            modelMetrics.firstToken(seconds, { modelId: run.model.modelId, connection: connection?.name });
            span.event('first token');
          }
          if (text.isCut()) throw new AnswerTooLong();
        }),
      );
    } catch (error) {
      failure = error as Error;
    }
    late?.cancel();
    if (!isReported) run.meter.estimateUnlessFree(failure, () => promptTokens(request.messages), text.texts());
    text.end?.();
    if (failure !== null && !(failure instanceof AnswerTooLong)) throw failure;
    return { isWhole: failure === null, provider: provider.name };
  }

  /**
   * The end of an attempt that takes too long to its first part; null for the asked model and for a further step, whose time is
   * that of their provider.
   */
  private lateStart(): { signal: AbortSignal; cancel(): void } | null {
    if (!this.isFallback) return null;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new ProviderError('timeout_first_token')), this.fallbacks.msLeft);
    return { signal: late.signal, cancel: () => clearTimeout(timer) };
  }

  /**
   * Changes the request or the model after a failed attempt. A prompt that is too long goes to a fallback first, whose context
   * may be longer; only then it is halved.
   */
  private async isAskedAgain(error: unknown, request: AttemptRequest, text: AttemptTarget): Promise<boolean> {
    const isTooLong = error instanceof ProviderError && error.code === 'provider_context';
    const reduce = async () => (await text.reduceAfter?.(error)) ?? false;
    return (!isTooLong && (await reduce())) || (await this.fallBack(error, request)) || (isTooLong && reduce());
  }

  /** Makes the run one of the next fallback that can answer. @returns false when none is left */
  private async fallBack(error: unknown, request: AttemptRequest): Promise<boolean> {
    const { run } = this;
    if (!this.isUnwritten || !this.fallbacks.areLeft) return false;
    const failed = isOfModel(error) ? error : null;
    if (failed !== null) this.failure ??= { error: failed, connection: run.connection };
    // A fallback whose request no budget covers is passed over.
    const isPassedOver = error instanceof AppError;
    if (this.failure === null || (failed === null && !isPassedOver)) return false;
    const model = await this.fallbacks.next(failed ?? this.failure.error, request);
    if (model === null) return false;
    if (failed !== null) this.noteFailed(failed, model);
    run.changeModel(model);
    run.notices.add(fallbackNotice(run.attempts, model.modelId));
    await this.storeModel();
    return true;
  }

  private noteFailed({ code, status }: ProviderError, next: RunModel): void {
    const { run, services } = this;
    services.metrics.providerFailed(code);
    services.logger.warn({ ...run.ids, code, status, fallback: next.modelId }, 'provider failed; asking a fallback');
    run.noteAttempt(code);
  }

  /** Stores that another model is asked, for the node that ends the answer if this one dies. */
  private async storeModel(): Promise<void> {
    const { run, services } = this;
    const state = { attempts: run.attempts, meter: run.meter.state };
    const change = () => services.generations.changeModel(run.id, run.model.modelId, state);
    await run.span.enter(() => storeChange(run, services, change));
  }

  /**
   * Makes the run one of the asked model again, when no model has answered.
   * @returns the error that ends the answer: that of the asked model, whatever the fallbacks failed with
   */
  private giveUp(error: unknown): unknown {
    const { run, failure, askedModel } = this;
    if (failure === null || !this.isFallback) return error;
    run.changeModel(askedModel);
    run.connection = failure.connection;
    run.notices.remove('fallback');
    return failure.error;
  }
}
