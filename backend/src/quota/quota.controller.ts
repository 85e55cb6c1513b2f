import type { MessageCount, Quota } from '@tanya/contract';
import { Controller, Get } from '@nestjs/common';
import { CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { QuotaService } from './quota.service.js';

/** The quota and the message count of the caller, members and guests alike. */
@Controller('api/user')
export class QuotaController {
  constructor(private readonly quotas: QuotaService) {}

  @Get('quota')
  quota(@CurrentIdentity() identity: Identity): Promise<Quota> {
    return this.quotas.quotaOf(identity);
  }

  @Get('message-count')
  async messageCount(@CurrentIdentity() identity: Identity): Promise<MessageCount> {
    return { messageCount: await this.quotas.messageCountOf(identity) };
  }
}
