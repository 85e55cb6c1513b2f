/**
 * Terms that every room shares: owner, role, guards that check them; `AccountLifecycleHooks`, where a room registers
 * what it does when a guest becomes a member or an account ends.
 * Not here: which identity a request has (`auth`), rows of accounts (`users`).
 */

import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccountLifecycleHooks } from './account-lifecycle-hooks.js';
import { AccountGuard } from './guards.js';

@Global()
@Module({
  providers: [AccountLifecycleHooks, { provide: APP_GUARD, useClass: AccountGuard }],
  exports: [AccountLifecycleHooks],
})
export class IdentityModule {}
