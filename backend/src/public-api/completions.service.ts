import { createHash, randomUUID } from 'node:crypto';
import type { ChatCompletion, ChatCompletionRequest, Quota } from '@tanya/contract';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DetachedGenerations, type DetachedStart } from '../chat/generation/detached-generations.js';
import type { StoredAnswer } from '../chat/generation/store/generation-store.js';
import { ModelsService } from '../models/models.service.js';
import { AppError, invalidField } from '../platform/errors/app-error.js';
import { Bus } from '../platform/redis/bus.js';
import { type Identity, userOwner } from '../platform/session/identity.js';
import { QuotaService } from '../quota/quota.service.js';
import { samplingOf, toProviderMessages } from './completion-request.js';
import { toCompletion } from './completion-view.js';

/** Answers are kept this long for their Idempotency-Key. */
const IDEMPOTENCY_HOURS = 24;
const FORGET_EVERY = 60 * 60 * 1000;
const KEY_LENGTH = 255;

/** What the ids of this API's requests begin with, so that no page's id can be one of them. */
const API_ID = 'api:';

/** One request of the public API that has been admitted. */
export interface Completion extends DetachedStart {
  model: string;
  quota: Quota;
}

/** The public API's side of a generation: no thread, no message, the same engine and the same quota. */
@Injectable()
export class CompletionsService implements OnModuleDestroy {
  private readonly timer = setInterval(
    () => void this.generations.expireAnswers(IDEMPOTENCY_HOURS).catch(() => undefined),
    FORGET_EVERY,
  );

  constructor(
    private readonly generations: DetachedGenerations,
    private readonly models: ModelsService,
    private readonly quotas: QuotaService,
    bus: Bus,
  ) {
    bus.subscribe('api-key:ended', ({ userId }) => this.stopAll(userId));
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** @throws AppError `invalid`, `model_unavailable`, `model_premium`, `quota_exceeded`, `rate_limited`, `idempotency_mismatch` */
  async begin(
    identity: Identity,
    request: ChatCompletionRequest,
    idempotencyKey: string | undefined,
  ): Promise<Completion> {
    if (idempotencyKey !== undefined && (idempotencyKey === '' || idempotencyKey.length > KEY_LENGTH)) {
      throw invalidField('Idempotency-Key', `Idempotency-Key must have 1 to ${KEY_LENGTH} characters`);
    }
    const model = this.openModel(request.model ?? this.models.defaultModelId());
    const messages = toProviderMessages(request.messages);
    const sampling = samplingOf(request);
    const maxTokens = request.max_completion_tokens ?? request.max_tokens;
    const requestHash = createHash('sha256')
      .update(JSON.stringify([model, messages, sampling, maxTokens]))
      .digest('hex');
    const start = await this.generations.start(identity, {
      clientMessageId: API_ID + (idempotencyKey ?? randomUUID()),
      requestHash,
      modelId: model,
      prompt: async (_owner, shrink) => (shrink ? null : { messages, notice: null }),
      sampling,
      maxTokens,
    });
    return { ...start, model, quota: await this.quotas.quotaOf(identity) };
  }

  /** The whole answer, once it is there. @throws AppError of what went wrong */
  async whole(identity: Identity, completion: Completion): Promise<ChatCompletion> {
    const answer = await this.generations.answer(identity.owner, completion.generationId);
    return toCompletion({ ...completion, created: answer.created }, answer);
  }

  /**
   * The whole answer; its pieces are told from its beginning, as they arrive.
   * @throws AppError of what went wrong on the way
   */
  async follow(identity: Identity, completion: Completion, tell: (text: string) => void): Promise<StoredAnswer> {
    const { run } = completion;
    let told = run?.text.length ?? 0;
    if (run !== null && told > 0) tell(run.text);
    const stopListening = run?.listen((event) => {
      if (event.type !== 'text-delta') return;
      told += event.text.length;
      tell(event.text);
    });
    try {
      const answer = await this.generations.answer(identity.owner, completion.generationId);
      // What another process wrote.
      if (answer.text.length > told) tell(answer.text.slice(told));
      return answer;
    } finally {
      stopListening?.();
    }
  }

  async stop(identity: Identity, completion: Completion): Promise<void> {
    if (completion.isOwn) await this.generations.stop(identity.owner, completion.generationId);
  }

  /** Everything of a key that was taken away. What a session has begun goes on. */
  private async stopAll(userId: number): Promise<void> {
    await this.generations.stopByKeyPrefix(userOwner(userId), API_ID);
  }

  private openModel(modelId: string): string {
    const model = this.models.find(modelId);
    if (model?.isImage) throw invalidField('model', 'Image models are not available here');
    if (model === null || !model.isEnabled || !model.isApiEnabled) {
      throw new AppError('model_unavailable', {
        message: `The model ${JSON.stringify(modelId)} does not exist or is not available`,
        details: [{ field: 'model', message: 'not available' }],
      });
    }
    return modelId;
  }
}
