import type { AuditEntry } from '@tanya/contract';
import { Controller, Get, Query, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { AdminGuard, CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { sendCsvOfToday } from '../platform/http/csv.js';
import { idCursor, pageCursor, pageLimit, setNextCursor } from '../platform/http/pagination.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { auditFilter } from './audit-filter.js';
import { AuditService } from './audit.service.js';

/** Files per admin: each can read the whole log. Seconds. */
const FILES: RateLimit = { name: 'audit-files', points: 10, window: 60 };

@Controller('api/admin')
@UseGuards(AdminGuard)
export class AuditController {
  constructor(
    private readonly audit: AuditService,
    private readonly limits: RateLimits,
  ) {}

  @Get('audit')
  async list(
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AuditEntry[]> {
    const before = pageCursor(query.before, idCursor);
    const { entries, nextCursor } = await this.audit.list(auditFilter(query), pageLimit(query.limit), before);
    setNextCursor(response, nextCursor);
    return entries;
  }

  @Get('audit.csv')
  async file(
    @CurrentIdentity() { owner }: Identity,
    @Query() query: Record<string, unknown>,
    @Res() response: Response,
  ): Promise<void> {
    const filter = auditFilter(query);
    await this.limits.consume(FILES, owner);
    await sendCsvOfToday(response, 'audit', this.audit.linesOf(filter));
  }
}
