import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DetachedGenerations } from '../chat/generation/detached-generations.js';
import type { Identity } from '../identity/identity.js';
import { type ChatModel, ModelsService } from '../models/models.service.js';
import { sha256Hex } from '../platform/secrets/sha256.js';
import { presentFields } from '../platform/http/present-fields.js';
import { ProviderRegistry } from '../providers/registry.js';
import { estimateTokens } from '../providers/token-estimate.js';
import { requestId, unavailableModel } from './api-request.js';
import type { EmbeddingRequestDto } from './embedding-request.dto.js';

/** Embeddings, relayed to a connection. Each call is a generation without a thread that costs one message. */
@Injectable()
export class EmbeddingsService {
  constructor(
    private readonly generations: DetachedGenerations,
    private readonly models: ModelsService,
    private readonly providers: ProviderRegistry,
  ) {}

  /**
   * @returns the upstream's response, JSON
   * @throws AppError `model_unavailable`, `model_premium`, `quota_exceeded`, `rate_limited`, `idempotency_mismatch` or the
   * failure of the provider
   */
  async embed(identity: Identity, request: EmbeddingRequestDto, idempotencyKey: string | undefined): Promise<string> {
    const { model: modelId, input, encoding_format, dimensions } = request;
    const model = this.modelFor(modelId);
    const body = presentFields({ input, encoding_format, dimensions });
    let response: string | null = null;
    const { generationId } = await this.generations.start(identity, {
      channel: 'api',
      promptTokens: estimateInput(input),
      clientMessageId: requestId(idempotencyKey ?? randomUUID()),
      requestHash: sha256Hex(JSON.stringify(['embeddings', modelId, body])),
      modelId,
      model,
      prompt: async () => null,
      call: async (signal) => {
        const choice = this.providers.forCall(modelId, model?.connectionId ?? null);
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

  /**
   * A model of the table keeps its rules. Embedding models are rarely in the table, as its models are for chat: any other
   * id goes to a connection. @returns undefined for a model of the table
   */
  private modelFor(modelId: string): ChatModel | undefined {
    const known = this.models.find(modelId);
    if (known !== null && known.isEnabled && known.isApiEnabled && !known.isImage) {
      if (this.providers.offersCalls(known.connectionId)) return undefined;
    } else if (known === null && this.providers.offersCalls(null)) {
      return unlistedModel(modelId);
    }
    throw unavailableModel(modelId);
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

const unlistedModel = (modelId: string): ChatModel => ({
  ...{ modelId, name: modelId, provider: '', description: null },
  ...{ isEnabled: true, isApiEnabled: true, isPremium: false, isImage: false },
  ...{ contextLength: null, connectionId: null },
});
