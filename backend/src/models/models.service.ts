import { DEFAULT_MODEL_ID, FALLBACK_MODEL, IMAGE_MODEL_IDS, type PublicModel } from '@tanya/contract';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Bus } from '../platform/bus/bus.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { TableCache } from '../platform/database/table-cache.js';
import { ProviderRegistry } from '../providers/registry.js';
import { ModelEntity } from './model.entity.js';
import { toPublicModel } from './model-view.js';
import { modelsChanged } from './models-topics.js';

/** The model of a generation. */
export interface ChatModel extends PublicModel {
  /** Tokens; null when unknown. */
  contextLength: number | null;
  /** Whether the model generates images instead of text. */
  isImage: boolean;
}

const chatModel = (model: PublicModel, contextLength: number | null): ChatModel => ({
  ...model,
  contextLength,
  isImage: IMAGE_MODEL_IDS.includes(model.modelId),
});

/**
 * The offered models, cached in process. While a local model server runs, its models replace the chat models of the
 * table in the list. `find` still returns the replaced models: threads refer to them, and the local server answers them.
 */
@Injectable()
export class ModelsService implements OnModuleInit, OnModuleDestroy {
  private readonly cache: TableCache<ModelEntity[]>;

  constructor(
    @InjectRepository(ModelEntity) models: Repository<ModelEntity>,
    private readonly registry: ProviderRegistry,
    bus: Bus,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.cache = new TableCache(() => models.find({ order: { provider: 'ASC', name: 'ASC', id: 'ASC' } }), logger);
    bus.subscribe(modelsChanged, () => this.cache.reload());
  }

  async onModuleInit(): Promise<void> {
    await this.cache.reload();
  }

  onModuleDestroy(): void {
    this.cache.close();
  }

  /** The public fields of all offered models; never empty. */
  list(): PublicModel[] {
    const local = this.localModels();
    const listed = this.cache.value
      .filter(({ modelId }) => local.length === 0 || IMAGE_MODEL_IDS.includes(modelId))
      .map(toPublicModel);
    const models = [...local, ...listed];
    return models.length > 0 ? models : [FALLBACK_MODEL];
  }

  /** One model by its id, disabled ones included; null when the id is unknown. */
  find(modelId: string): ChatModel | null {
    const row = this.cache.value.find((model) => model.modelId === modelId);
    if (row !== undefined) return chatModel(toPublicModel(row), row.contextLength);
    const local = this.localModels().find((model) => model.modelId === modelId);
    if (local !== undefined) return chatModel(local, local.contextLength);
    const isFallback = modelId === FALLBACK_MODEL.modelId && this.cache.value.length === 0;
    return isFallback ? chatModel(FALLBACK_MODEL, null) : null;
  }

  /** The id of the offered model that is used when a request names none. */
  defaultModelId(): string {
    const chosen = this.cache.value.find(({ isDefault }) => isDefault)?.modelId ?? DEFAULT_MODEL_ID;
    const local = this.localModels();
    return local.length === 0 || local.some(({ modelId }) => modelId === chosen) ? chosen : local[0]!.modelId;
  }

  /** The models of the local server. A row with the same id takes precedence over the server's data. */
  private localModels(): (PublicModel & { contextLength: number | null })[] {
    return this.registry.localModels.map(({ id, name, description, contextLength }) => {
      const row = this.cache.value.find(({ modelId }) => modelId === id);
      const model = row ? toPublicModel(row) : localModel(id, name, description);
      return { ...model, contextLength: row?.contextLength ?? contextLength };
    });
  }
}

const localModel = (modelId: string, name: string | null, description: string | null): PublicModel => ({
  modelId,
  name: name ?? modelId,
  provider: 'Local',
  description,
  isEnabled: true,
  isApiEnabled: true,
  isPremium: false,
});
