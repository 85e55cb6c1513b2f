import { LIMITS, type OwnUsage, type UsageReport } from '@tanya/contract';
import { Controller, Get, Query, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { AdminGuard, CurrentIdentity, SignedInGuard } from '../../identity/guards.js';
import type { Identity } from '../../identity/identity.js';
import { sendCsv } from '../../platform/http/csv.js';
import { type RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { UsageCsv } from './usage-csv.service.js';
import { usageFilter } from './usage-filter.js';
import { usagePeriod } from './usage-period.js';
import { UsageReports } from './usage-reports.service.js';

/** Reports per account. Seconds. */
const REPORTS: RateLimit = { name: 'usage-reports', points: 120, window: 60 };

/** Files per admin: each reads every day of its period. */
const FILES: RateLimit = { name: 'usage-files', points: 10, window: 60 };

@Controller('api/user')
@UseGuards(SignedInGuard)
export class OwnUsageController {
  constructor(
    private readonly reports: UsageReports,
    private readonly limits: RateLimits,
  ) {}

  @Get('usage')
  async usage(@CurrentIdentity() { owner }: Identity, @Query() query: Record<string, unknown>): Promise<OwnUsage> {
    const period = usagePeriod(query);
    await this.limits.consume(REPORTS, owner);
    return this.reports.ofOwner(owner, period);
  }
}

@Controller('api/admin')
@UseGuards(AdminGuard)
export class UsageController {
  constructor(
    private readonly reports: UsageReports,
    private readonly csv: UsageCsv,
    private readonly limits: RateLimits,
  ) {}

  @Get('usage')
  async report(@CurrentIdentity() { owner }: Identity, @Query() query: Record<string, unknown>): Promise<UsageReport> {
    const period = usagePeriod(query);
    const filter = usageFilter(query);
    await this.limits.consume(REPORTS, owner);
    return this.reports.report(period, filter);
  }

  @Get('usage.csv')
  async file(
    @CurrentIdentity() { owner }: Identity,
    @Query() query: Record<string, unknown>,
    @Res() response: Response,
  ): Promise<void> {
    const { from, to } = usagePeriod(query, LIMITS.usageCsvDays);
    const filter = usageFilter(query);
    await this.limits.consume(FILES, owner);
    const lines =
      query['detail'] === 'true' ? this.csv.detailsOf({ from, to }, filter) : this.csv.linesOf({ from, to }, filter);
    await sendCsv(response, `usage-${from}-${to}.csv`, lines);
  }
}
