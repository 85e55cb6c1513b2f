import { createHash, randomUUID } from 'node:crypto';
import {
  type GenerateImageRequest,
  type GenerateImageResponse,
  IMAGE_MODEL_IDS,
  LIMITS,
  parseContent,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { DetachedGenerations } from '../chat/generation/detached-generations.js';
import { ModelsService } from '../models/models.service.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Identity } from '../platform/session/identity.js';

/** Pictures outside of a conversation: a generation without a thread, held, charged and released like any other. */
@Injectable()
export class ImagesService {
  constructor(
    private readonly generations: DetachedGenerations,
    private readonly models: ModelsService,
  ) {}

  /**
   * Answers when the picture is stored. The same clientMessageId gets the same picture again, free of quota, and another
   * try where there is none.
   * @throws AppError `quota_exceeded`, `model_unavailable`, `idempotency_mismatch` or what the provider said
   */
  async generate(
    identity: Identity,
    { prompt, clientMessageId = randomUUID() }: GenerateImageRequest,
  ): Promise<GenerateImageResponse> {
    const { generationId } = await this.generations.start(identity, {
      clientMessageId: `image:${clientMessageId}`,
      requestHash: createHash('sha256').update(prompt).digest('hex'),
      modelId: this.modelId(),
      prompt: async (_owner, shrink) =>
        shrink ? null : { messages: [{ role: 'user', content: prompt }], notice: null },
    });
    const { text } = await this.generations.answer(identity.owner, generationId);
    const { imageUrl } = parseContent(text);
    if (imageUrl === undefined) throw new AppError('provider_error');
    return { url: imageUrl, cost: LIMITS.imageCost };
  }

  /** Whichever name the catalogue has it under. */
  private modelId(): string {
    const listed = IMAGE_MODEL_IDS.find((id) => this.models.find(id)?.isEnabled);
    if (listed === undefined) throw new AppError('model_unavailable');
    return listed;
  }
}
