import type { CreateUserRequest, SessionEndedPayload, UpdateProfileRequest, UpdateUserRequest } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, type FindOptionsWhere, IsNull, Not, type Repository } from 'typeorm';
import { AppError, refuseField } from '../platform/errors/app-error.js';
import { Bus } from '../platform/bus/bus.js';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { userOwner } from '../identity/identity.js';
import { isUniqueViolation } from '../platform/database/constraint-violations.js';
import { AccountAccessService, lockAdmins } from './account-access.service.js';
import { AccountDeletion, NO_PASSWORD } from './deletion/account-deletion.js';
import { isPassword, PasswordsService } from './passwords.service.js';
import { UNIQUE_USERNAME, UserEntity } from './user.entity.js';
import { UserLookup } from './user-lookup.service.js';
import { recordEndOfSessions, recordUserChange } from './user-audit.js';
import { hasAt, usernameKey } from './username.js';
import { planChanged, profileChanged, sessionEnded } from '../identity/identity-topics.js';

const userNotFound = (): AppError => new AppError('not_found', { reason: 'user' });

/** The hash of a service account and of a person who signs in elsewhere: no password matches it. */
const NO_HASH = 'none';

const serviceAccount = (): AppError => new AppError('conflict', { reason: 'service_account' });

/** What a change does beside, within its transaction. */
type Alongside = (manager: EntityManager) => Promise<void>;

type EndReason = SessionEndedPayload['reason'];

/** A change by an admin or by the owner; amounts are decimal strings. */
type AccountChange = Omit<UpdateUserRequest, 'budgetUsd'> & UpdateProfileRequest & { budgetUsd?: string | null };

