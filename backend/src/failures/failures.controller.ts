import type { Failure } from '@tanya/contract';
import { Controller, Get, Query, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { AdminGuard, CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { sendCsvOfToday } from '../platform/http/csv.js';
import { pageCursor, pageLimit, setNextCursor } from '../platform/http/pagination.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { failureFilter } from './failure-filter.js';
import { FailuresService, parseFailureCursor, writeFailureCursor } from './failures.service.js';

/** Files per admin: each can read all failures. Seconds. */
const FILES: RateLimit = { name: 'failure-files', points: 10, window: 60 };

@Controller('api/admin')
@UseGuards(AdminGuard)
export class FailuresController {
  constructor(
    private readonly failures: FailuresService,
    private readonly limits: RateLimits,
  ) {}

  @Get('failures')
  async list(
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Failure[]> {
    const before = pageCursor(query.before, parseFailureCursor);
    const { failures, next } = await this.failures.list(failureFilter(query), pageLimit(query.limit), before);
    setNextCursor(response, next && writeFailureCursor(next));
    return failures;
  }

  @Get('failures.csv')
  async file(
    @CurrentIdentity() { owner }: Identity,
    @Query() query: Record<string, unknown>,
    @Res() response: Response,
  ): Promise<void> {
    const filter = failureFilter(query);
    await this.limits.consume(FILES, owner);
    await sendCsvOfToday(response, 'failures', this.failures.linesOf(filter));
  }
}
