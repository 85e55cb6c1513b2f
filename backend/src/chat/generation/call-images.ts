import { LIMITS, parseContent } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { Asker } from '../../identity/identity.js';
import { ModelsService } from '../../models/models.service.js';
import { sha256Hex } from '../../platform/secrets/sha256.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import type { ToolContext } from '../../tools/tool.js';
import { DetachedGenerations } from './detached/detached-generations.js';

export interface CallImage extends Pick<ToolContext, 'threadId' | 'generationId' | 'callId' | 'signal'> {
  asker: Asker;
  prompt: string;
}

/** Draws images for calls of tools. Each is a detached generation with the price of the image dialog. */
@Injectable()
export class CallImages {
  constructor(
    private readonly generations: DetachedGenerations,
    private readonly models: ModelsService,
  ) {}

  /** @throws AppError `invalid`, `model_unavailable`, `quota_exceeded`, `rate_limited` or a provider error */
  async draw({ asker, threadId, generationId, callId, prompt, signal }: CallImage): Promise<{ url: string }> {
    const { min, max } = LIMITS.imagePrompt;
    if (prompt.length < min || prompt.length > max)
      throw invalidField('prompt', `The description must have ${min} to ${max} characters.`);
    const modelId = this.models.imageModelFor(asker);
    if (modelId === null) throw new AppError('model_unavailable');
    const key = { clientMessageId: `call:${generationId}:${callId}`, requestHash: sha256Hex(prompt) };
    const { generationId: imageId, run } = await this.generations.start(asker, key, () => ({
      channel: 'image',
      modelId,
      kind: 'image',
      fileThreadId: threadId,
      prompt,
    }));
    // A guest who signs in meanwhile owns it as an account.
    const stop = (): void => void this.generations.abandon(run?.owner ?? asker.owner, imageId);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    try {
      const { imageUrl } = parseContent((await this.generations.storedAnswer(asker.owner, imageId)).choices[0].text);
      if (imageUrl === undefined) throw new AppError('provider_error');
      return { url: imageUrl };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}
