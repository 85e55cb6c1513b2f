import type { UnlistedModel } from '@tanya/contract';
import { Controller, Get, UseGuards } from '@nestjs/common';
import { AdminGuard } from '../../identity/guards.js';
import { UnlistedModels } from './unlisted-models.js';

@Controller('api/admin/models/unlisted')
@UseGuards(AdminGuard)
export class UnlistedModelsController {
  constructor(private readonly unlisted: UnlistedModels) {}

  @Get()
  list(): Promise<UnlistedModel[]> {
    return this.unlisted.list();
  }
}
