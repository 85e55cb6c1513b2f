import type { AdminUser, TotpEnrollment, TotpRecoveryCodes } from '@tanya/contract';
import { Body, Controller, HttpCode, Inject, Param, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { AdminGuard, CurrentIdentity, CurrentUserId, OpenTo, SignedInGuard } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { SmallIdPipe } from '../platform/http/id.pipe.js';
import { SettingsService } from '../settings/settings.service.js';
import { AccountAccessService } from '../users/account-access.service.js';
import { AdminUserView } from '../admin-users/admin-user-view.js';
import { UsersService } from '../users/users.service.js';
import { ConfirmTotpDto, DisableTotpDto, EnrollTotpDto } from './auth.dto.js';
import { CredentialsService } from './credentials.service.js';
import { AccountNotices } from '../users/account-notices.js';
import { SessionsService } from './sessions.service.js';
import { TotpService } from './totp/totp.service.js';

@Controller('api/user/totp')
@UseGuards(SignedInGuard)
export class TotpController {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly totp: TotpService,
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly users: UsersService,
    private readonly access: AccountAccessService,
    private readonly settings: SettingsService,
    private readonly notices: AccountNotices,
  ) {}

  @Post('enroll')
  @HttpCode(200)
  @OpenTo('totp_enrollment_required')
  async enroll(
    @Req() request: Request,
    @CurrentIdentity() { address }: Identity,
    @Body() { password, code }: EnrollTotpDto,
  ): Promise<TotpEnrollment> {
    const user = await this.credentials.confirm(request, password);
    await this.credentials.confirmFactor(user, code, address);
    return this.totp.enroll(user, this.settings.get().siteTitle);
  }

  /** Activates the enrolled factor and ends all other sessions; this one continues under a new id. */
  @Post('confirm')
  @HttpCode(200)
  @OpenTo('totp_enrollment_required')
  async confirm(
    @Req() request: Request,
    @CurrentIdentity() { address }: Identity,
    @CurrentUserId() userId: number,
    @Body() { code }: ConfirmTotpDto,
  ): Promise<TotpRecoveryCodes> {
    const user = await this.users.get(userId);
    const { recoveryCodes, sessionEpoch } = await this.credentials.matchCode(user, address, code, () =>
      this.totp.activate(userId, code, request.session.epoch!),
    );
    try {
      await this.sessions.renew(request, { id: userId, sessionEpoch }, 'expired');
    } catch (error) {
      // The codes are shown once: without a session store the browser logs in again, but the codes must arrive.
      this.logger.warn({ err: error, userId }, 'session not renewed after a second factor; the user logs in again');
    }
    return { recoveryCodes };
  }

  @Post('disable')
  @HttpCode(200)
  async disable(
    @Req() request: Request,
    @CurrentIdentity() { address }: Identity,
    @CurrentUserId() userId: number,
    @Body() { password, code }: DisableTotpDto,
  ): Promise<void> {
    const user = await this.credentials.confirm(request, password);
    if (this.access.requiresTotp(user)) {
      throw new AppError('forbidden', { reason: 'totp_required' });
    }
    if (!user.hasTotp) throw new AppError('conflict', { reason: 'totp_off' });
    await this.credentials.confirmFactor(user, code, address);
    await this.totp.remove(userId);
    this.notices.tell(userId, { kind: 'factor_off' });
  }
}

/** Removes the second factor of an account whose owner has lost it. */
@Controller('api/admin/users')
@UseGuards(AdminGuard)
export class AdminTotpController {
  constructor(
    private readonly totp: TotpService,
    private readonly users: UsersService,
    private readonly notices: AccountNotices,
    private readonly views: AdminUserView,
  ) {}

  @Post(':id/reset-totp')
  @HttpCode(200)
  async reset(@Param('id', SmallIdPipe) id: number, @CurrentUserId() ownId: number): Promise<AdminUser> {
    // Otherwise a stolen session of an admin could remove the factor without a code.
    if (id === ownId) {
      throw new AppError('conflict', { reason: 'own_totp' });
    }
    await this.totp.remove(id);
    this.notices.tell(id, { kind: 'factor_off', byAdmin: true });
    return this.views.viewOf(await this.users.get(id));
  }
}
