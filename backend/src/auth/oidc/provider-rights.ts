import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { groupsChanged } from '../../access/access-topics.js';
import { hasProvidedGroup, syncProvidedGroups } from '../../access/group-sql.js';
import { handleAdminCall, recordChange } from '../../audit/audit-log.js';
import { Bus } from '../../platform/bus/bus.js';
import { statement } from '../../platform/database/named-parameters.js';
import { AppError } from '../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import type { UserEntity } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import type { ClaimedGroups } from './claimed-groups.js';
import type { IdentityProviderEntity } from './identity-provider.entity.js';
import { ProviderGrantEntity } from './user-identity.entity.js';

type Provider = Pick<IdentityProviderEntity, 'id' | 'label' | 'adminGroup' | 'premiumGroup'>;

const GRANTS = { isAdmin: 'givesAdmin', isPremium: 'givesPremium' } as const;
type Right = keyof typeof GRANTS;

const storeGrant = statement<{ userId: number; providerId: number; givesAdmin: boolean; givesPremium: boolean }>(`
  insert into provider_grant (user_id, provider_id, gives_admin, gives_premium)
  values (:userId, :providerId, :givesAdmin, :givesPremium)
  on conflict (user_id, provider_id)
  do update set gives_admin = excluded.gives_admin, gives_premium = excluded.gives_premium`);

/** Waits for an end of the provider, or makes it wait. */
const lockProvider = statement<{ providerId: number }>(`
  select from identity_provider
  where id = :providerId and (client_secret_sealed is not null or is_environment) for share`);

/** After its provider, in the order of a change of the issuer: two that wait for each other would fail. */
const lockIdentity = statement<{ identityId: number }>(`
  select from user_identity where id = :identityId for share`);

/** Within a transaction that stores what a provider gives. */
type Alongside = (manager: EntityManager) => Promise<void>;

const HAS_PROVIDED = `select ${hasProvidedGroup('$1')} or exists (
  select from provider_grant where user_id = $1 and (gives_admin or gives_premium)
) as "hasRights"`;

/** Whether a provider gave an account rights or groups, which a login there has to confirm. */
export async function hasProvidedRights(dataSource: DataSource, userId: number): Promise<boolean> {
  const [row] = await dataSource.query<[{ hasRights: boolean }]>(HAS_PROVIDED, [userId]);
  return row.hasRights;
}

/** Groups and rights that accounts have from providers. What admins gave by hand, no provider takes. */
@Injectable()
export class ProviderRights {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Applies what the ID token of a login says. Without the claim the groups stay and the rights end; too many groups to be
   * listed change nothing, and an audit row says so.
   * @throws AppError `sign_in_failed` when the login was disconnected meanwhile, or its provider is being deleted
   */
  apply(
    user: UserEntity,
    identityId: number,
    provider: Provider,
    groups: ClaimedGroups,
    address: string,
  ): Promise<void> {
    const ensureLinked: Alongside = async (manager) => {
      const providers = await manager.query<object[]>(...lockProvider({ providerId: provider.id }));
      const identities = await manager.query<object[]>(...lockIdentity({ identityId }));
      if (providers.length === 0 || identities.length === 0)
        throw new AppError('sign_in_failed', { reason: 'expired' });
    };
    return handleAdminCall({ actorId: user.id, key: null, address }, async () => {
      if (groups === 'overage') return this.noteOverage(user, provider);
      if (groups !== 'absent') await this.applyGroups(user, provider, groups, ensureLinked);
      const names: ReadonlySet<string> = groups === 'absent' ? new Set() : groups;
      const isIn = (group: string | null) => group !== null && names.has(group);
      const wanted = { isAdmin: isIn(provider.adminGroup), isPremium: isIn(provider.premiumGroup) };
      await this.applyRights(user.id, provider, wanted, ensureLinked);
    });
  }

  /** Takes what a provider gave to an account whose login there is disconnected. */
  async takeFrom(userId: number, provider: Provider): Promise<void> {
    const user = await this.users.get(userId);
    await this.applyGroups(user, provider, new Set());
    await this.applyRights(userId, provider, { isAdmin: false, isPremium: false });
  }

