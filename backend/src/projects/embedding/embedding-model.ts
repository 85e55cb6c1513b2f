import type { EmbeddingCost, EmbeddingModelInfo } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import Big from 'big.js';
import { type Asker, userOwner } from '../../identity/identity.js';
import { type ChatModel, ModelsService } from '../../models/models.service.js';
import { Pricing } from '../../models/pricing.js';
import { refuseField } from '../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { ProviderError, UnusableVectors } from '../../providers/provider-error.js';
import { CHARACTERS_PER_TOKEN } from '../../providers/token-estimate.js';
import { SiteCalls } from '../../quota/site-calls.js';
import { SettingsService } from '../../settings/settings.service.js';
import { RolesService } from '../../users/roles.service.js';
import { type EmbeddingKey, type EmbeddingSet, EmbeddingStore } from './embedding-store.js';
import { vectorsIn } from './vectors.js';

/** For the texts of one call. The provider has a time of its own. */
const TEXTS_TIMEOUT_MS = 120_000;

/** A search goes on without the vector of its question after this. */
const QUESTION_TIMEOUT_MS = 5_000;

/** How often a text that a model refuses is halved: some read 512 tokens at most. */
const MAX_CUTS = 3;

/** A model that embeds texts now. */
export type UsableModel = Pick<ChatModel, 'modelId' | 'upstreamId' | 'connectionId' | 'contextLength' | 'name'>;

/** Turns texts into vectors with the model of the settings. */
@Injectable()
export class EmbeddingModel {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly settings: SettingsService,
    private readonly models: ModelsService,
    private readonly pricing: Pricing,
    private readonly calls: SiteCalls,
    private readonly roles: RolesService,
    private readonly store: EmbeddingStore,
  ) {}

  /** null without one in the settings, and while that one is disabled. */
  current(): UsableModel | null {
    const { embeddingModelId } = this.settings.get();
    return embeddingModelId === null ? null : this.usable(embeddingModelId);
  }

  info(): EmbeddingModelInfo | null {
    const model = this.current();
    if (model === null) return null;
    return { name: model.name, usdPerMillionTokens: this.usdOf(model, 1_000_000) };
  }

  /** What the site pays when a model is chosen. @throws AppError `invalid` for a model that cannot be */
  async costOf(modelId: string): Promise<EmbeddingCost> {
    const model = this.usable(modelId);
    if (model === null) throw refuseField('modelId', 'model');
    const { files, characters } = await this.store.missing(model);
    const tokens = Math.ceil(characters / CHARACTERS_PER_TOKEN);
    return { files, tokens, usd: this.usdOf(model, tokens) };
  }

  /**
   * The vectors of texts, each of length 1, as they come. A model that takes fewer or shorter texts at once gets them so.
   * @param payerId the account that pays; null for the site
   * @throws AppError for a budget that refuses the call, UnusableVectors and other ProviderErrors, the reason of the signal
   */
  async *embed(
    model: UsableModel,
    texts: readonly string[],
    payerId: number | null,
    signal?: AbortSignal,
  ): AsyncGenerator<Float32Array[]> {
    const payer = payerId === null ? undefined : await this.payerOf(payerId);
    yield* this.embedWithin({ model, payer, signal, timeoutMs: TEXTS_TIMEOUT_MS, purpose: 'embedding' }, texts);
  }

  /**
   * The vector of a question for the set in which a project is searched.
   * @returns null without one: no model, a budget that is spent, a model that fails or is too slow
   */
  async ofQuestion(
    set: EmbeddingSet,
    question: string,
    userId: number,
    signal?: AbortSignal,
  ): Promise<Float32Array | null> {
    const model = this.usable(set.modelId);
    if (model?.upstreamId !== set.upstreamId) return null;
    try {
      const payer = await this.payerOf(userId);
      const call = { model, payer, signal, timeoutMs: QUESTION_TIMEOUT_MS, purpose: 'question' };
      for await (const [vector] of this.embedWithin(call, [question])) {
        if (vector!.length === set.size) return vector!;
        await this.store.open(set, vector!.length);
      }
      throw new UnusableVectors('vectors of another size than those of the files');
    } catch (error) {
      this.logger.debug({ err: error, modelId: set.modelId }, 'question not embedded; searching by words alone');
      return null;
    }
  }

  private async *embedWithin(call: Call, texts: readonly string[], cuts = 0): AsyncGenerator<Float32Array[]> {
    let vectors: Float32Array[];
    try {
      vectors = await vectorsIn(await this.calls.embed({ ...call, texts }), texts.length);
    } catch (error) {
      if (!isRefusedText(error) || (texts.length === 1 && cuts === MAX_CUTS)) throw error;
      if (texts.length === 1) {
        const [text] = texts as [string];
        yield* this.embedWithin(call, [text.slice(0, text.length / 2).toWellFormed()], cuts + 1);
      } else {
        const half = Math.ceil(texts.length / 2);
        yield* this.embedWithin(call, texts.slice(0, half), cuts);
        yield* this.embedWithin(call, texts.slice(half), cuts);
      }
      return;
    }
    yield vectors;
  }

  /** A decimal string; null when unknown. */
  private usdOf(model: UsableModel, tokens: number): string | null {
    const price = this.pricing.pricesOf({ ...model, kind: 'embedding' })?.prompt;
    return price === undefined ? null : new Big(price).times(tokens).toFixed();
  }

  private usable(modelId: string): UsableModel | null {
    const model = this.models.find(modelId);
    return model?.isEnabled && model.kind === 'embedding' ? model : null;
  }

  private async payerOf(userId: number): Promise<Asker> {
    return { ...(await this.roles.planOf(userId)), owner: userOwner(userId), userId, address: '' };
  }
}

interface Call {
  model: UsableModel;
  payer: Asker | undefined;
  timeoutMs: number;
  purpose: string;
  signal?: AbortSignal;
}

const isRefusedText = (error: unknown): boolean =>
  error instanceof ProviderError && (error.code === 'provider_refused' || error.code === 'provider_context');

/** Whether two models make vectors that can be compared. */
export const isSameModel = (model: EmbeddingKey | null, other: EmbeddingKey | null): boolean =>
  model?.modelId === other?.modelId && model?.upstreamId === other?.upstreamId;
