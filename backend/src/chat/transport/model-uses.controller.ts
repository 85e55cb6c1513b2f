import { LIMITS, type ModelUses } from '@tanya/contract';
import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { AdminGuard } from '../../identity/guards.js';
import { ModelEditor } from '../../models/model-editor.service.js';
import { SmallIdPipe } from '../../platform/http/id.pipe.js';
import { ThreadStore } from '../messages/thread-store.js';

@Controller('api/admin/models')
@UseGuards(AdminGuard)
export class ModelUsesController {
  constructor(
    private readonly models: ModelEditor,
    private readonly threads: ThreadStore,
  ) {}

  @Get(':id/uses')
  async uses(@Param('id', SmallIdPipe) id: number): Promise<ModelUses> {
    const modelId = await this.models.modelIdOf(id);
    return { threads: await this.threads.countWithModel(modelId, LIMITS.modelUses) };
  }
}
