import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccountLifecycleHooks } from './account-lifecycle-hooks.js';
import { BudgetViews } from './budget-views.js';
import { AccountGuard } from './guards.js';

/** Owner, identity and guards for every feature; `auth` decides which identity a request has. */
@Global()
@Module({
  providers: [AccountLifecycleHooks, BudgetViews, { provide: APP_GUARD, useClass: AccountGuard }],
  exports: [AccountLifecycleHooks, BudgetViews],
})
export class IdentityModule {}
