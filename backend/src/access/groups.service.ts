import { type Group, GROUP_LIMITS, type GroupMembersView } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type EntityManager, type Repository } from 'typeorm';
import { changeOfRow, recordChange } from '../audit/audit-log.js';
import type { Identity } from '../identity/identity.js';
import { Bus } from '../platform/bus/bus.js';
import { isForeignKeyViolation, orConflict } from '../platform/database/constraint-violations.js';
import { statement } from '../platform/database/named-parameters.js';
import { AppError, refuseField } from '../platform/errors/app-error.js';
import { groupsChanged } from './access-topics.js';
import { GroupUses } from './group-uses.js';
import { MemberGroupEntity, UNIQUE_GROUP_NAME } from './member-group.entity.js';

type GroupFields = Pick<MemberGroupEntity, 'name' | 'externalName' | 'quotaOverride' | 'budgetUsd'>;

const countMembers = statement<{ ids: readonly number[] }>(
  `select group_id as id, count(*)::int as count from group_member where group_id = any(:ids::int[]) group by group_id`,
);
const findMembers = statement<{ id: number }>(
  `select user_id as "userId", provider_id as "providerId" from group_member where group_id = :id
  order by user_id`,
);
const addMembers = statement<{ id: number; userIds: readonly number[] }>(`
  insert into group_member (user_id, group_id) select unnest(:userIds::int[]), :id on conflict do nothing
  returning user_id as "userId"`);
const removeMembers = statement<{ id: number; userIds: readonly number[] }>(`
  with removed as (delete from group_member where group_id = :id and user_id = any(:userIds::int[]) returning user_id)
  select user_id as "userId" from removed`);

interface Member {
  userId: number;
}

interface ListedMember extends Member {
  /** null where an admin put the member in. */
  providerId: number | null;
}

/** Groups of members and who is in them. */
@Injectable()
export class GroupsService {
  constructor(
    @InjectRepository(MemberGroupEntity) private readonly groups: Repository<MemberGroupEntity>,
    private readonly uses: GroupUses,
    private readonly bus: Bus,
  ) {}

  /** By name. */
  async list(): Promise<Group[]> {
    const rows = await this.groups.find();
    const counts = await this.groups.manager.query<{ id: number; count: number }[]>(
      ...countMembers({ ids: rows.map(({ id }) => id) }),
    );
    const byId = new Map(counts.map(({ id, count }) => [id, count]));
    return rows.toSorted((a, b) => a.name.localeCompare(b.name)).map((row) => toGroup(row, byId.get(row.id) ?? 0));
  }

  /** @throws AppError `conflict` for a name in use and for too many groups */
  async create(fields: Pick<GroupFields, 'name'> & Partial<GroupFields>): Promise<Group> {
    const row = this.groups.create({ externalName: null, quotaOverride: null, budgetUsd: null, ...fields });
    await this.change(async (manager) => {
      await manager.query('lock table member_group in share row exclusive mode');
      if ((await manager.count(MemberGroupEntity)) >= GROUP_LIMITS.groups)
        throw new AppError('conflict', { reason: 'groups', params: { max: GROUP_LIMITS.groups } });
      await manager.insert(MemberGroupEntity, row);
      await recordChange(manager, changeOfRow('group.create', null, row, audited));
    });
    return this.one(row.id);
  }

  /** @throws AppError `not_found`, `conflict` for a name in use, `forbidden` when a program changes more than its name for an admin */
  async update(caller: Identity, id: number, fields: Partial<GroupFields>): Promise<Group> {
    await this.change(async (manager) => {
      const row = await lockedGroup(manager, id);
      if (Object.keys(fields).some((field) => field !== 'name')) await refuseForAdminsOf(manager, caller, id);
      const before = { ...row };
      Object.assign(row, fields);
      await manager.save(row);
      await recordChange(manager, changeOfRow('group.update', before, row, audited));
    });
    await this.bus.publish(groupsChanged, { userIds: null });
    return this.one(id);
  }

  /**
   * @param isForced takes the group out of the rules that name it
   * @throws AppError `not_found`, `group_in_use`, `forbidden` when a program takes it from an admin
   */
  async delete(caller: Identity, id: number, isForced: boolean): Promise<void> {
    await this.change(async (manager) => {
      const row = await lockedGroup(manager, id);
      await refuseForAdminsOf(manager, caller, id);
      if (!isForced && (await this.uses.isUsed(manager, id))) throw new AppError('group_in_use');
      await this.uses.leave(manager, id);
      await manager.delete(MemberGroupEntity, { id });
      await recordChange(manager, changeOfRow('group.delete', row, null, audited));
    });
    if (isForced) await this.uses.announce();
    await this.bus.publish(groupsChanged, { userIds: null });
  }

  /** All members, in the order of their ids. @throws AppError `not_found` */
  async members(id: number): Promise<GroupMembersView> {
    await this.one(id);
    return membersOf(this.groups.manager, id);
  }

