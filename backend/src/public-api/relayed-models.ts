import { Injectable } from '@nestjs/common';
import { type ChatModel, ModelsService } from '../models/models.service.js';
import { type Choice, ProviderRegistry } from '../providers/registry.js';
import { unavailableModel } from './api-request.js';

/** The model of a relayed call. */
export interface RelayedModel {
  modelId: string;
  /** Absent for a model of the table, which admission looks up. */
  model?: ChatModel;
  /** Chooses the connection when the call is made. @throws ProviderError when none is available */
  choose: () => Choice;
}

/**
 * Models of the calls that are relayed to a connection. A model of the table keeps its rules. Models for embeddings,
 * transcriptions and images are rarely in the table, as its models are for chat: any other id goes to a connection.
 */
@Injectable()
export class RelayedModels {
  constructor(
    private readonly models: ModelsService,
    private readonly providers: ProviderRegistry,
  ) {}

  /** @throws AppError `model_unavailable` */
  find(modelId: string): RelayedModel {
    const known = this.models.find(modelId);
    if (known !== null && known.isEnabled && known.isApiEnabled && !known.isImage) {
      const { connectionId } = known;
      if (this.providers.offersCalls(connectionId))
        return { modelId, choose: () => this.providers.forCall(modelId, connectionId) };
    } else if (known === null && this.providers.offersCalls(null)) {
      return { modelId, model: unlistedModel(modelId), choose: () => this.providers.forCall(modelId, null) };
    }
    throw unavailableModel(modelId);
  }
}

const unlistedModel = (modelId: string): ChatModel => ({
  ...{ modelId, name: modelId, provider: '', description: null },
  ...{ isEnabled: true, isApiEnabled: true, isPremium: false, isImage: false },
  ...{ contextLength: null, connectionId: null },
});