/**
 * Creates, changes and deletes accounts. A new password, a demotion and a deletion raise the session epoch, which ends
 * every session at its next call, and publish `session:ended`, which closes the sockets. The sessions of a suspended
 * account stay, so that its calls are refused as suspended; the end of the suspension raises the epoch.
 */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly lookup: UserLookup,
    private readonly access: AccountAccessService,
    private readonly passwords: PasswordsService,
    private readonly hooks: AccountLifecycleHooks,
    private readonly deletion: AccountDeletion,
    private readonly bus: Bus,
  ) {}

  /** @throws AppError `not_found` */
  get(id: number): Promise<UserEntity> {
    return this.getWithin(this.users.manager, id);
  }

  /** Reads an account in the caller's transaction. @throws AppError `not_found` */
  async getWithin(manager: EntityManager, id: number): Promise<UserEntity> {
    const user = await manager.findOneBy(UserEntity, { id });
    if (user === null) throw userNotFound();
    return user;
  }

  /**
   * Locks an account's row until the end of the caller's transaction. Rows that refer to it can still be inserted.
   * @throws AppError `not_found`, also for an account whose deletion has begun
   */
  async lock(manager: EntityManager, id: number): Promise<void> {
    if (!(await this.tryLock(manager, id))) throw userNotFound();
  }

  /** The same. @returns false for no account, and one whose deletion has begun */
  async tryLock(manager: EntityManager, id: number): Promise<boolean> {
    const user = await manager.findOne(UserEntity, {
      select: { id: true },
      where: { id, passwordHash: Not(NO_PASSWORD) },
      lock: { mode: 'for_no_key_update' },
    });
    return user !== null;
  }

  /**
   * @param alongside runs inside the transaction that stores the account
   * @throws AppError `username_taken`, `invalid` for a username with @ and a service account with a password or admin rights
   */
  async create(
    { username, password, ...fields }: CreateUserRequest & { isApproved?: boolean },
    alongside?: (manager: EntityManager, user: UserEntity) => Promise<void>,
  ): Promise<UserEntity> {
    if (hasAt(username)) throw refuseField('username', 'username_at');
    if (fields.isService && password !== undefined) throw refuseField('password', 'service_account');
    if (fields.isService && fields.isAdmin) throw refuseField('isAdmin', 'service_account');
    // The unique index decides; this check avoids the cost of hashing.
    if (await this.lookup.findByUsername(username)) throw new AppError('username_taken');
    const passwordHash = password === undefined ? NO_HASH : await this.passwords.hash(password);
    const user = this.users.create({ ...fields, username, usernameKey: usernameKey(username), passwordHash });
    return this.users.manager.transaction(async (manager) => {
      await refuseTakenName(manager.insert(UserEntity, user));
      await alongside?.(manager, user);
      const created = await manager.findOneByOrFail(UserEntity, { id: user.id });
      await recordUserChange(manager, 'create', null, created);
      return created;
    });
  }

  /**
   * Changes the given fields. A suspension also closes the sockets and interrupts the running answers of the account; after
   * a failure it can be repeated.
   * @throws AppError `not_found`, `username_taken`, `last_admin`, `invalid` for a new username with @, `conflict` for a
   *   password or admin rights of a service account, and for the last admin with a password who is needed
   */
  async update(id: number, { password, ...fields }: AccountChange, alongside?: Alongside): Promise<UserEntity> {
    const passwordHash = password === undefined ? undefined : await this.passwords.hash(password);
    const { user, reason, before } = await this.users.manager.transaction(async (manager) => {
      if (fields.isAdmin === false || fields.isSuspended) await this.ensureAnotherAdmin(manager, id);
      const user = await manager.findOne(UserEntity, { where: { id }, lock: { mode: 'for_no_key_update' } });
      if (user === null || user.passwordHash === NO_PASSWORD) throw userNotFound();
      if (user.isService && (passwordHash !== undefined || fields.isAdmin)) throw serviceAccount();
      const before = { ...user };
      if (fields.username !== undefined && fields.username !== before.username && hasAt(fields.username))
        throw refuseField('username', 'username_at');
      const reason = endReason(before, fields, passwordHash);
      manager.merge(UserEntity, user, fields, {
        ...(fields.username === undefined ? {} : { usernameKey: usernameKey(fields.username) }),
        ...(passwordHash === undefined ? {} : { passwordHash }),
        ...(endsSessions(before, fields, reason) ? { sessionEpoch: user.sessionEpoch + 1 } : {}),
      });
      await refuseTakenName(manager.save(user));
      await recordUserChange(manager, 'update', before, user);
      await alongside?.(manager);
      return { user, reason, before };
    });
    if (reason !== null) await this.publishSessionEnd(id, reason);
    if (fields.isSuspended) await this.hooks.afterSuspension(userOwner(id));
    await this.publishChanges(before, user);
    return user;
  }

  /**
   * Sets the password and ends all sessions of the account.
   * @param epoch the epoch of the session that asks for it
   * @returns the session epoch for new sessions
   * @throws AppError `unauthenticated` when that session has ended meanwhile: an admin may have set another password
   */
  async setPassword(id: number, password: string, epoch: number, alongside?: Alongside): Promise<number> {
    const isSet = await this.storePassword({ id, sessionEpoch: epoch }, password, alongside);
    if (!isSet) throw new AppError('unauthenticated');
    return epoch + 1;
  }

  /**
   * Sets the password if the account still has this e-mail address and session epoch, and ends all its sessions.
   * @returns false when the account has changed since
   */
  async resetPassword(
    id: number,
    password: string,
    { email, sessionEpoch }: Pick<UserEntity, 'email' | 'sessionEpoch'>,
    alongside?: Alongside,
  ): Promise<boolean> {
    const isSet = await this.storePassword({ id, email: email ?? IsNull(), sessionEpoch }, password, alongside);
    if (isSet) await this.publishSessionEnd(id, 'password');
    return isSet;
  }

  /** @returns false when no account is as expected */
  private async storePassword(
    expected: FindOptionsWhere<UserEntity>,
    password: string,
    alongside?: Alongside,
  ): Promise<boolean> {
    const passwordHash = await this.passwords.hash(password);
    const changes = { passwordHash, mustChangePassword: false, sessionEpoch: () => 'session_epoch + 1' };
    return this.users.manager.transaction(async (manager) => {
      const { affected } = await manager.update(UserEntity, expected, changes);
      if (!affected) return false;
      await alongside?.(manager);
      return true;
    });
  }

  /**
   * Sets whether logins need a second factor, in the caller's transaction, and locks the account's row. A new factor ends
   * all sessions.
   * @returns the session epoch for new sessions
   * @throws AppError `not_found`
   */
  async setTotp(manager: EntityManager, id: number, hasTotp: boolean): Promise<number> {
    const { affected } = await manager.update(
      UserEntity,
      { id },
      { hasTotp, ...(hasTotp && { sessionEpoch: () => 'session_epoch + 1' }) },
    );
    if (!affected) throw userNotFound();
    return (await manager.findOneByOrFail(UserEntity, { id })).sessionEpoch;
  }

  /** Rehashes the same password with the current parameters; no session ends. */
  async renewHash(user: UserEntity, password: string): Promise<void> {
    if (!this.passwords.isOutdated(user.passwordHash)) return;
    const passwordHash = await this.passwords.hash(password);
    await this.users.update({ id: user.id, passwordHash: user.passwordHash }, { passwordHash });
  }

  async endSessions(id: number, reason: EndReason): Promise<void> {
    await this.users.update({ id }, { sessionEpoch: () => 'session_epoch + 1' });
    await this.publishSessionEnd(id, reason);
  }

  /** @throws AppError `not_found` */
  async endSessionsByAdmin(id: number): Promise<void> {
    await this.users.manager.transaction(async (manager) => {
      const user = await this.getWithin(manager, id);
      await manager.increment(UserEntity, { id }, 'sessionEpoch', 1);
      await recordEndOfSessions(manager, user);
    });
    await this.publishSessionEnd(id, 'logout');
  }

  /**
   * Deletes an account with all its data. Access is revoked first, so that nothing new begins while the data is deleted.
   * From then on the deletion is final: after a failure it can be repeated, and a sweep completes it otherwise.
   * @throws AppError `last_admin`, `not_found`, `conflict` for the last admin with a password who is needed
   */
  async remove(id: number): Promise<void> {
    await this.users.manager.transaction(async (manager) => {
      await this.ensureAnotherAdmin(manager, id);
      await recordUserChange(manager, 'delete', await this.getWithin(manager, id), null);
      await manager.update(
        UserEntity,
        { id },
        {
          isAdmin: false,
          // Refuses the API keys, too.
          isSuspended: true,
          passwordHash: NO_PASSWORD,
          sessionEpoch: () => 'session_epoch + 1',
        },
      );
    });
    await this.publishSessionEnd(id, 'deleted');
    await this.deletion.finish(id);
  }

  /** @throws AppError as `ensureAnotherAdmin` does */
  requireAnotherAdmin(id: number): Promise<void> {
    return this.users.manager.transaction((manager) => this.ensureAnotherAdmin(manager, id));
  }

  /**
   * Locks the admins, so it must come before any lock of an account.
   * @throws AppError `last_admin` when the account is the only one, `conflict` when it is the only one with a password while
   *   admins alone log in with passwords
   */
  private async ensureAnotherAdmin(manager: EntityManager, id: number): Promise<void> {
    await lockAdmins(manager);
    const admins = await manager.find(UserEntity, {
      select: { id: true, passwordHash: true },
      where: { isAdmin: true, isApproved: true, isSuspended: false },
    });
    if (admins.length === 1 && admins[0]!.id === id) throw new AppError('last_admin');
    const withPassword = admins.filter(({ passwordHash }) => isPassword(passwordHash));
    const isLast = withPassword.length === 1 && withPassword[0]!.id === id;
    if (isLast && !(await this.access.admitsPasswordsWithin(manager)))
      throw new AppError('conflict', { reason: 'password_login' });
  }

  private async publishChanges(before: UserEntity, user: UserEntity): Promise<void> {
    const { id: userId, isPremium } = user;
    const changed = (...fields: (keyof UserEntity)[]) => fields.some((field) => user[field] !== before[field]);
    if (changed('isPremium', 'isAdmin', 'mustChangePassword', 'quotaOverride', 'budgetUsd', 'budgetPeriod'))
      await this.bus.publish(planChanged, { userId, isPremium });
    if (changed('username', 'fullName', 'email', 'phoneNumber', 'language'))
      await this.bus.publish(profileChanged, { userId });
  }

  private publishSessionEnd(userId: number, reason: EndReason): Promise<void> {
    return this.bus.publish(sessionEnded, { userId, reason });
  }
}

function endReason(
  before: UserEntity,
  { isAdmin, isSuspended }: UpdateUserRequest,
  passwordHash: string | undefined,
): EndReason | null {
  if (isSuspended) return 'suspended';
  if (passwordHash !== undefined) return 'password';
  return before.isAdmin && isAdmin === false ? 'role' : null;
}

const endsSessions = (before: UserEntity, { isSuspended }: UpdateUserRequest, reason: EndReason | null): boolean =>
  (reason !== null && reason !== 'suspended') || (before.isSuspended && isSuspended === false);

async function refuseTakenName<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (isUniqueViolation(error, UNIQUE_USERNAME)) throw new AppError('username_taken', { cause: error });
    throw error;
  }
}
