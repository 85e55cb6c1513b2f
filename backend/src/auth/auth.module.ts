/**
 * Who makes a request: guests and their cookies, login (Passport), registration, sessions; guest migration; requests
 * to delete or export one's own account.
 * Not here: rows and passwords of accounts (`users`), what a role may do (`identity`), session stores
 * (`platform/session`).
 * - `totp`: the second factor with its recovery codes
 * - `invitations`: links with which somebody registers once
 * - `passkeys`: keys on a person's devices that log in without a password
 * - `email-confirmation`: accounts that wait until the link mailed to their address was opened
 * - `password-reset`: reset links and their mail
 * - `oidc`: identity providers, sign-in at them, what they give to people, logouts that they report
 */

import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AdminUsersModule } from '../admin-users/admin-users.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { UsersModule } from '../users/users.module.js';
import { AuthController } from './auth.controller.js';
import { CredentialsService } from './credentials.service.js';
import { EmailConfirmationEntity } from './email-confirmation/email-confirmation.entity.js';
import { EmailConfirmations } from './email-confirmation/email-confirmations.js';
import { GuestCookies } from './guest-cookies.js';
import { GuestMigrationService } from './guest-migration.service.js';
import { IdentityService } from './identity.service.js';
import { InvitationEntity } from './invitations/invitation.entity.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { LocalStrategy } from './local.strategy.js';
import { OwnKeysController } from './own-keys.controller.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { KnownBrowsers } from './known-browsers.js';
import { IdentityProviderEntity } from './oidc/identity-provider.entity.js';
import { IdentityProvidersController } from './oidc/identity-providers.controller.js';
import { IdentityProviders } from './oidc/identity-providers.service.js';
import { IdentitySessions } from './oidc/identity-sessions.js';
import { LinkedIdentities } from './oidc/linked-identities.service.js';
import { IdentitiesController, OidcController } from './oidc/oidc.controller.js';
import { OidcLogins } from './oidc/oidc-logins.service.js';
import { OidcLogouts } from './oidc/oidc-logout.service.js';
import { ProviderRights } from './oidc/provider-rights.js';
import { SealedCookies } from './oidc/sealed-cookies.js';
import { SignIns } from './oidc/sign-ins.service.js';
import { UsedTokens } from './oidc/used-tokens.js';
import { UserIdentityEntity } from './oidc/user-identity.entity.js';
import { OwnAccountController } from './own-account.controller.js';
import { PasskeyLoginController, PasskeysController } from './passkeys.controller.js';
import { PasskeyChallenges } from './passkeys/passkey-challenges.js';
import { PasskeyEntity } from './passkeys/passkey.entity.js';
import { PasskeysService } from './passkeys/passkeys.service.js';
import { PasskeyLogins } from './passkey-logins.service.js';
import { PasswordResetController } from './password-reset.controller.js';
import { PasswordResetEntity } from './password-reset/password-reset.entity.js';
import { PasswordResetRequestEntity } from './password-reset/password-reset-request.entity.js';
import { ResetLinks } from './password-reset/reset-links.js';
import { ResetRequests } from './password-reset/reset-requests.js';
import { RegistrationService } from './registration.service.js';
import { AdminSessionsController, SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { AdminTotpController, TotpController } from './totp.controller.js';
import { RecoveryCodeEntity } from './totp/recovery-code.entity.js';
import { TotpEntity } from './totp/totp.entity.js';
import { TotpService } from './totp/totp.service.js';

/** A unique strategy name: passport registers strategies per process, and a test process runs several servers. */
const passportOptions = () => ({ session: false, defaultStrategy: `local-${randomUUID()}` });

@Module({
  imports: [
    AdminUsersModule,
    ApiKeysModule,
    AuditModule,
    UsersModule,
    SettingsModule,
    TypeOrmModule.forFeature([
      PasskeyEntity,
      PasswordResetEntity,
      PasswordResetRequestEntity,
      TotpEntity,
      RecoveryCodeEntity,
      EmailConfirmationEntity,
      InvitationEntity,
      IdentityProviderEntity,
      UserIdentityEntity,
    ]),
    PassportModule.registerAsync({ useFactory: passportOptions }),
  ],
  controllers: [
    AuthController,
    OwnAccountController,
    OwnKeysController,
    PasswordResetController,
    TotpController,
    AdminTotpController,
    InvitationsController,
    PasskeysController,
    PasskeyLoginController,
    SessionsController,
    AdminSessionsController,
    OidcController,
    IdentitiesController,
    IdentityProvidersController,
  ],
  providers: [
    GuestCookies,
    IdentityService,
    CredentialsService,
    EmailConfirmations,
    LocalStrategy,
    RegistrationService,
    GuestMigrationService,
    SessionsService,
    KnownBrowsers,
    ResetLinks,
    ResetRequests,
    TotpService,
    InvitationsService,
    PasskeyChallenges,
    PasskeysService,
    PasskeyLogins,
    IdentityProviders,
    ProviderRights,
    LinkedIdentities,
    IdentitySessions,
    UsedTokens,
    SealedCookies,
    SignIns,
    OidcLogins,
    OidcLogouts,
  ],
  exports: [CredentialsService, GuestCookies, IdentityService],
})
export class AuthModule {}
