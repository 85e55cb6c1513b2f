import type { AlertTestResult } from '@tanya/contract';
import { Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { AdminGuard, CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { AlertsService } from './alerts.service.js';

/** Tests per admin. Seconds. */
const TESTS: RateLimit = { name: 'alert-tests', points: 10, window: 60 };

@Controller('api/admin/alerts')
@UseGuards(AdminGuard)
export class AlertsController {
  constructor(
    private readonly alerts: AlertsService,
    private readonly limits: RateLimits,
  ) {}

  @Post('test')
  @HttpCode(200)
  async test(@CurrentIdentity() { owner }: Identity): Promise<AlertTestResult> {
    await this.limits.consume(TESTS, owner);
    return this.alerts.test();
  }
}