  /**
   * Replaces all members.
   * @throws AppError `not_found`, `invalid` for an unknown account, `conflict` without one whom an identity provider put in,
   *   `forbidden` when a program adds or removes an admin
   */
  setMembers(caller: Identity, id: number, userIds: readonly number[]): Promise<GroupMembersView> {
    const wanted = new Set(userIds);
    return this.changeMembers(caller, id, 'userIds', (present) => ({
      add: userIds,
      remove: present.filter((userId) => !wanted.has(userId)),
    }));
  }

  /**
   * To add a member or to remove somebody else changes nothing.
   * @throws AppError as `setMembers`
   */
  addAndRemove(
    caller: Identity,
    id: number,
    add: readonly number[],
    remove: readonly number[],
  ): Promise<GroupMembersView> {
    const removed = new Set(remove);
    if (add.some((userId) => removed.has(userId))) throw refuseField('remove', 'members_twice');
    return this.changeMembers(caller, id, 'add', () => ({ add, remove }));
  }

  /** @param field the list of new members in the request */
  private async changeMembers(
    caller: Identity,
    id: number,
    field: 'userIds' | 'add',
    changeOf: (present: number[]) => { add: readonly number[]; remove: readonly number[] },
  ): Promise<GroupMembersView> {
    const { members, changed } = await this.groups.manager.transaction(async (manager) => {
      const row = await lockedGroup(manager, id, 'for_no_key_update');
      const present = await membersOf(manager, id);
      const { add, remove } = changeOf(present.userIds);
      const provided = new Set(present.provided?.map(({ userId }) => userId));
      if (remove.some((userId) => provided.has(userId)))
        throw new AppError('conflict', { reason: 'group_member_provider' });
      try {
        const added = await manager.query<Member[]>(...addMembers({ id, userIds: add }));
        const removed = await manager.query<Member[]>(...removeMembers({ id, userIds: remove }));
        const changes = { added: added.map(({ userId }) => userId), removed: removed.map(({ userId }) => userId) };
        const ids = [...changes.added, ...changes.removed];
        await refuseForAdmins(manager, caller, ids);
        const target = { id, name: row.name };
        const before = { added: [], removed: [] };
        await recordChange(manager, { action: 'group.members', target, before, after: changes });
        return { members: await membersOf(manager, id), changed: ids };
      } catch (error) {
        throw isForeignKeyViolation(error) ? refuseField(field, 'members') : error;
      }
    });
    if (changed.length > 0) await this.bus.publish(groupsChanged, { userIds: changed });
    return members;
  }

  private async one(id: number): Promise<Group> {
    const row = await this.groups.findOneBy({ id });
    if (row === null) throw new AppError('not_found');
    const [counted] = await this.groups.manager.query<{ count: number }[]>(...countMembers({ ids: [id] }));
    return toGroup(row, counted?.count ?? 0);
  }

  private async change(work: (manager: EntityManager) => Promise<void>): Promise<void> {
    await orConflict(UNIQUE_GROUP_NAME, 'group_name', () => this.groups.manager.transaction(work));
  }
}

const toGroup = ({ createdAt, ...row }: MemberGroupEntity, memberCount: number): Group => ({
  ...row,
  memberCount,
  createdAt: createdAt.toISOString(),
});

async function membersOf(manager: EntityManager, id: number): Promise<GroupMembersView> {
  const rows = await manager.query<ListedMember[]>(...findMembers({ id }));
  const provided = rows.flatMap(({ userId, providerId }) => (providerId === null ? [] : [{ userId, providerId }]));
  return { userIds: rows.map(({ userId }) => userId), ...(provided.length > 0 && { provided }) };
}

/** @throws AppError `forbidden` for a program, if one of them is an admin */
async function refuseForAdmins(manager: EntityManager, { adminKey }: Identity, userIds: number[]): Promise<void> {
  if (adminKey === undefined) return;
  const hasAdmin = await manager.existsBy('UserEntity', { id: Any(userIds), isAdmin: true });
  if (hasAdmin) throw new AppError('forbidden', { reason: 'admin_key' });
}

const refuseForAdminsOf = async (manager: EntityManager, caller: Identity, id: number): Promise<void> =>
  refuseForAdmins(manager, caller, (await membersOf(manager, id)).userIds);

/**
 * @param mode `for_no_key_update` lets a login put members in: this change may wait for one of them, and the login for the group
 * @throws AppError `not_found`
 */
async function lockedGroup(
  manager: EntityManager,
  id: number,
  mode: 'pessimistic_write' | 'for_no_key_update' = 'pessimistic_write',
): Promise<MemberGroupEntity> {
  const row = await manager.findOne(MemberGroupEntity, { where: { id }, lock: { mode } });
  if (row === null) throw new AppError('not_found');
  return row;
}

const audited = ({ name, externalName, quotaOverride, budgetUsd }: MemberGroupEntity): object => ({
  name,
  externalName,
  quotaOverride,
  budgetUsd,
});
