import { randomUUID } from 'node:crypto';
import { type GenerateImageRequest, type GenerateImageResponse, LIMITS, parseContent } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { DetachedGenerations } from '../chat/generation/detached/detached-generations.js';
import { ModelsService } from '../models/models.service.js';
import { AppError } from '../platform/errors/app-error.js';
import { sha256Hex } from '../platform/secrets/sha256.js';
import type { Identity } from '../identity/identity.js';

/** Images outside of a thread. Each is a generation without a thread, with the hold and charge of any generation. */
@Injectable()
export class ImagesService {
  constructor(
    private readonly generations: DetachedGenerations,
    private readonly models: ModelsService,
  ) {}

  /**
   * Resolves when the image is stored. A repeated `clientMessageId` returns the stored image free of quota; after a
   * failure it starts a new generation.
   * @throws AppError `quota_exceeded`, `model_unavailable`, `idempotency_mismatch` or a provider error
   */
  async generate(
    identity: Identity,
    { prompt, clientMessageId = randomUUID() }: GenerateImageRequest,
  ): Promise<GenerateImageResponse> {
    const key = { clientMessageId: `image:${clientMessageId}`, requestHash: sha256Hex(prompt) };
    const { generationId } = await this.generations.start(identity, key, () => ({
      channel: 'image',
      modelId: this.imageModelFor(identity),
      kind: 'image',
      prompt,
    }));
    const [{ text }] = (await this.generations.storedAnswer(identity.owner, generationId)).choices;
    const { imageUrl } = parseContent(text);
    if (imageUrl === undefined) throw new AppError('provider_error', { reason: 'no_image' });
    return { url: imageUrl, cost: LIMITS.imageCost };
  }

  /** @throws AppError `model_unavailable` without an image model for the asker */
  private imageModelFor(identity: Identity): string {
    const modelId = this.models.imageModelFor(identity);
    if (modelId === null) throw new AppError('model_unavailable');
    return modelId;
  }
}
