import type { OwnRetention, Retention, RetentionPreview } from '@tanya/contract';
import { Body, Controller, Get, Put, UseGuards } from '@nestjs/common';
import { AdminGuard, CurrentIdentity } from '../../identity/guards.js';
import { type Identity, planNameOf } from '../../identity/identity.js';
import { presentFields } from '../../platform/http/present-fields.js';
import { RetentionService } from '../../retention/retention.service.js';
import { RetentionSweep } from '../threads/retention-sweep.js';
import { UpdateRetentionDto } from './retention.dto.js';

/** How long threads stay. */
@Controller('api')
export class RetentionController {
  constructor(
    private readonly retention: RetentionService,
    private readonly sweep: RetentionSweep,
  ) {}

  @Get('admin/retention')
  @UseGuards(AdminGuard)
  get(): Retention {
    return this.retention.get();
  }

  @Put('admin/retention')
  @UseGuards(AdminGuard)
  async update(@Body() { dryRun, ...given }: UpdateRetentionDto): Promise<Retention | RetentionPreview> {
    const changes = presentFields(given);
    return dryRun ? this.sweep.preview(this.retention.changed(changes)) : this.retention.update(changes);
  }

  @Get('user/retention')
  own(@CurrentIdentity() identity: Identity): OwnRetention {
    return this.retention.ofPlan(planNameOf(identity));
  }
}
