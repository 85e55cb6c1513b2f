import type { AccessRule } from '@tanya/contract';
import { type EntityManager, In } from 'typeorm';
import { refuseField } from '../platform/errors/app-error.js';
import { MemberGroupEntity } from './member-group.entity.js';

/** The access to something new. */
export const OPEN: AccessRule = { access: 'everyone', groupIds: [] };

/**
 * The access after a change, with the groups in order. Groups are kept for `groups` alone. One that is deleted at the same
 * moment may stay in a rule: it has no members, and no other group gets its id.
 * @throws AppError `invalid` for an unknown group
 */
export async function changedRule(
  manager: EntityManager,
  before: AccessRule,
  change: Partial<AccessRule>,
): Promise<AccessRule> {
  const { access = before.access, groupIds = before.groupIds } = change;
  const ids = [...new Set(groupIds)].toSorted((a, b) => a - b);
  if (change.groupIds !== undefined && ids.length > 0) {
    if ((await manager.countBy(MemberGroupEntity, { id: In(ids) })) !== ids.length)
      throw refuseField('groupIds', 'group');
  }
  return { access, groupIds: access === 'groups' ? ids : [] };
}