  /** Takes the rights that a provider gave which no longer gives any, before it is deleted; its groups go with it. */
  async takeAllOf(provider: Provider): Promise<void> {
    const grants = await this.dataSource.manager.findBy(ProviderGrantEntity, { providerId: provider.id });
    for (const { userId } of grants) {
      try {
        await this.applyRights(userId, provider, { isAdmin: false, isPremium: false });
      } catch (error) {
        // The account is being deleted.
        if (!(error instanceof AppError && error.code === 'not_found')) throw error;
      }
    }
  }

  /** Tells all nodes that members of groups changed with a provider. */
  async announceLoss(): Promise<void> {
    await this.bus.publish(groupsChanged, { userIds: null });
  }

  private async applyGroups(
    { id, username }: UserEntity,
    provider: Provider,
    names: ReadonlySet<string>,
    ensureLinked?: Alongside,
  ): Promise<void> {
    const hasChanged = await this.dataSource.transaction(async (manager) => {
      await ensureLinked?.(manager);
      const account = { userId: id, providerId: provider.id };
      const { added, removed } = await syncProvidedGroups(manager, account, [...names]);
      if (added.length + removed.length === 0) return false;
      const [before, after] = [{ groups: removed }, { groups: added }];
      await this.record(manager, { id, username }, provider, 'groups', before, after);
      return true;
    });
    if (hasChanged) await this.bus.publish(groupsChanged, { userIds: [id] });
  }

  private async applyRights(
    userId: number,
    provider: Provider,
    wanted: Record<Right, boolean>,
    ensureLinked?: Alongside,
  ): Promise<void> {
    const grants = await this.dataSource.manager.findBy(ProviderGrantEntity, { userId });
    const own = grants.find(({ providerId }) => providerId === provider.id);
    const given = { givesAdmin: own?.givesAdmin ?? false, givesPremium: own?.givesPremium ?? false };
    // In the transaction that changes the right: one that is given and not noted would never be taken.
    const store: Alongside = async (manager) => {
      await ensureLinked?.(manager);
      await manager.query(...storeGrant({ userId, providerId: provider.id, ...given }));
    };
    const user = await this.users.get(userId);
    for (const right of Object.keys(GRANTS) as Right[]) {
      const grant = GRANTS[right];
      const isGivenElsewhere = grants.some((each) => each !== own && each[grant]);
      if (wanted[right] && (!user[right] || isGivenElsewhere)) {
        given[grant] = true;
        if (user[right]) await this.dataSource.transaction(store);
        else await this.users.update(userId, { [right]: true }, store);
      } else if (!wanted[right] && given[grant]) {
        given[grant] = false;
        if (isGivenElsewhere || !user[right]) await this.dataSource.transaction(store);
        else if (!(await this.withdraw(user, provider, right, store))) given[grant] = true;
      }
    }
  }

  /** @returns false for the last admin, and the last one with a password who is needed: they stay admins */
  private async withdraw(user: UserEntity, provider: Provider, right: Right, store: Alongside): Promise<boolean> {
    try {
      await this.users.update(user.id, { [right]: false }, store);
      return true;
    } catch (error) {
      const reason = error instanceof AppError && (error.params?.['reason'] ?? error.code);
      if (reason !== 'last_admin' && reason !== 'password_login') throw error;
      await this.record(this.dataSource.manager, user, provider, 'rights', { isAdmin: true }, { isAdmin: reason });
      this.logger.warn(
        { userId: user.id, reason },
        'identity provider no longer names an admin who is needed; keeping the rights',
      );
      return false;
    }
  }

  private async noteOverage(user: UserEntity, provider: Provider): Promise<void> {
    await this.record(this.dataSource.manager, user, provider, 'groups', { groups: [] }, { groups: ['overage'] });
    this.logger.warn(
      { userId: user.id },
      'identity provider lists no groups, because there are too many; keeping the present ones',
    );
  }

  private record(
    manager: EntityManager,
    { id, username }: Pick<UserEntity, 'id' | 'username'>,
    { label }: Provider,
    kind: 'groups' | 'rights',
    before: object,
    after: object,
  ): Promise<void> {
    const target = { id, name: username };
    return recordChange(manager, {
      action: `user.provider_${kind}`,
      target,
      before,
      after: { ...after, provider: label },
    });
  }
}
