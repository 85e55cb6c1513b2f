import type { AdminUser } from '@tanya/contract';
import { Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { AdminGuard } from '../identity/guards.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { AdminUserView } from '../users/admin-user-view.js';
import { UsersService } from '../users/users.service.js';
import { UsageReset } from './usage-reset.js';

@Controller('api/admin/users')
@UseGuards(AdminGuard)
export class AdminQuotaController {
  constructor(
    private readonly usage: UsageReset,
    private readonly users: UsersService,
    private readonly views: AdminUserView,
  ) {}

  /** Gives an account its whole quota and budget of the current period back. Messages that are being answered stay held. */
  @Post(':id/reset-usage')
  @HttpCode(200)
  async resetUsage(@Param('id', SmallIdPipe) id: number): Promise<AdminUser> {
    await this.usage.reset(id);
    return this.views.of(await this.users.get(id));
  }
}
