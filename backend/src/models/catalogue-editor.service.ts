import type { AdminModel, Catalogue, CreateModelRequest, UpdateModelRequest } from '@tanya/contract';
import { LIMITS } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { Bus } from '../platform/bus/bus.js';
import { presentFields } from '../platform/http/present-fields.js';
import { isUniqueViolation } from '../platform/database/unique-violation.js';
import { ProviderError } from '../providers/provider-error.js';
import { ProviderRegistry } from '../providers/registry.js';
import { ModelEntity, UNIQUE_MODEL_ID } from './model.entity.js';
import { parseModelId, toAdminModel } from './model-view.js';
import { modelsChanged } from './models-topics.js';

/** Timeout of OpenRouter's model list. */
const CATALOGUE_TIMEOUT_MS = 15_000;

const isDefaultModel = (): AppError =>
  new AppError('conflict', { message: 'This is the default model. Please make another model the default first.' });

/** Changes of the model table by admins. At most one model is the default, and the default is always enabled. */
@Injectable()
export class CatalogueEditor {
  constructor(
    @InjectRepository(ModelEntity) private readonly models: Repository<ModelEntity>,
    private readonly registry: ProviderRegistry,
    private readonly bus: Bus,
  ) {}

  async list(): Promise<AdminModel[]> {
    const models = await this.models.find({ order: { provider: 'ASC', name: 'ASC', id: 'ASC' } });
    return models.map(toAdminModel);
  }

  /** @throws AppError `conflict` when a model with this id exists */
  async create(request: CreateModelRequest): Promise<AdminModel> {
    const parsed = parseModelId(request.modelId);
    const model = this.models.create({
      ...presentFields(request),
      name: request.name || parsed.name,
      provider: request.provider || parsed.provider.slice(0, LIMITS.modelProvider.max),
    });
    try {
      await this.models.insert(model);
    } catch (error) {
      if (!isUniqueViolation(error, UNIQUE_MODEL_ID)) throw error;
      throw new AppError('conflict', {
        message: 'A model with this Model ID already exists. Please edit that model instead.',
        cause: error,
      });
    }
    return this.changed(model.id);
  }

  async update(
    id: number,
    changes: UpdateModelRequest | Pick<ModelEntity, 'isEnabled'> | Pick<ModelEntity, 'isApiEnabled'>,
  ): Promise<AdminModel> {
    const present = presentFields(changes);
    if (Object.keys(present).length > 0) await this.models.update({ id }, present);
    return this.changed(id);
  }

  /** @throws AppError `conflict` when the default is disabled */
  async setEnabled(id: number, isEnabled: boolean): Promise<AdminModel> {
    if (isEnabled) return this.update(id, { isEnabled });
    const { affected } = await this.models.update({ id, isDefault: false }, { isEnabled });
    await this.refuseUnaffected(id, affected);
    return this.changed(id);
  }

  /** @throws AppError `conflict` for the default */
  async delete(id: number): Promise<void> {
    const { affected } = await this.models.delete({ id, isDefault: false });
    await this.refuseUnaffected(id, affected);
    await this.bus.publish(modelsChanged, null);
  }

  /** @throws AppError `conflict` for a disabled model */
  async setDefault(modelId: string): Promise<void> {
    await this.models.manager.transaction(async (manager) => {
      // Serializes changes of the default and of the status, so that the default stays enabled.
      await manager.query('lock table model in share row exclusive mode');
      const chosen = await manager.findOneBy(ModelEntity, { modelId });
      if (chosen === null)
        throw new AppError('not_found', { message: 'This model does not exist. It may have been deleted.' });
      if (!chosen.isEnabled)
        throw new AppError('conflict', {
          message: 'Only an enabled model can be the default. Please enable it first.',
        });
      await manager.update(ModelEntity, { isDefault: true }, { isDefault: false });
      await manager.update(ModelEntity, { id: chosen.id }, { isDefault: true });
    });
    await this.bus.publish(modelsChanged, null);
  }

  /** OpenRouter's models. @throws AppError with the provider's code */
  async catalogue(): Promise<Catalogue> {
    try {
      return await this.registry.catalogue(AbortSignal.timeout(CATALOGUE_TIMEOUT_MS));
    } catch (error) {
      if (error instanceof ProviderError)
        throw new AppError(error.code, { message: error.adminMessage ?? error.message });
      throw new AppError('provider_unreachable', { cause: error });
    }
  }

  private async refuseUnaffected(id: number, affected: number | null | undefined): Promise<void> {
    if (affected) return;
    throw (await this.models.existsBy({ id })) ? isDefaultModel() : new AppError('not_found');
  }

  private async changed(id: number): Promise<AdminModel> {
    const model = await this.models.findOneBy({ id });
    if (model === null) throw new AppError('not_found');
    await this.bus.publish(modelsChanged, null);
    return toAdminModel(model);
  }
}
