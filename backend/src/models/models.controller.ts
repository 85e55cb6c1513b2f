import type { AdminModel, Catalogue, DefaultModel, ModelPriceChange, PublicModel } from '@tanya/contract';
import { Body, Controller, Delete, Get, Param, Patch, Post, Put, UseGuards } from '@nestjs/common';
import { AdminGuard, CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { CatalogueEditor } from './catalogue-editor.service.js';
import { CreateModelDto, DefaultModelDto, ModelApiStatusDto, ModelStatusDto, UpdateModelDto } from './models.dto.js';
import { ModelPrices } from './model-prices.js';
import { ModelsService } from './models.service.js';

@Controller('api')
export class ModelsController {
  constructor(private readonly models: ModelsService) {}

  @Get('models')
  list(@CurrentIdentity() identity: Identity): PublicModel[] {
    return this.models.list(identity);
  }

  @Get('settings/default-model')
  defaultModel(@CurrentIdentity() identity: Identity): DefaultModel {
    return { modelId: this.models.defaultModelFor(identity) };
  }
}

@Controller('api/admin')
@UseGuards(AdminGuard)
export class AdminModelsController {
  constructor(
    private readonly editor: CatalogueEditor,
    private readonly models: ModelsService,
    private readonly prices: ModelPrices,
  ) {}

  @Get('models')
  list(): Promise<AdminModel[]> {
    return this.editor.list();
  }

  @Post('models')
  create(@Body() model: CreateModelDto): Promise<AdminModel> {
    return this.editor.create(model);
  }

  @Patch('models/:id')
  update(@Param('id', SmallIdPipe) id: number, @Body() changes: UpdateModelDto): Promise<AdminModel> {
    return this.editor.update(id, changes);
  }

  @Patch('models/:id/status')
  setEnabled(@Param('id', SmallIdPipe) id: number, @Body() { isEnabled }: ModelStatusDto): Promise<AdminModel> {
    return this.editor.setEnabled(id, isEnabled);
  }

  @Patch('models/:id/api-status')
  setApiEnabled(
    @Param('id', SmallIdPipe) id: number,
    @Body() { isApiEnabled }: ModelApiStatusDto,
  ): Promise<AdminModel> {
    return this.editor.update(id, { isApiEnabled });
  }

  @Get('models/:id/prices')
  priceChanges(@Param('id', SmallIdPipe) id: number): Promise<ModelPriceChange[]> {
    return this.prices.changesOf(id);
  }

  @Delete('models/:id')
  delete(@Param('id', SmallIdPipe) id: number): Promise<void> {
    return this.editor.delete(id);
  }

  @Get('openrouter/models')
  catalogue(): Promise<Catalogue> {
    return this.editor.catalogue();
  }

  @Get('settings/default-model')
  defaultModel(): DefaultModel {
    return { modelId: this.models.defaultModelId() };
  }

  @Put('settings/default-model')
  async setDefault(@Body() { modelId }: DefaultModelDto): Promise<DefaultModel> {
    await this.editor.setDefault(modelId);
    return { modelId };
  }
}
