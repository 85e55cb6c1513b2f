import type { RegisterRequest } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { AccountAccessService } from '../users/account-access.service.js';
import type { UserEntity } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { AppError } from '../platform/errors/app-error.js';
import { EmailConfirmations } from './email-confirmation/email-confirmations.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { GuestMigrationService } from './guest-migration.service.js';

/** Seconds. */
const HOUR = 60 * 60;

const ACCOUNTS: RateLimit = { name: 'register', points: 10, window: HOUR };

/** All attempts, refused ones included: bounds how many usernames a client can probe. */
const ATTEMPTS: RateLimit = { name: 'register-attempt', points: 60, window: HOUR };

/** Creates an account and migrates the guest who registers. A pending account gets the guest's data at its first login. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly users: UsersService,
    private readonly access: AccountAccessService,
    private readonly limits: RateLimits,
    private readonly guestMigration: GuestMigrationService,
    private readonly invitations: InvitationsService,
    private readonly confirmations: EmailConfirmations,
  ) {}

  /**
   * An invitation needs neither an approval nor an address of the allowed domains.
   * @throws AppError `username_taken`, `rate_limited`, `invitation_invalid`; `account_pending` for an account that was created
   *   and waits for its link
   */
  async register(
    { invitation: token, ...request }: RegisterRequest,
    guestId: string,
    address: string,
  ): Promise<UserEntity> {
    await this.limits.consume(ATTEMPTS, { address });
    await this.limits.check(ACCOUNTS, { address });
    const invitation = token === undefined ? null : await this.invitations.find(token, request.email, address);
    const isConfirmed = invitation !== null || !this.confirmations.isRequired();
    if (!isConfirmed) this.confirmations.ensureAllowed(request.email);
    const isApproved = invitation !== null || (isConfirmed && this.access.approvesRegistrations());
    const isPremium = invitation?.plan === 'premium';
    const user = await this.users.create({ ...request, isApproved, isPremium }, async (manager, created) => {
      // Counted inside the transaction, so that parallel registrations beyond the limit are rolled back.
      await this.limits.consume(ACCOUNTS, { address });
      if (invitation !== null) await this.invitations.use(manager, invitation, created.id);
      if (!isConfirmed) await this.confirmations.add(manager, created, guestId);
      if (isApproved) await this.guestMigration.migrateWithin(manager, guestId, created.id);
    });
    if (isApproved) await this.guestMigration.publish(guestId, user.id);
    if (!isConfirmed && (await this.confirmations.sendTo(user)))
      throw new AppError('account_pending', { reason: 'email' });
    return user;
  }
}
