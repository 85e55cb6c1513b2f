import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { AppError } from '../platform/errors/app-error.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { AccountAccessService } from '../users/account-access.service.js';
import { PasswordsService } from '../users/passwords.service.js';
import type { UserEntity } from '../users/user.entity.js';
import { usernameKey } from '../users/username.js';
import { UsersService } from '../users/users.service.js';

/** Seconds. */
const QUARTER_HOUR = 15 * 60;
const HOUR = 60 * 60;

const ACCOUNT_FROM_ADDRESS: RateLimit = { name: 'login-account', points: 10, window: QUARTER_HOUR, isDurable: true };
const ADDRESS: RateLimit = { name: 'login-address', points: 50, window: QUARTER_HOUR, isDurable: true };

/** From all addresses together. A refusal here would let any client lock an account, so attempts are delayed instead. */
const ACCOUNT: RateLimit = { name: 'login-everywhere', points: 100, window: HOUR, isDurable: true };
const DELAY_MS = 2_000;

/** Attempts that run at once. Bounds by how much parallel attempts can exceed a limit. */
const MAX_CONCURRENT = 4;

/** Verifies passwords and limits failed attempts. */
@Injectable()
export class CredentialsService {
  private readonly slots = pLimit(MAX_CONCURRENT);

  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly access: AccountAccessService,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Returns the account of these credentials. An unknown name and a wrong password get the same answer in the same time.
   * @throws AppError `invalid_credentials`, `rate_limited`, and `account_pending` after the right password only
   */
  async login(username: string, password: string, address: string): Promise<UserEntity> {
    const key = usernameKey(username);
    const member = await this.withLimits(key, address, async () => {
      const user = await this.users.findByUsername(username);
      const matches = await this.passwords.verify(user?.passwordHash ?? null, password);
      if (user === null || !matches) return null;
      await this.users.renewHash(user, password);
      return user;
    });
    this.access.ensureApproved(member);
    return member;
  }

  /**
   * Verifies the password of a signed-in member before a change of the account.
   * @throws AppError `invalid_credentials`, `rate_limited`
   */
  async confirm(userId: number, password: string, address: string): Promise<UserEntity> {
    const user = await this.users.get(userId);
    const attempt = async () => ((await this.passwords.verify(user.passwordHash, password)) ? user : null);
    return this.withLimits(user.usernameKey, address, attempt, 'The current password is wrong. Please try again.');
  }

  private async withLimits(
    account: string,
    address: string,
    attempt: () => Promise<UserEntity | null>,
    refusal?: string,
  ): Promise<UserEntity> {
    if ((await this.limits.used(ACCOUNT, account)) >= ACCOUNT.points) await sleep(DELAY_MS);
    return this.slots(async () => {
      const fromAddress = `${address} ${account}`;
      await this.limits.check(ACCOUNT_FROM_ADDRESS, fromAddress);
      await this.limits.check(ADDRESS, address);
      const user = await attempt();
      if (user !== null) return user;
      await Promise.all([
        this.limits.count(ACCOUNT_FROM_ADDRESS, fromAddress),
        this.limits.count(ADDRESS, address),
        this.limits.count(ACCOUNT, account),
      ]);
      throw new AppError('invalid_credentials', { message: refusal });
    });
  }
}
