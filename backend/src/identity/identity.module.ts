import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccountLifecycleHooks } from './account-lifecycle-hooks.js';
import { BudgetViews } from './budget-views.js';
import { AccountGuard } from './guards.js';
import { QuotaViews } from './quota-views.js';

/** Owner, identity and guards for every feature; `auth` decides which identity a request has. */
@Global()
@Module({
  providers: [AccountLifecycleHooks, BudgetViews, QuotaViews, { provide: APP_GUARD, useClass: AccountGuard }],
  exports: [AccountLifecycleHooks, BudgetViews, QuotaViews],
})
export class IdentityModule {}
