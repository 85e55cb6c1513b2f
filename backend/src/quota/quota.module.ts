/**
 * How many messages an owner has sent and may send: hold, settle, release; the ledger and its export, the counters in
 * front of it; what an answer costs and holds of its budgets; calls of the site itself, such as titles.
 * Not here: terms and use of budgets (`budgets`), rate limits of requests (`platform/rate-limits` counts them), prices (`models`).
 * - `usage`: the daily rollup of the ledger; sums, reports of usage, and these as a CSV file
 */

import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { BudgetsModule } from '../budgets/budgets.module.js';
import { ModelsModule } from '../models/models.module.js';
import type { RedisClient } from '../platform/redis/redis-client.js';
import { REDIS } from '../platform/redis/redis.js';
import { SettingsModule } from '../settings/settings.module.js';
import { UsersModule } from '../users/users.module.js';
import { FreeStops } from './free-stops.js';
import { BudgetService } from './budget.service.js';
import { InProcessQuotaCounters, QUOTA_COUNTERS, RedisQuotaCounters } from './quota-counters.js';
import { QuotaLedger } from './quota-ledger.js';
import { QuotaMetrics } from './quota-metrics.js';
import { QuotaController } from './quota.controller.js';
import { QuotaService } from './quota.service.js';
import { UnlistedModels } from './usage/unlisted-models.js';
import { UnlistedModelsController } from './usage/unlisted-models.controller.js';
import { UsageCsv } from './usage/usage-csv.service.js';
import { UsageReports } from './usage/usage-reports.service.js';
import { UsageRollup } from './usage/usage-rollup.service.js';
import { OwnUsageController, UsageController } from './usage/usage.controller.js';
import { SiteCalls } from './site-calls.js';
import { UsageReset } from './usage-reset.js';
import { UsageUnlinking } from './usage-unlinking.js';
import { UsageExport } from './usage-export.js';

@Module({
  imports: [ApiKeysModule, BudgetsModule, ModelsModule, SettingsModule, UsersModule],
  controllers: [QuotaController, OwnUsageController, UsageController, UnlistedModelsController],
  providers: [
    QuotaService,
    BudgetService,
    FreeStops,
    QuotaLedger,
    QuotaMetrics,
    UnlistedModels,
    UsageCsv,
    UsageExport,
    UsageUnlinking,
    UsageReports,
    UsageRollup,
    SiteCalls,
    UsageReset,
    {
      provide: QUOTA_COUNTERS,
      inject: [REDIS],
      useFactory: (redis: RedisClient | null) =>
        redis === null ? new InProcessQuotaCounters() : new RedisQuotaCounters(redis),
    },
  ],
  exports: [UsageCsv, QuotaService, BudgetService, FreeStops, SiteCalls, UsageReset],
})
export class QuotaModule {}
