import { LIMITS, type ModelPriceChange, type ModelPricing, type PriceSource } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import Big from 'big.js';
import { type EntityManager, LessThanOrEqual, type Repository } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { presentFields } from '../platform/http/present-fields.js';
import { ModelPriceEntity } from './model-price.entity.js';
import { ModelEntity } from './model.entity.js';

/** Prices of the past, for answers that end long after they began and for admins. */
@Injectable()
export class ModelPrices {
  constructor(
    @InjectRepository(ModelPriceEntity) private readonly prices: Repository<ModelPriceEntity>,
    @InjectRepository(ModelEntity) private readonly models: Repository<ModelEntity>,
  ) {}

  /** The prices of a model at a time; null when none were known. */
  async at(modelId: string, time: Date): Promise<ModelPricing | null> {
    const row = await this.prices.findOne({
      where: { modelId, validFrom: LessThanOrEqual(time) },
      order: { validFrom: 'DESC', id: 'DESC' },
    });
    return row === null ? null : pricingOf(row);
  }

  /** The latest changes of a model's prices, newest first. @throws AppError `not_found` */
  async changesOf(id: number): Promise<ModelPriceChange[]> {
    const model = await this.models.findOneBy({ id });
    if (model === null) throw new AppError('not_found');
    const rows = await this.prices.find({
      where: { modelId: model.modelId },
      order: { validFrom: 'DESC', id: 'DESC' },
      take: LIMITS.priceChanges,
    });
    return rows.map((row) => ({
      validFrom: row.validFrom.toISOString(),
      source: row.source,
      pricing: pricingOf(row),
    }));
  }
}

/**
 * Completes the prices that `record_model_price` (`functions.sql`) has added in this transaction. They are valid from now,
 * not from its start: of two changes at once, the one that waited for a lock may have started first.
 */
export async function notePriceSource(
  manager: EntityManager,
  modelIds: readonly string[],
  source: PriceSource,
): Promise<void> {
  await manager.query(
    `update model_price set source = $2, valid_from = clock_timestamp() where model_id = any ($1) and valid_from = now()`,
    [modelIds, source],
  );
}

/** The known prices, without the zeros that the column appends. */
function pricingOf(row: ModelPriceEntity): ModelPriceChange['pricing'] {
  const { prompt, completion, cachedPrompt, request, image, search } = row;
  const prices = Object.entries({ prompt, completion, cachedPrompt, request, image, search });
  const shown = prices.map(([name, price]) => [name, price === null ? undefined : new Big(price).toFixed()]);
  return presentFields(Object.fromEntries(shown) as ModelPriceChange['pricing']);
}
