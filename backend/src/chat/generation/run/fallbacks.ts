import Big from 'big.js';
import type { ProviderRequest } from '../../../providers/provider.js';
import { ProviderError } from '../../../providers/provider-error.js';
import { promptTokens } from '../../../providers/token-estimate.js';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import type { ChatModel } from '../../../models/models.service.js';
import { type ExpectedCall, isAtMost } from '../../../quota/hold-amount.js';
import type { TextRun } from '../live/generation-run.js';
import type { AskerNow } from '../live/model-access.js';
import { effortFor, withDefaults, withoutIdleSwitches } from '../live/request-parameters.js';
import type { RunModel } from '../live/run-spec.js';
import { answerRoom } from '../prompt/prompt.js';
import type { RunServices } from './run-services.js';

export type FallbackServices = Pick<
  RunServices,
  'access' | 'budgets' | 'models' | 'pricing' | 'providers' | 'settings' | 'timings'
>;

/** What another model must be able to take. */
type AskedRequest = Pick<ProviderRequest, 'messages' | 'tools' | 'serverTools'>;

/**
 * The models that may answer instead of the asked one, in the order that an admin has chosen. Fallbacks of a fallback are not
 * among them.
 */
export class Fallbacks {
  private readonly left: string[];
  private readonly askedModel: RunModel;
  private deadline = Infinity;
  private asker: AskerNow | null = null;

  constructor(
    private readonly run: TextRun,
    private readonly services: FallbackServices,
  ) {
    this.askedModel = run.model;
    this.left = [...run.spec.fallbacks];
  }

  get areLeft(): boolean {
    return this.left.length > 0;
  }

  /** How long all of them together may still take to the first part, in ms. */
  get msLeft(): number {
    return Math.max(0, this.deadline - performance.now());
  }

  /**
   * The next model that can answer a request. Each is returned once, and all of them together have `fallbackWait`.
   * @param error of the attempt before
   * @returns null when none is left
   */
  async next(error: ProviderError, request: AskedRequest): Promise<RunModel | null> {
    const { run, services } = this;
    if (this.deadline === Infinity) this.deadline = performance.now() + services.timings.fallbackWait;
    while (this.areLeft && this.msLeft > 0) {
      const modelId = this.left.shift()!;
      const model = await run.span.enter(() => this.usable(modelId, error, request));
      run.controller.signal.throwIfAborted();
      if (model !== null) return model;
    }
    return null;
  }

  /**
   * Holds the price of a request to a fallback in place of that of the asked model.
   * @throws AppError for a budget that does not cover it
   */
  async hold(request: AskedRequest): Promise<void> {
    const { id, model, spec, meter, controller, span } = this.run;
    if (!spec.isBudgeted) return;
    const call = this.expectedCall(model, request);
    const hold = () => this.services.budgets.holdInstead(id, spec.asker, model.pricing, call, meter.result.costUsd);
    const retries = { timeoutMs: this.msLeft, signal: controller.signal };
    await span.enter(() => retryWhileStorageIsAway(hold, retries));
  }

  /** @returns null for a model that is passed over: deleted, disabled, forbidden, unpriced, too dear or unfit */
  private async usable(modelId: string, error: ProviderError, request: AskedRequest): Promise<RunModel | null> {
    const { run, services, askedModel } = this;
    const model = services.models.find(modelId);
    if (model === null || modelId === askedModel.modelId || model.kind !== 'chat' || !model.isEnabled) return null;
    if (services.providers.isDemo(model) || !this.fits(model, error, request)) return null;
    const retries = { timeoutMs: this.msLeft, signal: run.controller.signal };
    if (!(await retryWhileStorageIsAway(() => this.isAllowed(modelId), retries))) return null;
    const { requested } = run.spec;
    const reasoningEffort = effortFor(model, requested.reasoningEffort);
    const parameters = withDefaults(withoutIdleSwitches({ ...requested, reasoningEffort }, model), model.parameters);
    const usable = { ...model, pricing: services.pricing.pricesOf(model), parameters };
    return this.isAffordable(usable, request) ? usable : null;
  }

  private async isAllowed(modelId: string): Promise<boolean> {
    const { access } = this.services;
    this.asker ??= await access.now(this.run.asker);
    return access.mayStill(this.asker, modelId);
  }

  /** Whether a model costs at most as much as the asked one, where admins want that. */
  private isAffordable(model: RunModel, request: AskedRequest): boolean {
    const { run, askedModel } = this;
    const { settings } = this.services;
    if (model.pricing === null) return askedModel.pricing === null && !run.spec.isBudgeted;
    if (settings.get().allowDearerFallback) return true;
    return isAtMost(this.expectedCall(model, request), model.pricing, askedModel.pricing);
  }

  private expectedCall(
    { parameters, contextLength }: RunModel,
    { messages, serverTools = [] }: AskedRequest,
  ): ExpectedCall {
    const { spec } = this.run;
    const offered = spec.kind === 'message' ? (spec.tools?.offered ?? []) : [];
    const billed = offered.flatMap(({ hosted }) => (hosted && serverTools.includes(hosted.definition) ? [hosted] : []));
    return {
      promptTokens: promptTokens(messages),
      maxTokens: parameters.maxTokens,
      choices: parameters.sampling?.n,
      contextLength,
      toolsUsd: (pricing) => billed.reduce((sum, { price }) => sum.plus(price(pricing)), new Big(0)).toFixed(),
    };
  }

  private fits(model: ChatModel, error: ProviderError, { messages, tools, serverTools }: AskedRequest): boolean {
    const { providers } = this.services;
    const hasImages = messages.some(
      ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'),
    );
    if (hasImages && model.vision === false) return false;
    if (tools !== undefined && model.supportsTools === false) return false;
    if (
      serverTools !== undefined &&
      providers.chatProvider(model.connectionId) !== providers.chatProvider(this.askedModel.connectionId)
    )
      return false;
    const { contextLength } = model;
    if (contextLength === null) return true;
    const { contextLength: askedLength } = this.askedModel;
    // The estimate is high: what the asked model could take, an equal one can.
    if (error.code !== 'provider_context' && askedLength !== null && contextLength >= askedLength) return true;
    return promptTokens(messages) <= contextLength - answerRoom(contextLength);
  }
}

/**
 * Whether another model may do better: the provider could not be reached, failed, is busy, refuses the account, does not know
 * the model or took too long, or the context is too short. What it refuses in the request, others may refuse too; with a status
 * of a failure, the words of a refusal may be those of a server that fails.
 */
export function isOfModel(error: unknown): error is ProviderError {
  if (!(error instanceof ProviderError) || error.isFiltered) return false;
  const { code, status } = error;
  if (code === 'provider_refused') return status !== undefined && status >= 500;
  // A 403 may be about the request.
  if (code === 'provider_auth') return status !== 403;
  return code !== 'provider_error' || status === undefined || status >= 500 || status === 404 || status === 408;
}
