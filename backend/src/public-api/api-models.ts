import { IMAGE_MODEL_IDS, type ModelKind } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { may } from '../access/may.js';
import type { Identity } from '../identity/identity.js';
import { type ChatModel, ModelsService } from '../models/models.service.js';
import { type ChosenProvider, ProviderRegistry } from '../providers/registry.js';
import { unavailableModel } from './api-request.js';

/**
 * The models that programs may call: those that an admin has listed, enabled and opened to the API, and those of a model
 * server on this machine. Each call takes one kind. Ids are compared exactly: an upstream reads another spelling, blanks or a
 * suffix such as `:nitro` as the same model, whose rules it would escape.
 */
@Injectable()
export class ApiModels {
  constructor(
    private readonly models: ModelsService,
    private readonly providers: ProviderRegistry,
  ) {}

  /** @param modelId omitted, the default model @throws AppError `model_unavailable` */
  find(identity: Identity, kind: ModelKind, modelId = this.models.defaultModelFor(identity)): ChatModel {
    const model = this.models.find(modelId);
    if (model === null || !may(identity, { model, kinds: [kind] })) throw unavailableModel(modelId);
    return model;
  }

  /** @param modelId omitted, the first image model that is allowed to the key @throws AppError `model_unavailable` */
  findImage(identity: Identity, modelId: string | undefined): ChatModel {
    if (modelId !== undefined) return this.find(identity, 'image', modelId);
    const models = this.models.imageModelIds().map((id) => this.models.find(id));
    const usable = models.find((model) => isUsable(identity, model));
    if (!usable) throw unavailableModel(IMAGE_MODEL_IDS[0]!);
    return usable;
  }

  /**
   * The connection for embeddings or a transcription, chosen when the call is made, which throws a ProviderError when none is
   * available then.
   * @throws AppError `model_unavailable` where none can carry it now
   */
  connectionFor(model: ChatModel): () => ChosenProvider {
    if (!this.providers.offersCalls(model.connectionId)) throw unavailableModel(model.modelId);
    return () => this.providers.route(model);
  }
}

const isUsable = (identity: Identity, model: ChatModel | null): model is ChatModel =>
  model !== null && may(identity, { model, kinds: ['image'] });
