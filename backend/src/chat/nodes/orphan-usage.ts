import type { MessagePart } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { type Owner, ownerUserId } from '../../identity/identity.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { estimateTokens, promptTokens } from '../../providers/token-estimate.js';
import { type RecordedUsage, UNKNOWN_USAGE } from '../../quota/cost.js';
import { ModelsService } from '../../models/models.service.js';
import { MessageStore } from '../messages/message-store.js';
import { ThreadStore } from '../messages/thread-store.js';
import { Citations } from '../generation/live/citations.js';
import { type Checkpoint, GenerationStore } from '../generation/store/generation-store.js';
import { Pricing } from '../../models/pricing.js';
import { readsImages } from '../generation/prompt/prompt.js';
import { PromptSource } from '../generation/prompt/prompt-source.js';
import { UsageMeter } from '../../quota/usage-meter.js';

/** Estimates the usage of a generation whose node died: the provider may bill it, and its usage never arrived. */
@Injectable()
export class OrphanUsage {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly store: GenerationStore,
    private readonly messages: MessageStore,
    private readonly threads: ThreadStore,
    private readonly prompts: PromptSource,
    private readonly models: ModelsService,
    private readonly pricing: Pricing,
  ) {}

  /** Never rejects while Postgres answers: a prompt that cannot be loaded makes the cost unknown. */
  async estimate(id: string, written: Checkpoint): Promise<RecordedUsage> {
    const row = await this.store.findById(id);
    if (row === null) return UNKNOWN_USAGE;
    const { fallback, owner, modelId, apiKeyId, userMessageId: messageId, threadId } = row;
    // The prompt of a detached generation was in the memory of its node alone.
    if (messageId === null) return UNKNOWN_USAGE;
    const ids = { generationId: id, userId: ownerUserId(owner), apiKeyId, modelId };
    const tokens = await this.tokensOfPrompt(owner, { messageId, threadId, modelId }).catch((error: unknown) => {
      this.logger.warn({ err: error, ...ids }, 'prompt of an orphan not loaded; recording an unknown cost');
      return null;
    });
    if (tokens === null) return UNKNOWN_USAGE;
    const meter = new UsageMeter(await this.pricing.at(modelId, row.createdAt), fallback?.meter);
    const completionTokens = estimateTokens(written.text) + estimateTokens(written.reasoning);
    meter.estimate({ promptTokens: tokens * stepsOf(written.parts), completionTokens });
    return { ...meter.result, firstTokenMs: null, totalMs: null };
  }

  private async tokensOfPrompt(
    owner: Owner,
    { messageId, threadId, modelId }: { messageId: number; threadId: number | null; modelId: string },
  ): Promise<number | null> {
    const message = await this.messages.find(messageId);
    if (message === null) return null;
    const thread = threadId === null ? null : await this.threads.find(owner, threadId);
    const model = this.models.find(modelId);
    const { messages } = await this.prompts.load(owner, message, {
      modelId,
      contextLength: model?.contextLength ?? null,
      takesImages: model !== null && readsImages(model),
      shrink: false,
      modelPrompt: model?.systemPrompt ?? null,
      instructions: null,
      // A drawing reads no files of a project.
      projectId: model?.kind === 'image' ? null : (thread?.projectId ?? null),
      // Files that go in whole count. What was found in longer ones is unknown, and tools search for nothing here.
      citations: new Citations(),
      canCall: true,
    });
    return promptTokens(messages);
  }
}

/** The number of steps, each of which sent the prompt: one more than the groups of calls between texts. */
const stepsOf = (parts: readonly MessagePart[]): number =>
  1 + parts.filter(({ type }, index) => type === 'tool' && parts[index - 1]?.type !== 'tool').length;
