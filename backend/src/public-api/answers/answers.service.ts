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
import { clientToolsOf, samplingOf } from './chat-parameters.js';
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
interface AnswerOptions extends Pick<DetachedRequest, 'isStored'> {
  /** Whether the request has counted as a send already. */
  isCounted?: boolean;
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
   * A request with files counts as a send before they are read, also when it is refused then. A repeated one gets the first
   * answer, whatever has become of its model.
   * @throws AppError `invalid`, `model_unavailable`, `model_premium`, `quota_exceeded`, `rate_limited`, `idempotency_mismatch`
   */
  async startAnswer(
    identity: Identity,
    request: ChatCompletionRequest,
    idempotencyKey: string | undefined,
    options: AnswerOptions = {},
  ): Promise<StartedAnswer> {
    const { variant, defaults, hidesReasoning, isStored, isCounted = false, showsEstimate = false } = options;
    const { isThinkingOff = false } = options;
    const clientTools = clientToolsOf(request);
    const hasFiles = haveFiles(request.messages);
    const readMessages = async (vision: boolean): Promise<ProviderMessage[]> => {
      const messages = await this.messagesOf(request, vision);
      if (options.instructions !== undefined) messages.unshift({ role: 'system', content: options.instructions });
      return messages;
    };
    // Files count as a send before they are read, and are read as the model can.
    const prompt = { messages: hasFiles ? null : await readMessages(false) };
    let size: number | undefined;
    const promptTokens = (): number => (size ??= promptSizeOf(prompt.messages ?? [], clientTools));
    const sampling = samplingOf(request);
    const maxTokens = request.max_completion_tokens ?? request.max_tokens;
    const { reasoning_effort: effort, fallback } = request;
    // As it was asked: the models may be others when the request is repeated.
    const content = (): unknown[] => [
      request.model ?? null,
      prompt.messages ?? [options.instructions ?? null, request.messages],
      sampling,
      maxTokens,
      ...given(isThinkingOff ? 'none' : effort),
      ...given(clientTools),
      ...given(variant),
      ...(fallback === false ? ['no fallback'] : []),
    ];
    const key = { ...(await idempotencyOf(idempotencyKey, content)), isCounted };
    const start = await this.generations.start(identity, key, async (admission) => {
      const model = this.availableModel(identity, request.model, clientTools !== undefined);
      if (hasFiles) await admission.count();
      const messages = (prompt.messages ??= await readMessages(model.vision === true));
      const withoutThinking = isThinkingOff && model.reasoningEfforts?.includes('none') === true;
      return {
        channel: 'api',
        isStored,
        modelId: model.modelId,
        kind: 'chat',
        promptTokens,
        messages: (owner, run) => this.pictures.fetchIn(messages, owner, run),
        requested: { sampling, maxTokens, reasoningEffort: withoutThinking ? 'none' : effort, defaults },
        clientTools,
        hidesReasoning,
        mayFallBack: fallback !== false,
      };
    });
    // The files of a repeated request are not read.
    const shownTokens = async (): Promise<number | null | undefined> =>
      prompt.messages === null
        ? (await this.generations.storedAnswerNow(identity.owner, start.generationId))?.promptTokens
        : promptTokens();
    return {
      ...start,
      model: request.model ?? start.modelId,
      quota: await this.quotas.quotaAfter(start.account, identity),
      ...(showsEstimate && { promptTokens: (await shownTokens()) ?? undefined }),
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
    return promptSizeOf(await this.messagesOf(request, model.vision === true), clientTools);
  }

  /** The prompt of a request, with what its model reads of files. */
  private messagesOf({ messages }: ChatCompletionRequest, vision: boolean): Promise<ProviderMessage[]> {
    return toProviderMessages(messages, new RequestFiles(this.files, vision));
  }

  private availableModel(identity: Identity, requested: string | undefined, needsTools: boolean): ChatModel {
    const model = this.models.find(identity, 'chat', requested);
    if (needsTools && model.supportsTools === false)
      throw invalidField('tools', 'This model does not support tools. Please choose another model.');
    return model;
  }
}

/** A value for a hash: an absent one adds nothing, so that a new parameter changes no hash of requests without it. */
const given = (value: unknown): unknown[] => (value === undefined ? [] : [value]);
