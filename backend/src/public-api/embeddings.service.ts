import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DetachedGenerations } from '../chat/generation/detached-generations.js';
import type { Identity } from '../identity/identity.js';
import { sha256Hex } from '../platform/secrets/sha256.js';
import { presentFields } from '../platform/http/present-fields.js';
import { estimateTokens } from '../providers/token-estimate.js';
import { requestId } from './api-request.js';
import type { EmbeddingRequestDto } from './embedding-request.dto.js';
import { RelayedModels } from './relayed-models.js';

/** Embeddings, relayed to a connection. Each call is a generation without a thread that costs one message. */
@Injectable()
export class EmbeddingsService {
  constructor(
    private readonly generations: DetachedGenerations,
    private readonly models: RelayedModels,
  ) {}

  /**
   * @returns the upstream's response, JSON
   * @throws AppError `model_unavailable`, `model_premium`, `quota_exceeded`, `rate_limited`, `idempotency_mismatch` or the
   * failure of the provider
   */
  async embed(identity: Identity, request: EmbeddingRequestDto, idempotencyKey: string | undefined): Promise<string> {
    const { model: modelId, input, encoding_format, dimensions } = request;
    const { choose, ...model } = this.models.find(modelId);
    const body = presentFields({ input, encoding_format, dimensions });
    let response: string | null = null;
    const { generationId } = await this.generations.start(identity, {
      channel: 'api',
      promptTokens: () => estimateInput(input),
      clientMessageId: requestId(idempotencyKey ?? randomUUID()),
      requestHash: sha256Hex(JSON.stringify(['embeddings', modelId, body])),
      ...model,
      prompt: async () => null,
      call: async (signal) => {
        const choice = choose();
        const { json, usage } = await choice.provider.embed({ model: choice.model, ...body }, signal);
        response = json;
        // Vectors are large: only a request that can be repeated keeps them.
        const content = idempotencyKey === undefined ? null : json;
        return { content, connection: choice.connection, usage };
      },
    });
    const { text } = await this.generations.answer(identity.owner, generationId);
    return response ?? text;
  }
}

/** Tokens of texts are estimated, those of token lists counted. */
function estimateInput(input: EmbeddingRequestDto['input']): number {
  if (typeof input === 'string') return estimateTokens(input);
  return input.reduce<number>((sum, entry) => {
    if (typeof entry === 'string') return sum + estimateTokens(entry);
    return sum + (typeof entry === 'number' ? 1 : entry.length);
  }, 0);
}
