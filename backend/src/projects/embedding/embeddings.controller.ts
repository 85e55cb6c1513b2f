import type { EmbeddingCost } from '@tanya/contract';
import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { AdminGuard } from '../../identity/guards.js';
import { EmbeddingModel } from './embedding-model.js';

@Controller('api/admin/embeddings')
@UseGuards(AdminGuard)
export class EmbeddingsController {
  constructor(private readonly model: EmbeddingModel) {}

  @Get()
  cost(@Query('modelId') modelId: unknown): Promise<EmbeddingCost> {
    return this.model.costOf(typeof modelId === 'string' ? modelId : '');
  }
}
