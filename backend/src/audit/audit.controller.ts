import type { AuditEntry } from '@tanya/contract';
import { Controller, Get, Query, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { AdminGuard } from '../identity/guards.js';
import { pageCursor, pageLimit, setNextCursor } from '../platform/http/pagination.js';
import { AuditService } from './audit.service.js';

const parseCursor = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

@Controller('api/admin/audit')
@UseGuards(AdminGuard)
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  async list(
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AuditEntry[]> {
    const before = pageCursor(query.before, parseCursor);
    const { entries, nextCursor } = await this.audit.list(pageLimit(query.limit), before);
    setNextCursor(response, nextCursor);
    return entries;
  }
}
