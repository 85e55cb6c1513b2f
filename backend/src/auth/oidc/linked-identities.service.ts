import type { LinkedIdentity } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Not, type Repository } from 'typeorm';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import { type Owner, ownerUserId } from '../../identity/identity.js';
import { isUniqueViolation } from '../../platform/database/constraint-violations.js';
import { statement } from '../../platform/database/named-parameters.js';
import { AppError } from '../../platform/errors/app-error.js';
import { AccountAccessService } from '../../users/account-access.service.js';
import { UsersService } from '../../users/users.service.js';
import { PasskeyEntity } from '../passkeys/passkey.entity.js';
import { IdentityProviderEntity } from './identity-provider.entity.js';
import { IdentityProviders } from './identity-providers.service.js';
import { shownName } from './new-account.js';
import { ProviderRights } from './provider-rights.js';
import type { ProvenPerson } from './sign-ins.service.js';
import { UNIQUE_IDENTITY, UserIdentityEntity } from './user-identity.entity.js';

const noteUse = statement<{ id: number; providerId: number; name: string | null }>(`
  update user_identity set provider_id = :providerId, name = coalesce(:name, name), last_used_at = now() where id = :id`);

type Person = Pick<ProvenPerson, 'provider' | 'token'>;

/** Which account a login at a provider opens: issuer and subject decide, never a name or an address. */
@Injectable()
export class LinkedIdentities {
  constructor(
    @InjectRepository(UserIdentityEntity) private readonly identities: Repository<UserIdentityEntity>,
    private readonly users: UsersService,
    private readonly access: AccountAccessService,
    private readonly providers: IdentityProviders,
    private readonly rights: ProviderRights,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onExport('identities', (owner) => this.exportOf(owner));
  }

  find({ token }: Pick<Person, 'token'>): Promise<UserIdentityEntity | null> {
    return this.identities.findOneBy({ issuer: token.iss, subject: token.sub });
  }

  /**
   * Connects a login with an account. Postgres decides which of two accounts gets it.
   * @returns false where it was connected before
   * @throws AppError `conflict` where another account has it, `not_found` without the account
   */
  async link(person: Person, userId: number): Promise<boolean> {
    const known = await this.find(person);
    if (known?.userId === userId) return false;
    if (known !== null) throw taken();
    await this.identities.manager.transaction(async (manager) => {
      await this.users.lock(manager, userId);
      await this.insert(manager, person, userId);
    });
    return true;
  }

  /** @throws AppError `conflict` where an account has it */
  async insert(manager: EntityManager, { provider, token }: Person, userId: number): Promise<void> {
    try {
      await manager.insert(UserIdentityEntity, {
        userId,
        issuer: token.iss,
        subject: token.sub,
        providerId: provider.id,
        name: shownName(token),
      });
    } catch (error) {
      throw isUniqueViolation(error, UNIQUE_IDENTITY) ? taken() : error;
    }
  }

  async noteUse({ id }: UserIdentityEntity, { provider, token }: Person): Promise<void> {
    await this.identities.query(...noteUse({ id, providerId: provider.id, name: shownName(token) }));
  }

  async list(userId: number): Promise<LinkedIdentity[]> {
    const rows = await this.identities.find({ where: { userId }, order: { id: 'ASC' } });
    return rows.map((row) => ({
      id: row.id,
      label: this.providerOf(row)?.label ?? new URL(row.issuer).host,
      issuer: row.issuer,
      name: row.name,
      createdAt: row.createdAt.toISOString(),
      lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    }));
  }

  /**
   * Takes what the provider of a login gave, and disconnects it.
   * @throws AppError `not_found`, `last_login_method`
   */
  async unlink(userId: number, id: number): Promise<void> {
    const inAccount = <T>(work: (manager: EntityManager, row: UserIdentityEntity) => Promise<T>): Promise<T> =>
      this.identities.manager.transaction(async (manager) => {
        // Two requests at once would each see the other login.
        await this.users.lock(manager, userId);
        const row = await manager.findOneBy(UserIdentityEntity, { id, userId });
        if (row === null) throw new AppError('not_found');
        if (!(await this.hasAnotherWayIn(manager, userId, id))) throw new AppError('last_login_method');
        return work(manager, row);
      });
    // Two providers can have one issuer. One whose secret cannot be read has given something too, and so has one that the
    // account has no login of any more, because its issuer has changed.
    const providers = await inAccount(async (manager, row) => {
      const isOf = (provider: IdentityProviderEntity) => (login: UserIdentityEntity) =>
        login.providerId === provider.id || login.issuer === provider.issuer;
      const others = await manager.findBy(UserIdentityEntity, { userId, id: Not(id) });
      const all = await manager.find(IdentityProviderEntity);
      return all.filter((provider) => isOf(provider)(row) || !others.some(isOf(provider)));
    });
    const take = async () => {
      for (const provider of providers) await this.rights.takeFrom(userId, provider);
    };
    // Before the login is gone: after a failure it can be disconnected again.
    await take();
    await inAccount((manager) => manager.delete(UserIdentityEntity, { id }));
    // What a sign-in with it has given meanwhile.
    await take();
  }

  /** Whether the account can sign in without this login. */
  private async hasAnotherWayIn(manager: EntityManager, userId: number, identityId: number): Promise<boolean> {
    const user = await this.users.getWithin(manager, userId);
    if (this.access.hasUsablePassword(user) || (await manager.existsBy(PasskeyEntity, { userId }))) return true;
    return this.hasLogin(manager, userId, identityId);
  }

  /** Whether the account can sign in at a provider, apart from one of its logins. */
  async hasLogin(manager: EntityManager, userId: number, exceptId?: number): Promise<boolean> {
    const rows = await manager.findBy(UserIdentityEntity, { userId });
    return rows.some((row) => row.id !== exceptId && this.providerOf(row) !== undefined);
  }

  private async *exportOf(owner: Owner): AsyncGenerator<unknown> {
    const rows = await this.identities.findBy({ userId: ownerUserId(owner)! });
    for (const { issuer, subject, name, createdAt, lastUsedAt } of rows)
      yield { issuer, subject, name, createdAt, lastUsedAt };
  }

  private providerOf({ providerId, issuer }: UserIdentityEntity) {
    const active = this.providers.active();
    return active.find(({ id }) => id === providerId) ?? active.find((each) => each.issuer === issuer);
  }
}

const taken = (): AppError => new AppError('conflict', { reason: 'identity_taken' });
