import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RESOURCES, type Resources } from '../platform/platform.module.js';
import { findLocalServer } from '../providers/local-server.js';
import { ProviderRegistry } from '../providers/registry.js';
import { CatalogueEditor } from './catalogue-editor.service.js';
import { ModelPriceEntity } from './model-price.entity.js';
import { ModelPrices } from './model-prices.js';
import { ModelEntity } from './model.entity.js';
import { AdminModelsController, ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';

/** The models, and the registry of the providers that answer them. */
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
    CatalogueEditor,
    ModelPrices,
  ],
  exports: [ProviderRegistry, ModelsService, CatalogueEditor, ModelPrices],
})
export class ModelsModule implements OnApplicationShutdown {
  constructor(private readonly registry: ProviderRegistry) {}

  async onApplicationShutdown(): Promise<void> {
    await this.registry.close();
  }
}
