import { setTimeout as sleep } from 'node:timers/promises';
import type { LoginRequest } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { LoginEvents } from '../audit/login-events.js';
import { AppError } from '../platform/errors/app-error.js';
import { boundedQueue } from '../platform/resilience/bounded-queue.js';
import { type Count, type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { isFreshlyAuthenticated } from '../platform/session/session.js';
import { AccountAccessService } from '../users/account-access.service.js';
import { PasswordsService } from '../users/passwords.service.js';
import type { UserEntity } from '../users/user.entity.js';
import { usernameKey } from '../users/username.js';
import { UserLookup } from '../users/user-lookup.service.js';
import { UsersService } from '../users/users.service.js';
import { isTotpCode } from './totp/totp-codes.js';
import { EmailConfirmations } from './email-confirmation/email-confirmations.js';
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
 * Logins of an account and confirmed changes, from all addresses together: a client that has the password could otherwise
 * make hashes and sessions without end. No other client can use these up.
 */
export const LOGINS: RateLimit = { name: 'logins', points: 30, window: QUARTER_HOUR, isDurable: true };
const CONFIRMATIONS: RateLimit = { ...LOGINS, name: 'password-confirmations' };

/**
 * Right passwords of an account with a second factor, from one address, before its code is asked for and with a code. The
 * password alone must not lock the account for its owner, and a code works once, which bounds the logins.
 */
const WITHOUT_CODE: RateLimit = { ...LOGINS, name: 'logins-without-code' };
const WITH_CODE: RateLimit = { ...LOGINS, name: 'logins-with-code' };

/** Attempts of an address that were wrong or refused. Later ones take turns, so that a flood costs one call a second. */
const ATTEMPTS: RateLimit = { name: 'login-attempts', points: 200, window: QUARTER_HOUR, isDurable: true };
const TURN_MS = 1_000;
const TURNS = { concurrency: 1, waiting: 10 };

/**
 * Wrong codes of an account, from all addresses together. Three of a million codes are valid at a time, so guessing within
 * this limit succeeds about once in 30 years. Only a client that has the password reaches the codes, so no other client can
 * use up the limit. Another factor starts another count; a new password does not, because a reset mail could repeat it.
 * Recovery codes are too long to be guessed, and exempt: their owner can log in meanwhile.
 */
const CODES: RateLimit = { name: 'totp-account', points: 30, window: 24 * HOUR, isDurable: true };

/** The attempts that run at once bound by how much parallel attempts can exceed a limit. */
const QUEUE = { concurrency: 4, waiting: 100 };

/** Verifies passwords and second factors, and limits failed attempts. */
@Injectable()
export class CredentialsService {
  private readonly queue = boundedQueue(QUEUE);
  private readonly turns = boundedQueue(TURNS);

  constructor(
    private readonly users: UsersService,
    private readonly lookup: UserLookup,
    private readonly passwords: PasswordsService,
    private readonly totp: TotpService,
    private readonly access: AccountAccessService,
    private readonly confirmations: EmailConfirmations,
    private readonly limits: RateLimits,
    private readonly events: LoginEvents,
  ) {}

  /**
   * Returns the account of these credentials, whose name may be its e-mail address. An unknown name and a wrong password
   * get the same answer in the same time. Each name counts alone: a count of both would show whose address it is.
   * @throws AppError `invalid_credentials`, `rate_limited`, `server_busy`; after the right password only: `account_pending`,
   *   `account_suspended`, `forbidden`, `totp_required`, `totp_invalid`
   */
  async login({ username, password, code }: LoginRequest, address: string): Promise<UserEntity> {
    const key = usernameKey(username);
    let user: UserEntity | null = null;
    try {
      const member = await this.withLimits(key, address, new AppError('invalid_credentials'), async () => {
        user = await this.lookup.findForLogin(username);
        const member = await this.withPassword(user, password, ({ id, hasTotp }) => {
          if (!hasTotp) return [LOGINS, `user:${id}`];
          return [code === undefined ? WITHOUT_CODE : WITH_CODE, { address, account: `user:${id}` }];
        });
        if (member !== null) await this.users.renewHash(member, password);
        return member;
      });
      if (await this.confirmations.sendTo(member)) throw new AppError('account_pending', { reason: 'email' });
      this.access.ensureUsable(member);
      this.access.ensureMayUsePassword(member);
      await this.confirmFactor(member, code, address);
      return member;
    } catch (error) {
      await this.events.failed({ user, way: 'password', address }, error);
      throw error;
    }
  }

  /**
   * Verifies who asks for a change of the own account: by the password, which a session that signed in lately with a
   * passkey or at a provider may leave out.
   * @throws AppError `invalid_credentials`, `reauthentication_required`, `rate_limited`, `server_busy`
   */
  async confirm({ identity, session }: Request, password: string | undefined): Promise<UserEntity> {
    const { userId, address } = identity!;
    const user = await this.users.get(userId!);
    if (password === undefined) {
      if (!isFreshlyAuthenticated(session)) throw new AppError('reauthentication_required');
      return user;
    }
    const refusal = new AppError('invalid_credentials', { reason: 'password' });
    return this.withLimits(user.usernameKey, address, refusal, () =>
      this.withPassword(user, password, ({ id }) => [CONFIRMATIONS, `user:${id}`]),
    );
  }

  /**
   * Verifies the second factor of an account that has one. Call it after the password.
   * @throws AppError `totp_required` without a code, `totp_invalid`, `rate_limited`, `server_busy`
   */
  async confirmFactor(user: UserEntity, code: string | undefined, address: string): Promise<void> {
    if (!user.hasTotp) return;
    if (code === undefined) throw new AppError('totp_required');
    await this.matchCode(user, address, code, async () => (await this.totp.verify(user.id, code)) || null);
  }

  /**
   * Runs an attempt to match a code of a second factor. A failure (null) counts like a wrong password.
   * @throws AppError `totp_invalid`, `rate_limited`, `server_busy`
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

  /** Returns the account if the password is right, and counts that. @throws AppError `rate_limited` */
  private async withPassword(
    user: UserEntity | null,
    password: string,
    countOf: (user: UserEntity) => Count,
  ): Promise<UserEntity | null> {
    // Before the hash, which is what a repeated right password would cost.
    if (user !== null) await this.limits.check(...countOf(user));
    const matches = await this.passwords.verify(user?.passwordHash ?? null, password);
    if (user === null || !matches) return null;
    await this.limits.consume(...countOf(user));
    return user;
  }

  private async withLimits<T>(
    account: string,
    address: string,
    refusal: AppError,
    attempt: () => Promise<T | null>,
  ): Promise<T> {
    if (await this.limits.isUsedUp(ATTEMPTS, { address })) await this.turns(() => sleep(TURN_MS));
    // Also before the queue, so that an address without attempts left takes no place in it.
    await this.ensureAttemptsLeft(account, address);
    if (await this.limits.isUsedUp(ACCOUNT, account)) await sleep(DELAY_MS);
    return this.queue(async () => {
      await this.ensureAttemptsLeft(account, address);
      const match = await attempt();
      if (match !== null) return match;
      await Promise.all([
        this.limits.count(ACCOUNT_FROM_ADDRESS, { address, account }),
        this.limits.count(ADDRESS, { address }),
        this.limits.count(ACCOUNT, account),
        this.limits.count(ATTEMPTS, { address }),
      ]);
      throw refusal;
    });
  }

  /** Refuses an address after too many failures; the refusal is an attempt too. @throws AppError `rate_limited` */
  private async ensureAttemptsLeft(account: string, address: string): Promise<void> {
    try {
      await this.limits.check(ACCOUNT_FROM_ADDRESS, { address, account });
      await this.limits.check(ADDRESS, { address });
    } catch (error) {
      await this.limits.count(ATTEMPTS, { address });
      throw error;
    }
  }
}
