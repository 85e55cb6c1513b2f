import type { ProviderMessage } from '../../../providers/provider.js';
import { ProviderError } from '../../../providers/provider-error.js';
import { promptTokens } from '../../../providers/token-estimate.js';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { ChatModel } from '../../../models/models.service.js';
import type { TextRun } from '../live/generation-run.js';
import type { AskerNow } from '../live/model-access.js';
import { effortFor, withDefaults } from '../live/request-parameters.js';
import type { RunModel } from '../live/run-spec.js';
import { answerRoom } from '../prompt/prompt.js';
import { fallbackNotice } from '../store/generation-store.js';
import type { RunServices } from './run-services.js';

type Services = Pick<
  RunServices,
  | 'access'
  | 'budgets'
  | 'generations'
  | 'logger'
  | 'metrics'
  | 'models'
  | 'pricing'
  | 'providers'
  | 'settings'
  | 'timings'
>;

/** What the failed request had, which another model must be able to take. */
interface FailedRequest {
  messages: readonly ProviderMessage[];
  /** Whether it had functions that the model may call. */
  hasTools: boolean;
  /** Whether it had tools that its own provider runs. */
  hasHostedTools?: boolean;
}

/**
 * Asks other models when the asked one fails before anything of the answer is written: its fallbacks, once each, in the order
 * that an admin has chosen. Fallbacks of a fallback are not asked. The answer is charged as one message; its usage record
 * has the cost of every attempt.
 */
export class Fallbacks {
  private readonly left: string[];
  private readonly askedModel: RunModel;
  /** Why the asked model does not answer; null while it is asked. */
  private failure: ProviderError | null = null;
  private failedConnection: TextRun['connection'] = null;
  private deadline = Infinity;
  private asker: AskerNow | null = null;

  constructor(
    private readonly run: TextRun,
    private readonly services: Services,
  ) {
    this.askedModel = run.spec.model;
    this.left = [...run.spec.fallbacks];
  }

  /**
   * How long the present attempt may take to its first part, in ms; undefined for the asked model and for a further step, whose
   * time is that of their provider.
   */
  get firstPartMs(): number | undefined {
    const { run, askedModel } = this;
    if (run.model === askedModel || run.seq > 0) return undefined;
    return Math.max(0, this.deadline - performance.now());
  }

  /** Whether another model is asked when the present attempt fails. */
  get hasNext(): boolean {
    return this.left.length > 0 && this.run.seq === 0;
  }

  /**
   * Makes the run one of the next model that can answer. All of them together have `fallbackWait`.
   * @param error of an attempt of which nothing was written
   * @returns false when no other model helps, or none is left
   */
  async next(error: unknown, request: FailedRequest): Promise<boolean> {
    if (!(error instanceof ProviderError) || !isOfModel(error)) return false;
    const { run, services } = this;
    if (this.left.length === 0) return false;
    if (this.failure === null) {
      this.failure = error;
      this.failedConnection = run.connection;
      this.deadline = performance.now() + services.timings.fallbackWait;
    }
    while (this.left.length > 0 && performance.now() < this.deadline) {
      const modelId = this.left.shift()!;
      const model = await run.span.enter(() => this.usable(modelId, error, request));
      run.controller.signal.throwIfAborted();
      if (model === null) continue;
      const { code, status } = error;
      services.metrics.providerFailed(code);
      services.logger.warn({ ...run.ids, code, status, fallback: modelId }, 'provider failed; asking a fallback');
      await this.change(model, error);
      return true;
    }
    return false;
  }

  /**
   * Makes the run one of the asked model again, when no model has answered.
   * @returns the error that ends the answer: that of the asked model, whatever the fallbacks failed with
   */
  giveUp(error: unknown): unknown {
    const { run, failure, askedModel } = this;
    if (failure === null || run.model === askedModel) return error;
    run.changeModel(askedModel);
    run.connection = this.failedConnection;
    run.notices.remove('fallback');
    return failure;
  }

