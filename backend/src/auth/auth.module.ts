import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { UsersModule } from '../users/users.module.js';
import { AuthController } from './auth.controller.js';
import { CredentialsService } from './credentials.service.js';
import { GuestCookies } from './guest-cookies.js';
import { GuestThings } from './guest-things.service.js';
import { IdentityService } from './identity.service.js';
import { LocalStrategy } from './local.strategy.js';
import { OwnAccountController } from './own-account.controller.js';
import { RegistrationService } from './registration.service.js';
import { SessionsService } from './sessions.service.js';

/** Who asks: guests, members and their sessions. */
@Module({
  imports: [UsersModule, PassportModule.register({ session: false })],
  controllers: [AuthController, OwnAccountController],
  providers: [
    GuestCookies,
    IdentityService,
    CredentialsService,
    LocalStrategy,
    RegistrationService,
    GuestThings,
    SessionsService,
  ],
  exports: [GuestCookies, IdentityService],
})
export class AuthModule {}
