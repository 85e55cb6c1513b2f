import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { AppError } from '../platform/errors/app-error.js';
import { type RateLimit, RateLimits } from '../platform/redis/rate-limits.js';
import { PasswordsService } from '../users/passwords.service.js';
import type { UserEntity } from '../users/user.entity.js';
import { usernameKey } from '../users/username.js';
import { UsersService } from '../users/users.service.js';

const QUARTER = 15 * 60;
const HOUR = 60 * 60;

const ACCOUNT_FROM_ADDRESS: RateLimit = { name: 'login-account', points: 10, window: QUARTER, lasts: true };
const ADDRESS: RateLimit = { name: 'login-address', points: 50, window: QUARTER, lasts: true };

/** From everywhere together. Refusing here would let anybody lock an account: tries are slowed instead. */
const ACCOUNT: RateLimit = { name: 'login-everywhere', points: 100, window: HOUR, lasts: true };
const SLOWED = 2_000;

/** A count is read, the password compared and the failure counted as one step, so that parallel tries can't outrun it. */
const AT_ONCE = 4;

/** Says whether a password is an account's, and bounds how often that may be asked. */
@Injectable()
export class CredentialsService {
  private readonly slots = pLimit(AT_ONCE);

  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly limits: RateLimits,
  ) {}

  /**
   * The account of these credentials. An unknown name and a wrong password give the same answer in the same time.
   * @throws AppError `invalid_credentials`, `rate_limited`
   */
  async login(username: string, password: string, address: string): Promise<UserEntity> {
    const key = usernameKey(username);
    return this.counted(key, address, async () => {
      const user = await this.users.findByUsername(username);
      const matches = await this.passwords.verify(user?.passwordHash ?? null, password);
      if (user === null || !matches) return null;
      await this.users.renewHash(user, password);
      return user;
    });
  }

  /** Asks for the password again before something that can't be undone. */
  async confirm(userId: number, password: string, address: string): Promise<UserEntity> {
    const user = await this.users.get(userId);
    const attempt = async () => ((await this.passwords.verify(user.passwordHash, password)) ? user : null);
    return this.counted(user.usernameKey, address, attempt, 'The current password is not right.');
  }

  private async counted(
    account: string,
    address: string,
    attempt: () => Promise<UserEntity | null>,
    refusal?: string,
  ): Promise<UserEntity> {
    if ((await this.limits.used(ACCOUNT, account)) >= ACCOUNT.points) await sleep(SLOWED);
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