  /** @returns null for a model that is passed over: deleted, disabled, forbidden, unpriced, too dear or unfit */
  private async usable(modelId: string, error: ProviderError, request: FailedRequest): Promise<RunModel | null> {
    const { run, services, askedModel } = this;
    const model = services.models.find(modelId);
    if (model === null || modelId === askedModel.modelId || model.kind !== 'chat' || !model.isEnabled) return null;
    if (services.providers.isDemo(model) || !this.fits(model, error, request)) return null;
    try {
      return await retryWhileStorageIsAway(() => this.admitted(model, request), {
        timeoutMs: Math.max(0, this.deadline - performance.now()),
        signal: run.controller.signal,
      });
    } catch (refusal) {
      if (run.controller.signal.aborted || !(refusal instanceof AppError)) throw refusal;
      return null;
    }
  }

  /** @throws AppError for a budget that does not cover it */
  private async admitted(model: ChatModel, { messages }: FailedRequest): Promise<RunModel | null> {
    const { run, services, askedModel } = this;
    const { access, budgets, settings } = services;
    this.asker ??= await access.now(run.asker);
    if (!(await access.mayStill(this.asker, model.modelId))) return null;
    const { requested } = run.spec;
    const reasoningEffort = effortFor(model, requested.reasoningEffort);
    const parameters = withDefaults({ ...requested, reasoningEffort }, model.parameters);
    const pricing = services.pricing.pricesOf(model);
    const call = {
      promptTokens: promptTokens(messages),
      maxTokens: parameters.maxTokens,
      choices: parameters.sampling?.n,
      contextLength: model.contextLength,
      isImage: false,
    };
    if (
      pricing === null
        ? askedModel.pricing !== null || run.spec.isBudgeted
        : !settings.get().allowDearerFallback && !budgets.isAtMost(call, pricing, askedModel.pricing)
    )
      return null;
    if (run.spec.isBudgeted) await budgets.holdInstead(run.id, run.spec.asker, pricing, call, run.meter.result.costUsd);
    return { ...model, pricing, parameters };
  }

  private fits(model: ChatModel, error: ProviderError, { messages, hasTools, hasHostedTools }: FailedRequest): boolean {
    const { providers, models } = this.services;
    const hasImages = messages.some(
      ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'),
    );
    if (hasImages && model.vision === false) return false;
    if (hasTools && model.supportsTools === false) return false;
    if (
      hasHostedTools &&
      providers.chatProvider(model.connectionId) !== providers.chatProvider(this.askedModel.connectionId)
    )
      return false;
    const { contextLength } = model;
    if (contextLength === null) return true;
    const askedLength = models.find(this.askedModel.modelId)?.contextLength ?? null;
    // The estimate is high: what the asked model could take, an equal one can.
    if (error.code !== 'provider_context' && askedLength !== null && contextLength >= askedLength) return true;
    return promptTokens(messages) <= contextLength - answerRoom(contextLength);
  }

  /** Stores that another model is asked, for the node that ends the answer if this one dies. */
  private async change(model: RunModel, { code }: ProviderError): Promise<void> {
    const { run, services } = this;
    run.noteAttempt(code);
    run.changeModel(model);
    run.notices.add(fallbackNotice(run.attempts, model.modelId));
    const state = { attempts: run.attempts, meter: run.meter.state };
    const isStored = await run.span.enter(() =>
      retryWhileStorageIsAway(() => services.generations.changeModel(run.id, model.modelId, state), {
        timeoutMs: services.timings.settleRetry,
        signal: run.controller.signal,
      }),
    );
    if (!isStored) run.abort('fenced');
    run.controller.signal.throwIfAborted();
  }
}

/**
 * Whether another model may do better: the provider could not be reached, failed, is busy, refuses the account, does not know
 * the model or took too long, or the context is too short. What it refuses in the request, others may refuse too; with a status
 * of a failure, the words of a refusal may be those of a server that fails.
 */
function isOfModel({ code, status, isFiltered }: ProviderError): boolean {
  if (isFiltered) return false;
  if (code === 'provider_refused') return status !== undefined && status >= 500;
  // A 403 may be about the request.
  if (code === 'provider_auth') return status !== 403;
  return code !== 'provider_error' || status === undefined || status >= 500 || status === 404 || status === 408;
}
