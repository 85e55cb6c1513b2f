import { setTimeout as sleep } from 'node:timers/promises';
import type { LoginRequest } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { AppError } from '../platform/errors/app-error.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { AccountAccessService } from '../users/account-access.service.js';
import { PasswordsService } from '../users/passwords.service.js';
import type { UserEntity } from '../users/user.entity.js';
import { usernameKey } from '../users/username.js';
import { UsersService } from '../users/users.service.js';
import { isTotpCode } from './totp/totp-codes.js';
import { TotpService } from './totp/totp.service.js';

/** Seconds. */
const QUARTER_HOUR = 15 * 60;
const HOUR = 60 * 60;

const ACCOUNT_FROM_ADDRESS: RateLimit = { name: 'login-account', points: 10, window: QUARTER_HOUR, isDurable: true };
const ADDRESS: RateLimit = { name: 'login-address', points: 50, window: QUARTER_HOUR, isDurable: true };

/** From all addresses together. A refusal here would let any client lock an account, so attempts are delayed instead. */
const ACCOUNT: RateLimit = { name: 'login-everywhere', points: 100, window: HOUR, isDurable: true };
const DELAY_MS = 2_000;

/**
 * Wrong codes of an account, from all addresses together. Three of a million codes are valid at a time, so guessing within
 * this limit succeeds about once in 30 years. Only a client that has the password reaches the codes, so no other client can
 * use up the limit. Another factor starts another count; a new password does not, because a reset mail could repeat it.
 * Recovery codes are too long to be guessed, and exempt: their owner can log in meanwhile.
 */
const CODES: RateLimit = { name: 'totp-account', points: 30, window: 24 * HOUR, isDurable: true };

/** Attempts that run at once. Bounds by how much parallel attempts can exceed a limit. */
const MAX_CONCURRENT = 4;

/** Refusal of a user who is logged in already. */
const WRONG_PASSWORD = {
  message: 'The current password is wrong. Please try again.',
  params: { reason: 'password' },
};

/** Verifies passwords and second factors, and limits failed attempts. */
@Injectable()
export class CredentialsService {
  private readonly slots = pLimit(MAX_CONCURRENT);

  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly totp: TotpService,
    private readonly access: AccountAccessService,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Returns the account of these credentials. An unknown name and a wrong password get the same answer in the same time.
   * @throws AppError `invalid_credentials`, `rate_limited`; after the right password only: `account_pending`,
   *   `account_suspended`, `totp_required`, `totp_invalid`
   */
  async login({ username, password, code }: LoginRequest, address: string): Promise<UserEntity> {
    const key = usernameKey(username);
    const member = await this.withLimits(key, address, new AppError('invalid_credentials'), async () => {
      const user = await this.users.findByUsername(username);
      const matches = await this.passwords.verify(user?.passwordHash ?? null, password);
      if (user === null || !matches) return null;
      await this.users.renewHash(user, password);
      return user;
    });
    this.access.ensureUsable(member);
    await this.confirmFactor(member, code, address);
    return member;
  }

  /**
   * Verifies the password of a signed-in member before a change of the account.
   * @throws AppError `invalid_credentials`, `rate_limited`
   */
  async confirm(userId: number, password: string, address: string): Promise<UserEntity> {
    const user = await this.users.get(userId);
    const refusal = new AppError('invalid_credentials', WRONG_PASSWORD);
    return this.withLimits(user.usernameKey, address, refusal, async () =>
      (await this.passwords.verify(user.passwordHash, password)) ? user : null,
    );
  }

  /**
   * Verifies the second factor of an account that has one. Call it after the password.
   * @throws AppError `totp_required` without a code, `totp_invalid`, `rate_limited`
   */
  async confirmFactor(user: UserEntity, code: string | undefined, address: string): Promise<void> {
    if (!user.hasTotp) return;
    if (code === undefined) throw new AppError('totp_required');
    await this.matchCode(user, address, code, async () => (await this.totp.verify(user.id, code)) || null);
  }

  /**
   * Runs an attempt to match a code of a second factor. A failure (null) counts like a wrong password.
   * @throws AppError `totp_invalid`, `rate_limited`
   */
  async matchCode<T>(user: UserEntity, address: string, code: string, attempt: () => Promise<T | null>): Promise<T> {
    return this.withLimits(user.usernameKey, address, new AppError('totp_invalid'), async () => {
      if (!isTotpCode(code)) return attempt();
      const factor = await this.totp.factorOf(user.id);
      await this.limits.check(CODES, factor);
      const match = await attempt();
      if (match === null) await this.limits.count(CODES, factor);
      return match;
    });
  }

  private async withLimits<T>(
    account: string,
    address: string,
    refusal: AppError,
    attempt: () => Promise<T | null>,
  ): Promise<T> {
    if ((await this.limits.used(ACCOUNT, account)) >= ACCOUNT.points) await sleep(DELAY_MS);
    return this.slots(async () => {
      const fromAddress = `${address} ${account}`;
      await this.limits.check(ACCOUNT_FROM_ADDRESS, fromAddress);
      await this.limits.check(ADDRESS, address);
      const match = await attempt();
      if (match !== null) return match;
      await Promise.all([
        this.limits.count(ACCOUNT_FROM_ADDRESS, fromAddress),
        this.limits.count(ADDRESS, address),
        this.limits.count(ACCOUNT, account),
      ]);
      throw refusal;
    });
  }
}
