import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { UsersModule } from '../users/users.module.js';
import { AuthController } from './auth.controller.js';
import { CredentialsService } from './credentials.service.js';
import { GuestCookies } from './guest-cookies.js';
import { GuestMigrationService } from './guest-migration.service.js';
import { IdentityService } from './identity.service.js';
import { LocalStrategy } from './local.strategy.js';
import { OwnAccountController } from './own-account.controller.js';
import { RegistrationService } from './registration.service.js';
import { SessionsService } from './sessions.service.js';

/** A unique strategy name: passport registers strategies per process, and a test process runs several servers. */
const passportOptions = () => ({ session: false, defaultStrategy: `local-${randomUUID()}` });

/** Guests, logins and sessions. */
@Module({
  imports: [UsersModule, PassportModule.registerAsync({ useFactory: passportOptions })],
  controllers: [AuthController, OwnAccountController],
  providers: [
    GuestCookies,
    IdentityService,
    CredentialsService,
    LocalStrategy,
    RegistrationService,
    GuestMigrationService,
    SessionsService,
  ],
  exports: [GuestCookies, IdentityService],
})
export class AuthModule {}
