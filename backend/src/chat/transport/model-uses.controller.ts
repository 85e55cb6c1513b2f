import { LIMITS, type ModelUses } from '@tanya/contract';
import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { AdminGuard } from '../../identity/guards.js';
import { ModelsService } from '../../models/models.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import { SmallIdPipe } from '../../platform/http/id.pipe.js';
import { ThreadStore } from '../messages/thread-store.js';

@Controller('api/admin/models')
@UseGuards(AdminGuard)
export class ModelUsesController {
  constructor(
    private readonly models: ModelsService,
    private readonly threads: ThreadStore,
  ) {}

  @Get(':id/uses')
  async uses(@Param('id', SmallIdPipe) id: number): Promise<ModelUses> {
    const modelId = this.models.modelIdOf(id);
    if (modelId === null) throw new AppError('not_found');
    return { threads: await this.threads.countWithModel(modelId, LIMITS.modelUses) };
  }
}
