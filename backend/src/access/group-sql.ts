import type { EntityManager } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { GroupMemberEntity } from './group-member.entity.js';

/*
 * SQL of the tables `member_group` and `group_member`, for statements that read an account: it knows its groups without
 * another round trip.
 */

/** Join of what its groups give an account, under the alias `of_groups`: one row, also for an account without groups. */
export const joinGroups = (userId: string): string => `cross join lateral (
  select coalesce(array_agg(g.id order by g.id), '{}') as ids,
    case when bool_or(g.quota_override = -1) then -1 else max(g.quota_override) end as quota,
    case when bool_or(g.budget_usd = -1) then -1 else max(g.budget_usd) end as budget
  from group_member m join member_group g on g.id = m.group_id where m.user_id = ${userId}
) of_groups`;

/** Expression of type boolean: whether the account is in the group. */
export const isGroupMember = (userId: string, groupId: string): string =>
  `exists (select from group_member where user_id = ${userId} and group_id = ${groupId})`;

/** What the groups of an account give it. null: nothing; -1 is unlimited. */
export interface GroupTerms {
  groupIds: number[];
  quotaOverride: number | null;
  /** A decimal string. */
  budgetUsd: string | null;
}

const findTerms = statement<{ userIds: readonly number[] }>(`
  select u.id, of_groups.ids as "groupIds", of_groups.quota as "quotaOverride", of_groups.budget as "budgetUsd"
  from unnest(:userIds::int[]) u(id) ${joinGroups('u.id')}`);

/** The terms of these accounts by id. */
export async function groupTermsOf(
  manager: EntityManager,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, GroupTerms>> {
  const rows = await manager.query<(GroupTerms & { id: number })[]>(...findTerms({ userIds }));
  return new Map(rows.map(({ id, ...terms }) => [id, terms]));
}

/** An account with what is in effect for it: its own values come before those of its groups. */
export const withGroups = <T extends Omit<GroupTerms, 'groupIds'>>(account: T, groups: GroupTerms): T & GroupTerms => ({
  ...account,
  groupIds: groups.groupIds,
  quotaOverride: account.quotaOverride ?? groups.quotaOverride,
  budgetUsd: account.budgetUsd ?? groups.budgetUsd,
});

const lockGroups = statement<{ ids: readonly number[] }>(
  `select id from member_group where id = any(:ids::int[]) order by id for key share`,
);
const addToGroups = statement<{ userId: number; ids: readonly number[] }>(
  `insert into group_member (user_id, group_id) select :userId::int, unnest(:ids::int[])`,
);

/** Those of the groups that exist, locked, so that none of them is deleted until the end of the transaction. */
export async function existingGroups(manager: EntityManager, ids: readonly number[]): Promise<number[]> {
  const rows = await manager.query<{ id: number }[]>(...lockGroups({ ids }));
  return rows.map(({ id }) => id);
}

/** Puts a new account into those of the groups that exist. */
export async function joinExistingGroups(
  manager: EntityManager,
  userId: number,
  ids: readonly number[],
): Promise<void> {
  await manager.query(...addToGroups({ userId, ids: await existingGroups(manager, ids) }));
}

const syncProvided = statement<{ userId: number; providerId: number; names: readonly string[] }>(`
  with wanted as (select id, name from member_group where external_name = any(:names::text[])),
  added as (
    insert into group_member (user_id, group_id, provider_id) select :userId::int, id, :providerId::int from wanted
    on conflict do nothing returning group_id
  ),
  removed as (
    delete from group_member where user_id = :userId and provider_id = :providerId
    and group_id not in (select id from wanted) returning group_id
  )
  select g.name, g.id in (select group_id from added) as "isNew" from member_group g
  where g.id in (select group_id from added union all select group_id from removed) order by g.id`);

/**
 * Puts an account into the groups that a provider names, and takes it out of those that this provider put it into before.
 * What admins did by hand stays.
 * @param names as the provider knows the groups
 * @returns the names of the groups that changed
 */
export async function syncProvidedGroups(
  manager: EntityManager,
  account: { userId: number; providerId: number },
  names: readonly string[],
): Promise<{ added: string[]; removed: string[] }> {
  const rows = await manager.query<{ name: string; isNew: boolean }[]>(...syncProvided({ ...account, names }));
  return {
    added: rows.filter(({ isNew }) => isNew).map(({ name }) => name),
    removed: rows.filter(({ isNew }) => !isNew).map(({ name }) => name),
  };
}

/** Takes all accounts out of the groups that a provider put them into. */
export async function endProvidedGroups(manager: EntityManager, providerId: number): Promise<void> {
  await manager.delete(GroupMemberEntity, { providerId });
}

/** Expression of type boolean: whether a provider put the account into a group. */
export const hasProvidedGroup = (userId: string): string =>
  `exists (select from group_member where user_id = ${userId} and provider_id is not null)`;
