import type { ModelPricing } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { ProviderRegistry, type RoutedModel } from '../providers/registry.js';
import { ModelPrices } from './model-prices.js';
import { type ChatModel, ModelsService } from './models.service.js';

const FREE: ModelPricing = { prompt: '0', completion: '0', image: '0' };

/** The prices that generations are charged by. The demo and a server on this machine are free unless they have a price. */
@Injectable()
export class Pricing {
  constructor(
    private readonly models: ModelsService,
    private readonly prices: ModelPrices,
    private readonly providers: ProviderRegistry,
  ) {}

  /** The prices of a model now; null when unknown. */
  pricesOf(model: RoutedModel & Pick<ChatModel, 'modelId'>): ModelPricing | null {
    return this.models.detailsOf(model.modelId).pricing ?? this.freeOf(model);
  }

  /** The prices at a time of the past; null when unknown. */
  async at(modelId: string, time: Date): Promise<ModelPricing | null> {
    const model = this.models.find(modelId);
    const prices = await this.prices.at(modelId, time);
    const isKnown = prices !== null && Object.keys(prices).length > 0;
    return isKnown ? prices : model === null ? null : this.freeOf(model);
  }

  private freeOf(model: RoutedModel): ModelPricing | null {
    return this.providers.isFree(model) ? FREE : null;
  }
}
