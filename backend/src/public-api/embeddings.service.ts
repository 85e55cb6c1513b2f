import { Injectable } from '@nestjs/common';
import { DetachedGenerations, type DetachedStart } from '../chat/generation/detached/detached-generations.js';
import type { Identity, Owner } from '../identity/identity.js';
import { presentFields } from '../platform/http/present-fields.js';
import { decodedText } from '../platform/system/decoded-text.js';
import { estimateTokens } from '../providers/token-estimate.js';
import type { QuotaAccount } from '../quota/quota.service.js';
import { ApiModels } from './api-models.js';
import { idempotencyOf } from './api-request.js';
import type { EmbeddingInput, EmbeddingRequestDto } from './embedding-request.dto.js';

/** A call for embeddings that was admitted. */
export interface StartedEmbedding {
  /** The quota account after the admission; null for a repeated request. */
  account: QuotaAccount | null;
  /** JSON as the upstream sent it, before the end of the call is stored. Never resolves for a repeated or failed call. */
  received: Promise<Buffer>;
  /** The same when the end is stored. @throws AppError the failure of the call */
  stored: Promise<Buffer | string>;
}

/** Embeddings, relayed to a connection. Each call is a generation without a thread that costs one message. */
@Injectable()
export class EmbeddingsService {
  constructor(
    private readonly generations: DetachedGenerations,
    private readonly models: ApiModels,
  ) {}

  /** @throws AppError `model_unavailable`, `model_premium`, `quota_exceeded`, `rate_limited`, `idempotency_mismatch` */
  async startEmbedding(
    identity: Identity,
    request: EmbeddingRequestDto,
    idempotencyKey: string | undefined,
  ): Promise<StartedEmbedding> {
    const { model: modelId, input, encoding_format, dimensions, input_type } = request;
    const body = presentFields({ input, encoding_format, dimensions, input_type });
    let receive!: (json: Buffer) => void;
    const received = new Promise<Buffer>((resolve) => (receive = resolve));
    const key = await idempotencyOf(idempotencyKey, () => ['embeddings', modelId, body]);
    const started = await this.generations.start(identity, key, () => {
      const choose = this.models.connectionFor(this.models.find(identity, 'embedding', modelId));
      return {
        channel: 'api',
        promptTokens: () => estimateInput(input),
        modelId,
        kind: 'embedding',
        call: async (signal, onProvider) => {
          const chosen = choose();
          onProvider(chosen);
          const { json, usage } = await chosen.provider.embed({ model: chosen.model, ...body }, signal);
          receive(json);
          // Vectors are large: only a request that can be repeated keeps them. Postgres stores no NUL.
          const content = idempotencyKey === undefined ? null : (await decodedText(json)).replaceAll('\0', '');
          return { content, usage };
        },
      };
    });
    return { account: started.account, received, stored: this.end(identity.owner, started, received) };
  }

  private async end(owner: Owner, started: DetachedStart, received: Promise<Buffer>): Promise<Buffer | string> {
    await this.generations.answer(owner, started);
    return started.isOwn
      ? received
      : (await this.generations.storedAnswer(owner, started.generationId)).choices[0].text;
  }
}

/** Tokens of texts are estimated, those of token lists counted. */
function estimateInput(input: EmbeddingInput): number {
  if (typeof input === 'string') return estimateTokens(input);
  return input.reduce<number>((sum, entry) => {
    if (typeof entry === 'string') return sum + estimateTokens(entry);
    return sum + (typeof entry === 'number' ? 1 : entry.length);
  }, 0);
}
