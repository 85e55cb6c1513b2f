/**
 * Terms that every room shares: owner, role, guards that check them; `AccountLifecycleHooks`, where a room registers
 * what it does when a guest becomes a member or an account ends; interfaces through which rooms that may not import
 * `quota` show quotas and budgets.
 * Not here: which identity a request has (`auth`), rows of accounts (`users`).
 */

import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccountLifecycleHooks } from './account-lifecycle-hooks.js';
import { BudgetViews } from './budget-views.js';
import { AccountGuard } from './guards.js';
import { QuotaViews } from './quota-views.js';

@Global()
@Module({
  providers: [AccountLifecycleHooks, BudgetViews, QuotaViews, { provide: APP_GUARD, useClass: AccountGuard }],
  exports: [AccountLifecycleHooks, BudgetViews, QuotaViews],
})
export class IdentityModule {}
