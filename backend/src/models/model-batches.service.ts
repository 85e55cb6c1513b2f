import {
  type CatalogueItem,
  type ImportModelsRequest,
  type ImportModelsResult,
  LIMITS,
  type ModelBatchRequest,
  type ModelBatchResult,
  SENDABLE_KINDS,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, type Repository } from 'typeorm';
import { changedRule, OPEN } from '../access/changed-rule.js';
import { type Change, recordChanges } from '../audit/audit-log.js';
import { isForeignKeyViolation } from '../platform/database/constraint-violations.js';
import { refuseField } from '../platform/errors/app-error.js';
import { presentFields } from '../platform/http/present-fields.js';
import { kindOf } from '../providers/model-kind.js';
import { ModelCatalogue } from './model-catalogue.js';
import { lockAllModels, modelChange } from './model-change.js';
import { refusedFallbacks } from './model-fallbacks.js';
import { MODEL_ID, parseModelId } from './model-view.js';
import { notePriceSource } from './model-prices.js';
import { ModelEntity } from './model.entity.js';
import { ModelsService } from './models.service.js';

/** Models that one statement inserts: a thousand of 30 columns stay below the parameters of one statement. */
const INSERTED = 500;

type Reason = ImportModelsResult['reasons'][number]['reason'];

/** Changes of many models at once: each is judged alone, and those that can be changed are, in one transaction. */
@Injectable()
export class ModelBatches {
  constructor(
    @InjectRepository(ModelEntity) private readonly rows: Repository<ModelEntity>,
    private readonly catalogue: ModelCatalogue,
    private readonly models: ModelsService,
  ) {}

  /**
   * Adds models that a connection lists. Those that exist, that it does not list, and whose ids cannot be used are left out.
   * @throws AppError with the provider's code when the list cannot be read, `invalid` for an unknown connection or group
   */
  async import({
    connectionId,
    modelIds,
    isEnabled = true,
    ...rule
  }: ImportModelsRequest): Promise<ImportModelsResult> {
    const { data } = await this.catalogue.read(connectionId);
    const listed = new Map(data.map((item) => [item.id, item]));
    const reasons: ImportModelsResult['reasons'] = [];
    let imported = 0;
    try {
      await this.rows.manager.transaction(async (manager) => {
        await lockAllModels(manager);
        const access = await changedRule(manager, OPEN, presentFields(rule));
        const rows = await manager.find(ModelEntity, { select: { modelId: true, fallbacks: true } });
        const known = new Set(rows.map(idOf));
        const fallbacks = new Set(rows.flatMap((row) => row.fallbacks));
        const added: Partial<ModelEntity>[] = [];
        for (const modelId of new Set(modelIds)) {
          const item = listed.get(modelId);
          const row = item && rowOf(item);
          const reason = reasonAgainst(modelId, row, { known, fallbacks });
          if (reason !== null) reasons.push({ modelId, reason });
          else added.push({ ...row, connectionId, isEnabled, ...access });
        }
        for (let start = 0; start < added.length; start += INSERTED) {
          await insert(manager, added.slice(start, start + INSERTED));
        }
        imported = added.length;
      });
    } catch (error) {
      throw isForeignKeyViolation(error) ? refuseField('connectionId', 'connection') : error;
    }
    if (imported > 0) await this.models.announce();
    return { imported, skipped: reasons.length, reasons: reasons.slice(0, LIMITS.skippedModels) };
  }

  /** @throws AppError `invalid` for an unknown group */
  async change({ ids, changes }: ModelBatchRequest): Promise<ModelBatchResult> {
    const { isEnabled, isApiEnabled, kind, pricing, ...rule } = presentFields(changes);
    const isKindGuessed = kind === undefined ? undefined : false;
    const same = presentFields({ isEnabled, isApiEnabled, kind, isKindGuessed, pricing });
    const cannotBeDefault = isEnabled === false || (kind !== undefined && !SENDABLE_KINDS.includes(kind));
    const skipped: ModelBatchResult['skipped'] = [];
    const changed: ModelEntity[] = [];
    await this.rows.manager.transaction(async (manager) => {
      await lockAllModels(manager);
      const rows = new Map((await manager.findBy(ModelEntity, { id: In(ids) })).map((row) => [row.id, row]));
      // An unknown group is refused also where no model is found.
      await changedRule(manager, OPEN, rule);
      const entries: Change[] = [];
      for (const id of new Set(ids)) {
        const row = rows.get(id);
        if (row === undefined) skipped.push({ id, code: 'not_found' });
        else if (row.isDefault && cannotBeDefault) skipped.push({ id, code: 'conflict' });
        else if (kind !== undefined && (await refusedFallbacks(manager, { ...row, kind }, row)) !== null)
          skipped.push({ id, code: 'invalid' });
        else {
          const access = Object.keys(rule).length === 0 ? {} : await changedRule(manager, row, rule);
          const fields = { ...same, ...access };
          if (Object.keys(fields).length > 0) await manager.update(ModelEntity, { id }, fields);
          entries.push(modelChange('update', row, { ...row, ...fields }));
          changed.push(row);
        }
      }
      if (pricing !== undefined) await notePriceSource(manager, changed.map(idOf), 'admin');
      await recordChanges(manager, entries);
    });
    if (changed.length > 0) await this.models.announce();
    return { ids: changed.map(({ id }) => id), skipped };
  }
}

const idOf = ({ modelId }: ModelEntity): string => modelId;

/** Why a model is left out; null for one that is added. @param row undefined for a model that is not listed */
function reasonAgainst(
  modelId: string,
  row: Partial<ModelEntity> | undefined,
  { known, fallbacks }: { known: ReadonlySet<string>; fallbacks: ReadonlySet<string> },
): Reason | null {
  if (known.has(modelId)) return 'exists';
  if (row === undefined) return 'not_listed';
  if (!MODEL_ID.test(modelId) || modelId.length > LIMITS.modelId.max) return 'unusable_id';
  return row.kind !== 'chat' && fallbacks.has(modelId) ? 'fallback_kind' : null;
}

/** The row of a listed model, as `POST /api/admin/models` would make it. */
function rowOf({
  id,
  name,
  description,
  context_length: contextLength,
  ...capabilities
}: CatalogueItem): Partial<ModelEntity> {
  const parsed = parseModelId(id);
  return {
    modelId: id,
    name: (name.trim() || parsed.name).slice(0, LIMITS.modelName.max).toWellFormed(),
    provider: parsed.provider.slice(0, LIMITS.modelProvider.max).toWellFormed(),
    description: description?.slice(0, LIMITS.modelDescription.max).toWellFormed() ?? null,
    contextLength,
    ...kindOf(id, capabilities),
    ...capabilities,
  };
}

async function insert(manager: EntityManager, rows: Partial<ModelEntity>[]): Promise<void> {
  const { identifiers } = await manager.insert(ModelEntity, rows);
  const inserted = await manager.findBy(ModelEntity, { id: In(identifiers.map(({ id }) => id as number)) });
  const priced = inserted.filter(({ pricing }) => pricing !== null);
  if (priced.length > 0) await notePriceSource(manager, priced.map(idOf), 'catalogue');
  await recordChanges(
    manager,
    inserted.map((model) => modelChange('create', null, model)),
  );
}
