import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { UsersModule } from '../users/users.module.js';
import { AuthController } from './auth.controller.js';
import { CredentialsService } from './credentials.service.js';
import { GuestCookies } from './guest-cookies.js';
import { GuestMigration } from './guest-things.service.js';
import { IdentityService } from './identity.service.js';
import { LocalStrategy } from './local.strategy.js';
import { OwnAccountController } from './own-account.controller.js';
import { RegistrationService } from './registration.service.js';
import { SessionsService } from './sessions.service.js';

/** Passport keeps one list of strategies for the whole process, which may hold more than one server. */
const passportOptions = () => ({ session: false, defaultStrategy: `local-${randomUUID()}` });

/** Who asks: guests, members and their sessions. */
@Module({
  imports: [UsersModule, PassportModule.registerAsync({ useFactory: passportOptions })],
  controllers: [AuthController, OwnAccountController],
  providers: [
    GuestCookies,
    IdentityService,
    CredentialsService,
    LocalStrategy,
    RegistrationService,
    GuestMigration,
    SessionsService,
  ],
  exports: [GuestCookies, IdentityService],
})
export class AuthModule {}
