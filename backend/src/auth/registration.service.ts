import type { RegisterRequest } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { guestOwner, userOwner } from '../platform/session/identity.js';
import { type RateLimit, RateLimits } from '../platform/redis/rate-limits.js';
import type { UserEntity } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { GuestMigration } from './guest-things.service.js';

const HOUR = 60 * 60;

const ACCOUNTS: RateLimit = { name: 'register', points: 10, window: HOUR };

/** Attempts that made no account: names taken above all, so that nobody reads off the list of names. */
const ATTEMPTS: RateLimit = { name: 'register-attempt', points: 60, window: HOUR };

/** Makes an account out of a guest. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly users: UsersService,
    private readonly limits: RateLimits,
    private readonly guestThings: GuestMigration,
  ) {}

  /** @throws AppError `username_taken`, `rate_limited` */
  async register(request: RegisterRequest, guestId: string, address: string): Promise<UserEntity> {
    await this.limits.consume(ATTEMPTS, address);
    await this.limits.check(ACCOUNTS, address);
    const user = await this.users.create(request, async (manager, created) => {
      // Counted inside: beyond the limit the account is rolled back, however many came at once.
      await this.limits.consume(ACCOUNTS, address);
      await this.guestThings.move(manager, guestId, created.id);
    });
    await this.guestThings.announce(guestOwner(guestId), userOwner(user.id));
    return user;
  }
}
