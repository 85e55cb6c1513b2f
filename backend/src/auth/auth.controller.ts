import type { ConfirmEmailResponse, ProviderAddress, SessionState, User } from '@tanya/contract';
import { Body, Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LoginEvents } from '../audit/login-events.js';
import { CurrentIdentity, CurrentUserId, OpenTo, OpenToAll, SignedInGuard } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { AccountAccessService } from '../users/account-access.service.js';
import type { UserEntity } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { ConfirmEmailDto, LoginDto, RegisterDto } from './auth.dto.js';
import { EmailConfirmations } from './email-confirmation/email-confirmations.js';
import { LocalAuthGuard } from './local.strategy.js';
import { OidcLogouts } from './oidc/oidc-logout.service.js';
import { RegistrationService } from './registration.service.js';
import { sessionUser } from './session-user.js';
import { SessionsService } from './sessions.service.js';

const CONFIRMATIONS: RateLimit = { name: 'confirm-link', points: 30, window: 60 * 60, isDurable: true };

@Controller('api')
export class AuthController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly sessions: SessionsService,
    private readonly users: UsersService,
    private readonly access: AccountAccessService,
    private readonly events: LoginEvents,
    private readonly logouts: OidcLogouts,
    private readonly confirmations: EmailConfirmations,
    private readonly limits: RateLimits,
  ) {}

  @Post('login')
  @HttpCode(200)
  @OpenToAll()
  @UseGuards(LocalAuthGuard)
  async login(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { rememberMe = false }: LoginDto,
  ): Promise<User> {
    const user = request.user as UserEntity;
    await this.sessions.signInWithChats(request, response, user, { way: 'password', remember: rememberMe });
    await this.events.succeeded({ user, way: 'password', address: request.identity!.address });
    return sessionUser(request, await this.users.get(user.id));
  }

  /** Creates an account and signs it in. A pending account exists after the refusal `account_pending`. */
  @Post('register')
  @OpenToAll()
  async register(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentIdentity() { address }: Identity,
    @Body() body: RegisterDto,
  ): Promise<User> {
    if (body.invitation === undefined) this.access.ensureRegistrationOpen();
    // A registration chooses a password.
    this.access.ensureMayUsePassword({ isAdmin: false });
    // Fails before the account is created, so that a failed registration leaves no account.
    await this.sessions.ensureReady(request);
    const user = await this.registration.register(body, request.guestId!, address);
    this.access.ensureUsable(user);
    await this.sessions.signIn(request, response, user, { way: 'password', remember: false });
    return sessionUser(request, user);
  }

  /** Opens the link that was mailed to the address of a new account. */
  @Post('register/confirm')
  @HttpCode(200)
  @OpenToAll()
  async confirm(
    @Req() request: Request,
    @CurrentIdentity() { address }: Identity,
    @Body() { token, isPressed = false }: ConfirmEmailDto,
  ): Promise<ConfirmEmailResponse> {
    await this.limits.consume(CONFIRMATIONS, { address });
    return { isConfirmed: await this.confirmations.confirm(token, request.guestId!, isPressed) };
  }

  /** The page goes on to the address of the identity provider where the session began and ends. */
  @Post('logout')
  @HttpCode(200)
  @OpenToAll()
  async logout(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentIdentity() { userId }: Identity,
  ): Promise<ProviderAddress | undefined> {
    if (userId === null) return undefined;
    const { oidc } = request.session;
    await this.sessions.signOut(request, response, userId);
    const url = oidc === undefined ? null : await this.logouts.addressFor(request, oidc);
    return url === null ? undefined : { url };
  }

  /** The page's first read. Unlike `GET /api/user`, a guest gets 200 with a null user. */
  @Get('session')
  @OpenToAll()
  async session(@Req() request: Request, @CurrentIdentity() { userId, refusal }: Identity): Promise<SessionState> {
    if (refusal === 'account_suspended') return { user: null, isSuspended: true };
    return { user: userId === null ? null : sessionUser(request, await this.users.get(userId)) };
  }

  @Get('user')
  @OpenTo('totp_enrollment_required')
  @UseGuards(SignedInGuard)
  async current(@Req() request: Request, @CurrentUserId() userId: number): Promise<User> {
    return sessionUser(request, await this.users.get(userId));
  }
}
