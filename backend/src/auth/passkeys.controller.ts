import type { Passkey, User } from '@tanya/contract';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Request, Response } from 'express';
import { LoginEvents } from '../audit/login-events.js';
import { ENV, type Env } from '../config/env.js';
import { CurrentIdentity, CurrentUserId, OpenToAll, SignedInGuard } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { SettingsService } from '../settings/settings.service.js';
import { CredentialsService } from './credentials.service.js';
import { AccountNotices } from '../users/account-notices.js';
import { LinkedIdentities } from './oidc/linked-identities.service.js';
import { PasskeyLogins } from './passkey-logins.service.js';
import { KnownPasswordDto } from '../users/account-fields.js';
import { AddPasskeyDto, PasskeyLoginDto } from './passkeys/passkeys.dto.js';
import { PasskeysService } from './passkeys/passkeys.service.js';
import { type RelyingParty, relyingPartyOf } from './passkeys/relying-party.js';
import { sessionUser } from './session-user.js';
import { SessionsService } from './sessions.service.js';

/** Each stores a challenge for some minutes. Seconds. */
const OPTIONS: RateLimit = { name: 'passkey-options', points: 100, window: 10 * 60 };

/** The passkeys of the own account. */
@Controller('api/user/passkeys')
@UseGuards(SignedInGuard)
export class PasskeysController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly passkeys: PasskeysService,
    private readonly identities: LinkedIdentities,
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly settings: SettingsService,
    private readonly notices: AccountNotices,
    private readonly limits: RateLimits,
  ) {}

  @Get()
  list(@CurrentUserId() userId: number): Promise<Passkey[]> {
    return this.passkeys.list(userId);
  }

  @Post('options')
  @HttpCode(200)
  async options(
    @Req() request: Request,
    @CurrentIdentity() { address }: Identity,
    @Body() { password }: KnownPasswordDto,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const site = this.siteOf(request);
    const user = await this.credentials.confirm(request, password);
    await this.limits.consume(OPTIONS, { address });
    return this.passkeys.registrationOptions(user, this.settings.get().siteTitle, site);
  }

  @Post()
  async add(
    @Req() request: Request,
    @CurrentUserId() userId: number,
    @Body() { name, response }: AddPasskeyDto,
  ): Promise<Passkey> {
    const passkey = await this.passkeys.add(userId, name, response, this.siteOf(request));
    this.notices.tell(userId, { kind: 'passkey' });
    return passkey;
  }

  /** Ends the other sessions that began with the passkey, too: its device may be lost. */
  @Delete(':id')
  async remove(
    @Req() request: Request,
    @CurrentUserId() userId: number,
    @Param('id', SmallIdPipe) id: number,
    @Body() { password }: KnownPasswordDto,
  ): Promise<void> {
    await this.credentials.confirm(request, password);
    await this.passkeys.remove(userId, id, (manager) => this.identities.hasLogin(manager, userId));
    const { sessionID } = request;
    await this.sessions.endWhere(userId, (each) => each.id !== sessionID && each.data.passkeyId === id);
  }

  private siteOf(request: Request): RelyingParty {
    return relyingPartyOf(request, this.env.publicUrl);
  }
}

/** Logins with passkeys. With one, the person of a session also confirms who they are. */
@Controller('api/login/passkey')
export class PasskeyLoginController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly passkeys: PasskeysService,
    private readonly logins: PasskeyLogins,
    private readonly sessions: SessionsService,
    private readonly events: LoginEvents,
    private readonly limits: RateLimits,
  ) {}

  @Post('options')
  @HttpCode(200)
  @OpenToAll()
  async options(
    @Req() request: Request,
    @CurrentIdentity() { address, userId }: Identity,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    await this.limits.consume(OPTIONS, { address });
    return this.passkeys.loginOptions(relyingPartyOf(request, this.env.publicUrl), userId);
  }

  @Post()
  @HttpCode(200)
  @OpenToAll()
  async login(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentIdentity() { address, userId }: Identity,
    @Body() { response: given, rememberMe, userId: confirmedId }: PasskeyLoginDto,
  ): Promise<User> {
    const site = relyingPartyOf(request, this.env.publicUrl);
    // Another tab may have signed in to another account.
    if (confirmedId !== undefined && confirmedId !== userId) throw new AppError('unauthenticated');
    const { user, passkeyId } = await this.logins.login(given, site, address, confirmedId);
    if (confirmedId !== undefined) {
      await this.sessions.renewAuthentication(request);
      return sessionUser(request, user);
    }
    const isRemembered = user.id === userId && request.session.cookie.originalMaxAge !== null;
    await this.sessions.signInWithChats(request, response, user, {
      way: 'passkey',
      isTwoFactor: true,
      passkeyId,
      authenticatedAt: Date.now(),
      remember: rememberMe ?? isRemembered,
    });
    await this.events.succeeded({ user, way: 'passkey', address });
    return sessionUser(request, user);
  }
}
