import type {
  AdminModel,
  Catalogue,
  DefaultModel,
  ImportModelsResult,
  ModelBatchResult,
  ModelPriceChange,
  ModelProblem,
  PublicModel,
} from '@tanya/contract';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { AdminGuard, CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { sendJsonList } from '../platform/json/json-list.js';
import { ModelCatalogue } from './model-catalogue.js';
import { ModelEditor } from './model-editor.service.js';
import {
  CreateModelDto,
  DefaultModelDto,
  ImportModelsDto,
  ModelApiStatusDto,
  ModelBatchDto,
  ModelStatusDto,
  UpdateModelDto,
} from './models.dto.js';
import { ModelBatches } from './model-batches.service.js';
import { ModelProblems } from './model-problems.js';
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
    private readonly editor: ModelEditor,
    private readonly providerCatalogue: ModelCatalogue,
    private readonly models: ModelsService,
    private readonly prices: ModelPrices,
    private readonly batches: ModelBatches,
    private readonly problems: ModelProblems,
  ) {}

  /** An array of `AdminModel`. */
  @Get('models')
  async list(@Res() response: Response): Promise<void> {
    await sendJsonList(response, await this.editor.list());
  }

  @Post('models')
  create(@Body() model: CreateModelDto): Promise<AdminModel> {
    return this.editor.create(model);
  }

  @Post('models/import')
  @HttpCode(200)
  import(@Body() request: ImportModelsDto): Promise<ImportModelsResult> {
    return this.batches.import(request);
  }

  @Post('models/batch')
  @HttpCode(200)
  change(@Body() request: ModelBatchDto): Promise<ModelBatchResult> {
    return this.batches.change(request);
  }

  @Get('models/problems')
  problemsOf(): Promise<ModelProblem[]> {
    return this.problems.list();
  }

  @Patch('models/:id')
  update(@Param('id', SmallIdPipe) id: number, @Body() changes: UpdateModelDto): Promise<AdminModel> {
    return this.editor.update(id, changes);
  }

  @Patch('models/:id/status')
  setEnabled(@Param('id', SmallIdPipe) id: number, @Body() { isEnabled }: ModelStatusDto): Promise<AdminModel> {
    return this.editor.update(id, { isEnabled });
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
    return this.providerCatalogue.read();
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
