/**
 * The list of models, the default model, import from providers, prices with their history. The module holds the
 * registry of providers.
 * Not here: calls of a provider (`providers`), its keys (`connections`), the model that a member chose last
 * (`preferences`).
 */

import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RESOURCES, type Resources } from '../platform/platform.module.js';
import { findLocalServer } from '../providers/local-server.js';
import { ProviderRegistry } from '../providers/registry.js';
import { ModelCatalogue } from './model-catalogue.js';
import { ModelEditor } from './model-editor.service.js';
import { ModelPriceEntity } from './model-price.entity.js';
import { ModelBatches } from './model-batches.service.js';
import { ModelProblems } from './model-problems.js';
import { ModelMetrics } from './model-metrics.js';
import { ModelPrices } from './model-prices.js';
import { ModelEntity } from './model.entity.js';
import { AdminModelsController, ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';
import { Pricing } from './pricing.js';

@Module({
  imports: [TypeOrmModule.forFeature([ModelEntity, ModelPriceEntity])],
  controllers: [ModelsController, AdminModelsController],
  providers: [
    {
      provide: ProviderRegistry,
      inject: [RESOURCES],
      useFactory: async ({ timings: { connect, connectionTest, firstToken, idle } }: Resources) =>
        new ProviderRegistry({
          localServer: await findLocalServer(),
          timings: { connect, connectionTest, firstToken, idle },
        }),
    },
    ModelsService,
    ModelCatalogue,
    ModelEditor,
    ModelBatches,
    ModelProblems,
    ModelMetrics,
    ModelPrices,
    Pricing,
  ],
  exports: [ProviderRegistry, ModelsService, ModelCatalogue, ModelEditor, ModelMetrics, ModelPrices, Pricing],
})
export class ModelsModule implements OnApplicationShutdown {
  constructor(private readonly registry: ProviderRegistry) {}

  async onApplicationShutdown(): Promise<void> {
    await this.registry.close();
  }
}
