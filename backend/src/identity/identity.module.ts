import { Global, Module } from '@nestjs/common';
import { AccountLifecycleHooks } from './account-lifecycle-hooks.js';

/** Owner, identity and guards for every feature; `auth` decides which identity a request has. */
@Global()
@Module({ providers: [AccountLifecycleHooks], exports: [AccountLifecycleHooks] })
export class IdentityModule {}
