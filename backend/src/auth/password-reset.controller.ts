import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CurrentIdentity, OpenTo } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { Mailer } from '../platform/mail/mailer.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { AccountAccessService } from '../users/account-access.service.js';
import { UserLookup } from '../users/user-lookup.service.js';
import { usernameKey } from '../users/username.js';
import { ConfirmPasswordResetDto, PasswordResetDto } from './auth.dto.js';
import { AccountNotices } from '../users/account-notices.js';
import { ResetLinks } from './password-reset/reset-links.js';
import { ResetRequests } from './password-reset/reset-requests.js';

/** Seconds. */
const HOUR = 60 * 60;

const REQUESTS: RateLimit = { name: 'reset-client', points: 60, window: HOUR, isDurable: true };

/** Mails to one address. A request beyond the limit gets the same response and sends none. */
const MAILS: RateLimit = { name: 'reset-email', points: 5, window: HOUR, isDurable: true };

const CONFIRMATIONS: RateLimit = { name: 'reset-confirm', points: 30, window: HOUR, isDurable: true };

/** Reset of a forgotten password by mail. Without SMTP_URL both calls answer 404. */
@Controller('api/password-reset')
export class PasswordResetController {
  constructor(
    private readonly mailer: Mailer,
    private readonly requests: ResetRequests,
    private readonly links: ResetLinks,
    private readonly notices: AccountNotices,
    private readonly limits: RateLimits,
    private readonly access: AccountAccessService,
    private readonly users: UserLookup,
  ) {}

  /**
   * Same response and work for known and unknown addresses. A flood from one client is refused, and while only admins use
   * passwords an address that none of them has.
   */
  @Post()
  @HttpCode(200)
  @OpenTo('unauthenticated', 'password_change_required')
  async request(@CurrentIdentity() { address }: Identity, @Body() { email }: PasswordResetDto): Promise<{ ok: true }> {
    this.ensureEnabled();
    await this.limits.consume(REQUESTS, { address });
    if (!this.access.admitsPasswords())
      this.access.ensureMayUsePassword({ isAdmin: await this.users.hasAdminWithEmail(email) });
    if (await this.limits.tryConsume(MAILS, usernameKey(email))) await this.requests.add(email);
    return { ok: true };
  }

  @Post('confirm')
  @HttpCode(200)
  @OpenTo('unauthenticated', 'password_change_required')
  async confirm(
    @CurrentIdentity() { address }: Identity,
    @Body() { token, newPassword, endApiKeys = false }: ConfirmPasswordResetDto,
  ): Promise<{ ok: true }> {
    this.ensureEnabled();
    await this.limits.consume(CONFIRMATIONS, { address });
    const userId = await this.links.use(token, newPassword, endApiKeys);
    this.notices.tell(userId, { kind: 'password' });
    return { ok: true };
  }

  private ensureEnabled(): void {
    if (!this.mailer.isEnabled) {
      throw new AppError('not_found', { reason: 'mail' });
    }
  }
}
