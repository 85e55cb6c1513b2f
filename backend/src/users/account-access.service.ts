import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { isOfDomains } from '../settings/email-domains.js';
import { SettingsService } from '../settings/settings.service.js';
import { isPassword } from './passwords.service.js';
import type { UserEntity } from './user.entity.js';

const ADMIN_WITH_PASSWORD = `select exists (select from "user"
  where is_admin and is_approved and not is_suspended and password_hash like '$argon2%') as found`;

/** Advisory lock, 'tanL' in ASCII: of two admins who demote each other, one stays. */
const LAST_ADMIN_LOCK = 0x74616e4c;

/**
 * Lets what may leave no admin run one after another: demotions, suspensions, removals, and the choice that admins alone log
 * in with passwords. It locks no rows: others hold those of accounts, too. It must come before any lock of an account.
 */
export const lockAdmins = (manager: EntityManager): Promise<unknown> =>
  manager.query('select pg_advisory_xact_lock($1)', [LAST_ADMIN_LOCK]);

/**
 * Decides whether guests are let in and who may register, which accounts may be used and which need a second factor. Registration, login and
 * API keys check it; sessions are checked by the same columns in `RolesService`.
 */
@Injectable()
export class AccountAccessService {
  constructor(private readonly settings: SettingsService) {
    settings.addCheck(async (manager, { passwordLogin }) => {
      if (passwordLogin !== 'admins') return;
      await lockAdmins(manager);
      const [{ found }] = await manager.query<[{ found: boolean }]>(ADMIN_WITH_PASSWORD);
      if (!found) throw new AppError('conflict', { reason: 'password_login' });
    });
  }

  /** Whether visitors may use the product without an account. */
  admitsGuests(): boolean {
    return this.settings.get().guestsEnabled;
  }

  /** Whether people who are not admins log in with passwords. */
  admitsPasswords(): boolean {
    return this.settings.get().passwordLogin === 'everyone';
  }

  /** The same, as stored: for a transaction that has locked the admins. */
  async admitsPasswordsWithin(manager: EntityManager): Promise<boolean> {
    return (await this.settings.stored(manager)).passwordLogin === 'everyone';
  }

  /** Whether the account can log in with its password. */
  hasUsablePassword({ isAdmin, passwordHash }: Pick<UserEntity, 'isAdmin' | 'passwordHash'>): boolean {
    return isPassword(passwordHash) && (isAdmin || this.admitsPasswords());
  }

  /** @throws AppError `forbidden` for an account that may not log in with a password */
  ensureMayUsePassword({ isAdmin }: Pick<UserEntity, 'isAdmin'>): void {
    if (!isAdmin && !this.admitsPasswords()) throw new AppError('forbidden', { reason: 'password_login' });
  }

  /** @throws AppError `registration_closed` */
  ensureRegistrationOpen(): void {
    if (this.settings.get().registrationMode === 'closed') throw new AppError('registration_closed');
  }

  /** Whether an account that registers now needs no approval. Accounts that are pending already stay pending. */
  approvesRegistrations(): boolean {
    return this.settings.get().registrationMode === 'open';
  }

  /** Whether accounts with this address, once it is proven, need no approval. */
  isOfAllowedDomains(email: string | undefined): boolean {
    return email !== undefined && isOfDomains(email, this.settings.get().allowedEmailDomains);
  }

  /** Whether the account must enrol a second factor before it can be used in the page. */
  mustEnrollTotp({ isAdmin, hasTotp }: Pick<UserEntity, 'isAdmin' | 'hasTotp'>): boolean {
    return !hasTotp && this.requiresTotp({ isAdmin });
  }

  requiresTotp({ isAdmin }: Pick<UserEntity, 'isAdmin'>): boolean {
    const { totpRequired } = this.settings.get();
    return isAdmin ? totpRequired.admin : totpRequired.member;
  }

  /**
   * Whether the account's plan may call the API. Admins and the service accounts, which admins make, always may.
   * @throws AppError `forbidden`
   */
  ensureApiAccess({ isAdmin, isService, isPremium }: Pick<UserEntity, 'isAdmin' | 'isService' | 'isPremium'>): void {
    const isOpen = this.settings.get().apiAccess[isPremium ? 'premium' : 'free'];
    if (!isOpen && !isAdmin && !isService) throw new AppError('forbidden', { reason: 'api_access' });
  }

  /** @throws AppError `account_pending`, `account_suspended` */
  ensureUsable({ isApproved, isSuspended }: Pick<UserEntity, 'isApproved' | 'isSuspended'>): void {
    if (!isApproved) throw new AppError('account_pending');
    if (isSuspended) throw new AppError('account_suspended');
  }
}
