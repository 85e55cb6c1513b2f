import type { AccountQuota, MessageCount } from '@tanya/contract';
import { Controller, Get } from '@nestjs/common';
import { CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { BudgetService } from './budget.service.js';
import { QuotaService } from './quota.service.js';

@Controller('api/user')
export class QuotaController {
  constructor(
    private readonly quotas: QuotaService,
    private readonly budgets: BudgetService,
  ) {}

  @Get('quota')
  async quota(@CurrentIdentity() identity: Identity): Promise<AccountQuota> {
    const [quota, budget] = await Promise.all([this.quotas.quotaOf(identity), this.budgets.ofCaller(identity)]);
    return { ...quota, ...(budget && { budget }) };
  }

  @Get('message-count')
  async messageCount(@CurrentIdentity() identity: Identity): Promise<MessageCount> {
    return { messageCount: await this.quotas.messageCountOf(identity) };
  }
}
