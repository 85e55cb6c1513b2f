import type { ChatCompletionRequest, Quota } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { SendRateLimiter } from '../../chat/generation/admission/send-rate-limiter.js';
import {
  DetachedGenerations,
  type DetachedRequest,
  type DetachedStart,
} from '../../chat/generation/detached/detached-generations.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { ModelFiles } from '../../files/model-files.js';
import type { ChatModel } from '../../models/models.service.js';
import type { Identity } from '../../identity/identity.js';
import type { ProviderMessage } from '../../providers/provider.js';
import { QuotaService } from '../../quota/quota.service.js';
import { ApiModels } from '../api-models.js';
import { idempotencyOf } from '../api-request.js';
import { promptSizeOf, toProviderMessages } from './provider-messages.js';
import { haveFiles, RequestFiles } from './request-files.js';
import { clientToolsOf } from './chat-parameters.js';
import { samplingOf } from './chat-parameters.js';
import { RemotePictures } from './remote-pictures.js';

/** An admitted request. `DetachedGenerations` has its answer. */
export interface StartedAnswer extends DetachedStart {
  /** The model that was asked. */
  model: string;
  quota: Quota;
  /** An estimate, for an API that shows one. */
  promptTokens?: number;
}

/** What a completion has that depends on the API by which it was asked for. */
interface AnswerOptions extends Pick<DetachedRequest, 'isCounted' | 'isStored'> {
  /** What distinguishes requests of another API under one Idempotency-Key. */
  variant?: unknown[];
  /** What the model is told before the messages. */
  instructions?: string;
  /** Names of parameters that the answer can do without. */
  defaults?: readonly string[];
  hidesReasoning?: boolean;
  /** Whether a model is not to reason if it can do without: others would refuse that. */
  isThinkingOff?: boolean;
  /** Whether the beginning of the answer has the tokens of its prompt. */
  showsEstimate?: boolean;
}

/** Runs generations without a thread or messages for the public API, with the engine and quota of the chat. */
@Injectable()
export class AnswersService {
  constructor(
    private readonly generations: DetachedGenerations,
    private readonly sendRates: SendRateLimiter,
    private readonly models: ApiModels,
    private readonly quotas: QuotaService,
    private readonly files: ModelFiles,
    private readonly pictures: RemotePictures,
  ) {}

  /**
   * A request with files counts as a send before they are read, also when it is refused then.
   * @throws AppError `invalid`, `model_unavailable`, `model_premium`, `quota_exceeded`, `rate_limited`, `idempotency_mismatch`
   */
  async startAnswer(
    identity: Identity,
    request: ChatCompletionRequest,
    idempotencyKey: string | undefined,
    options: AnswerOptions = {},
  ): Promise<StartedAnswer> {
    const { variant, defaults, hidesReasoning, isStored, isCounted = false, showsEstimate = false } = options;
    const clientTools = clientToolsOf(request);
    const model = this.availableModel(identity, request.model, clientTools !== undefined);
    const hasFiles = haveFiles(request.messages);
    if (hasFiles && !isCounted) await this.sendRates.count(identity);
    const messages = await this.messagesOf(request, model);
    if (options.instructions !== undefined) messages.unshift({ role: 'system', content: options.instructions });
    let size: number | undefined;
    const promptTokens = (): number => (size ??= promptSizeOf(messages, clientTools));
    const withoutThinking = options.isThinkingOff === true && model.reasoningEfforts?.includes('none') === true;
    const requested = {
      sampling: samplingOf(request),
      maxTokens: request.max_completion_tokens ?? request.max_tokens,
      reasoningEffort: withoutThinking ? 'none' : request.reasoning_effort,
      defaults,
    };
    const content = (): unknown[] => [
      model.modelId,
      messages,
      requested.sampling,
      requested.maxTokens,
      ...given(requested.reasoningEffort),
      ...given(clientTools),
      ...given(variant),
      ...(request.fallback === false ? ['no fallback'] : []),
    ];
    const start = await this.generations.start(identity, {
      channel: 'api',
      isCounted: isCounted || hasFiles,
      isStored,
      ...(await idempotencyOf(idempotencyKey, content)),
      modelId: model.modelId,
      kind: 'chat',
      promptTokens,
      messages: (owner, run) => this.pictures.fetchIn(messages, owner, run),
      requested,
      clientTools,
      hidesReasoning,
      mayFallBack: request.fallback !== false,
    });
    return {
      ...start,
      model: model.modelId,
      quota: await this.quotas.quotaAfter(start.account, identity),
      ...(showsEstimate && { promptTokens: promptTokens() }),
    };
  }

  /**
   * Estimates the tokens of the prompt of a request, which calls no provider and counts in the rate of sends.
   * @param isCounted whether the request has counted as a send already
   * @throws AppError `invalid`, `model_unavailable`, `rate_limited`
   */
  async countTokens(identity: Identity, request: ChatCompletionRequest, isCounted = false): Promise<number> {
    const clientTools = clientToolsOf(request);
    const model = this.availableModel(identity, request.model, clientTools !== undefined);
    if (!isCounted) await this.sendRates.count(identity);
    return promptSizeOf(await this.messagesOf(request, model), clientTools);
  }

  /** The prompt of a request, with what its model reads of files. */
  private messagesOf({ messages }: ChatCompletionRequest, { vision }: ChatModel): Promise<ProviderMessage[]> {
    return toProviderMessages(messages, new RequestFiles(this.files, vision === true));
  }

  private availableModel(identity: Identity, requested: string | undefined, needsTools: boolean): ChatModel {
    const model = this.models.find(identity, 'chat', requested);
    if (needsTools && model.supportsTools === false)
      throw invalidField('tools', 'This model does not support tools. Please choose another model.');
    return model;
  }
}

/** A value for a hash: an absent one adds nothing, so that hashes of earlier versions stay the same. */
const given = (value: unknown): unknown[] => (value === undefined ? [] : [value]);
