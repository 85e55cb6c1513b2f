import {
  type AccessMode,
  type AdminModel,
  type CreateModelRequest,
  IMAGE_MODEL_IDS,
  LIMITS,
  type ModelKind,
  REASONING_EFFORTS,
  SENDABLE_KINDS,
  type UpdateModelRequest,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ArrayContains, type EntityManager, type Repository } from 'typeorm';
import { changedRule, OPEN } from '../access/changed-rule.js';
import { GroupUses } from '../access/group-uses.js';
import { recordChange } from '../audit/audit-log.js';
import { AppError, refuseField } from '../platform/errors/app-error.js';
import { presentFields } from '../platform/http/present-fields.js';
import { isForeignKeyViolation, isUniqueViolation } from '../platform/database/constraint-violations.js';
import { readBack } from '../platform/resilience/storage-retries.js';
import { kindOf } from '../providers/model-kind.js';
import { ModelEntity, UNIQUE_MODEL_ID } from './model.entity.js';
import { parseModelId, toAdminModel } from './model-view.js';
import { ModelCatalogue } from './model-catalogue.js';
import { lockAllModels, modelChange } from './model-change.js';
import { checkFallbacks } from './model-fallbacks.js';
import { ModelNames } from './model-names.js';
import { notePriceSource } from './model-prices.js';
import { ModelsService } from './models.service.js';

const isDefaultModel = (): AppError => new AppError('conflict', { reason: 'default_model' });

const isSendable = (kind: ModelKind): boolean => SENDABLE_KINDS.includes(kind);

/** The id that tells the kind: the provider's own name, unless the model's is that of an image model. */
const kindIdOf = ({ modelId, upstreamId }: CreateModelRequest): string =>
  IMAGE_MODEL_IDS.includes(modelId) ? modelId : (upstreamId ?? modelId);

/**
 * Changes of the model table by admins. At most one model is the default, and the default is always enabled and offered by the
 * picker. Triggers of the table add its prices to their history (`functions.sql`).
 */
@Injectable()
export class ModelEditor {
  constructor(
    @InjectRepository(ModelEntity) private readonly rows: Repository<ModelEntity>,
    private readonly catalogue: ModelCatalogue,
    private readonly models: ModelsService,
    groupUses: GroupUses,
  ) {
    groupUses.register({
      isUsed: (manager, groupId) => manager.existsBy(ModelEntity, { groupIds: ArrayContains([groupId]) }),
      leave: (manager, groupId) => this.leaveGroup(manager, groupId),
      announce: () => this.models.announce(),
    });
  }

  /** All models, each made when it is asked for. */
  async list(): Promise<Iterable<AdminModel>> {
    const { all, names } = await this.models.read();
    return (function* () {
      for (const model of all) yield toAdminModel(model, names);
    })();
  }

  /** @throws AppError `not_found` */
  async modelIdOf(id: number): Promise<string> {
    return (await modelWithin(this.rows.manager, id)).modelId;
  }

  /**
   * Fields that the request omits come from the connection's catalogue, if this node has read it. The kind follows from them,
   * else from the id.
   * @throws AppError `conflict` when a model with this id exists, `invalid` for an unknown connection, for fallbacks that are
   *   unknown or lead back, and for a kind that has none while the id is in a list of fallbacks
   */
  async create(request: CreateModelRequest): Promise<AdminModel> {
    const parsed = parseModelId(request.modelId);
    const { isPremium, access, groupIds, ...given } = request;
    const known = { ...this.catalogue.fieldsOf(request), ...presentFields(withSortedEfforts(given)) };
    const wanted = { access: access ?? (isPremium ? 'premium' : 'everyone'), ...(groupIds && { groupIds }) } as const;
    const model = this.rows.create({
      fallbacks: [],
      ...(request.kind === undefined && kindOf(kindIdOf(request), known)),
      ...known,
      name: request.name || parsed.name,
      provider: request.provider || parsed.provider.slice(0, LIMITS.modelProvider.max).toWellFormed(),
    });
    try {
      await this.rows.manager.transaction(async (manager) => {
        await lockAllModels(manager);
        Object.assign(model, await changedRule(manager, OPEN, wanted));
        await checkFallbacks(manager, model, null);
        await manager.insert(ModelEntity, model);
        if (model.pricing) await notePriceSource(manager, [model.modelId], given.pricing ? 'admin' : 'catalogue');
        await recordChange(manager, modelChange('create', null, await modelWithin(manager, model.id)));
      });
    } catch (error) {
      if (isForeignKeyViolation(error)) throw unknownConnection();
      if (!isUniqueViolation(error, UNIQUE_MODEL_ID)) throw error;
      throw new AppError('conflict', { reason: 'model_exists', cause: error });
    }
    return this.announceAndRead(model.id);
  }

