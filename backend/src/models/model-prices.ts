import type { ModelPricing } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, type Repository } from 'typeorm';
import { presentFields } from '../platform/http/present-fields.js';
import { ModelPriceEntity } from './model-price.entity.js';

/** Prices of the past, for answers that end long after they began. */
@Injectable()
export class ModelPrices {
  constructor(@InjectRepository(ModelPriceEntity) private readonly prices: Repository<ModelPriceEntity>) {}

  /** The prices of a model at a time; null when none were known. */
  async at(modelId: string, time: Date): Promise<ModelPricing | null> {
    const row = await this.prices.findOne({
      where: { modelId, validFrom: LessThanOrEqual(time) },
      order: { validFrom: 'DESC', id: 'DESC' },
    });
    if (row === null) return null;
    const { prompt, completion, cachedPrompt, request, image, search } = row;
    const known = Object.entries({ prompt, completion, cachedPrompt, request, image, search });
    return presentFields(Object.fromEntries(known.map(([name, price]) => [name, price ?? undefined])));
  }
}
