import { Injectable } from '@nestjs/common';
import { LoginEvents } from '../audit/login-events.js';
import { AppError } from '../platform/errors/app-error.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { AccountAccessService } from '../users/account-access.service.js';
import type { UserEntity } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { LOGINS } from './credentials.service.js';
import { PasskeysService } from './passkeys/passkeys.service.js';
import type { RelyingParty } from './passkeys/relying-party.js';

/** Refused passkeys of an address. Keys cannot be guessed: this bounds the work. Seconds. */
const REFUSED: RateLimit = { name: 'passkey-refused', points: 50, window: 15 * 60, isDurable: true };

/** Logs in with passkeys, under the rules of logins with passwords. */
@Injectable()
export class PasskeyLogins {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly users: UsersService,
    private readonly access: AccountAccessService,
    private readonly limits: RateLimits,
    private readonly events: LoginEvents,
  ) {}

  /**
   * @param userId the only account whose passkeys fit, where its person confirms who they are
   * @throws AppError `invalid_credentials`, `rate_limited`; with a right passkey only: `account_pending`, `account_suspended`
   */
  async login(
    response: Record<string, unknown>,
    site: RelyingParty,
    address: string,
    userId?: number,
  ): Promise<{ user: UserEntity; passkeyId: number }> {
    let user: UserEntity | null = null;
    let reason: string | undefined;
    try {
      await this.limits.check(REFUSED, { address });
      const login = await this.passkeys.verify(response, site);
      if (login !== null) user = await this.users.get(login.userId);
      if (login?.runsBack) reason = 'passkey_counter';
      const isOther = userId !== undefined && user?.id !== userId;
      if (login === null || user === null || login.runsBack || user.isService || isOther) {
        await this.limits.count(REFUSED, { address });
        throw new AppError('invalid_credentials', { reason: 'passkey' });
      }
      this.access.ensureUsable(user);
      await this.limits.consume(LOGINS, `user:${user.id}`);
      return { user, passkeyId: login.passkeyId };
    } catch (error) {
      await this.events.failed({ user, way: 'passkey', address }, error, reason);
      throw error;
    }
  }
}