  /**
   * @throws AppError `invalid` for an unknown connection or group, for fallbacks that are unknown or lead back, and for a kind
   *   that has none while the model has or is one; `conflict` when the default would be disabled or leave the picker, and for a
   *   new `isPremium` of a model for groups
   */
  async update(
    id: number,
    changes: UpdateModelRequest & Partial<Pick<ModelEntity, 'isEnabled' | 'isApiEnabled'>>,
  ): Promise<AdminModel> {
    const { isPremium, access, groupIds, ...given } = changes;
    const fields: Partial<ModelEntity> = presentFields(withSortedEfforts(given));
    const { kind, isInPicker, isEnabled } = fields;
    if (kind !== undefined) fields.isKindGuessed = false;
    const cannotBeDefault = isInPicker === false || isEnabled === false || (kind !== undefined && !isSendable(kind));
    try {
      await this.rows.manager.transaction(async (manager) => {
        const concernsFallbacks = fields.fallbacks !== undefined || kind !== undefined;
        if (concernsFallbacks) await lockAllModels(manager);
        const row = await lockedModel(manager, id);
        const { modelId, isDefault } = row;
        if (isDefault && cannotBeDefault) throw isDefaultModel();
        const rule = presentFields({ access: access ?? accessForPremium(row, isPremium), groupIds });
        const changed = { ...fields, ...(Object.keys(rule).length > 0 && (await changedRule(manager, row, rule))) };
        if (concernsFallbacks) await checkFallbacks(manager, { ...row, ...fields }, row);
        if (Object.keys(changed).length > 0) await manager.update(ModelEntity, { id }, changed);
        if ('pricing' in fields) await notePriceSource(manager, [modelId], 'admin');
        await recordChange(manager, modelChange('update', row, await modelWithin(manager, id)));
      });
    } catch (error) {
      throw isForeignKeyViolation(error) ? unknownConnection() : error;
    }
    return this.announceAndRead(id);
  }

  /** @throws AppError `conflict` for the default */
  async delete(id: number): Promise<void> {
    await this.rows.manager.transaction(async (manager) => {
      const before = await lockedModel(manager, id);
      const { affected } = await manager.delete(ModelEntity, { id, isDefault: false });
      if (!affected) throw isDefaultModel();
      await recordChange(manager, modelChange('delete', before, null));
    });
    await this.models.announce();
  }

  /** @throws AppError `conflict` for a model that is disabled or that the picker does not offer */
  async setDefault(modelId: string): Promise<void> {
    await this.rows.manager.transaction(async (manager) => {
      await lockAllModels(manager);
      const chosen = await manager.findOneBy(ModelEntity, { modelId });
      if (chosen === null) throw new AppError('not_found', { reason: 'model' });
      if (!chosen.isEnabled) throw new AppError('conflict', { reason: 'model_disabled' });
      if (!isSendable(chosen.kind) || !chosen.isInPicker)
        throw new AppError('conflict', { reason: 'model_not_in_picker' });
      await manager.update(ModelEntity, { isDefault: true }, { isDefault: false });
      await manager.update(ModelEntity, { id: chosen.id }, { isDefault: true });
      await recordChange(manager, modelChange('set_default', chosen, { ...chosen, isDefault: true }));
    });
    await this.models.announce();
  }

  private async leaveGroup(manager: EntityManager, groupId: number): Promise<void> {
    await manager.query('lock table model in row exclusive mode');
    const where = { groupIds: ArrayContains([groupId]) };
    const lock = { mode: 'pessimistic_write' } as const;
    for (const before of await manager.find(ModelEntity, { where, order: { id: 'ASC' }, lock })) {
      const groupIds = before.groupIds.filter((id) => id !== groupId);
      await manager.update(ModelEntity, { id: before.id }, { groupIds });
      await recordChange(manager, modelChange('update', before, { ...before, groupIds }));
    }
  }

  private async announceAndRead(id: number): Promise<AdminModel> {
    await this.models.announce();
    return readBack(async () => {
      const model = await modelWithin(this.rows.manager, id);
      const names = new ModelNames(await this.rows.find({ select: { id: true, provider: true } }));
      return toAdminModel(model, names);
    });
  }
}

/** Locks the table first, as the change of the default does, so that the two cannot deadlock. @throws AppError `not_found` */
async function lockedModel(manager: EntityManager, id: number): Promise<ModelEntity> {
  await manager.query('lock table model in row exclusive mode');
  const model = await manager.findOne(ModelEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (model === null) throw new AppError('not_found');
  return model;
}

/** @throws AppError `not_found` */
async function modelWithin(manager: EntityManager, id: number): Promise<ModelEntity> {
  const model = await manager.findOneBy(ModelEntity, { id });
  if (model === null) throw new AppError('not_found');
  return model;
}

/**
 * What an older client means with `isPremium`; undefined keeps the access.
 * @throws AppError `conflict` for a model for groups, unless the value is the present one
 */
function accessForPremium({ access }: ModelEntity, isPremium: boolean | undefined): AccessMode | undefined {
  if (isPremium === undefined || isPremium === (access !== 'everyone')) return undefined;
  if (access === 'groups') throw new AppError('conflict', { reason: 'model_groups' });
  return isPremium ? 'premium' : 'everyone';
}

const unknownConnection = (): AppError => refuseField('connectionId', 'connection');

/** Efforts are stored from the lowest to the highest, each once. */
function withSortedEfforts<T extends object & { reasoningEfforts?: CreateModelRequest['reasoningEfforts'] }>(
  request: T,
): T {
  const { reasoningEfforts } = request;
  if (!reasoningEfforts) return request;
  return { ...request, reasoningEfforts: REASONING_EFFORTS.filter((effort) => reasoningEfforts.includes(effort)) };
}
