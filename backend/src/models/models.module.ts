import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SettingsModule } from '../settings/settings.module.js';
import { CatalogueEditor } from './catalogue-editor.service.js';
import { ModelPriceEntity } from './model-price.entity.js';
import { ModelPrices } from './model-prices.js';
import { ModelEntity } from './model.entity.js';
import { AdminModelsController, ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ModelEntity, ModelPriceEntity]), SettingsModule],
  controllers: [ModelsController, AdminModelsController],
  providers: [ModelsService, CatalogueEditor, ModelPrices],
  exports: [ModelsService, CatalogueEditor, ModelPrices],
})
export class ModelsModule {}
