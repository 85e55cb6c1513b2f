import { AsyncLocalStorage } from 'node:async_hooks';
import { type AuditTargetKind, SYSTEM_ACTOR } from '@tanya/contract';
import type { EntityManager } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { auditValues } from './audit-values.js';

/** The admin call that is being handled. */
export interface AdminCall {
  actorId: number;
  /** The key of a call that a program made. */
  key: { id: number; name: string } | null;
  address: string;
}

export interface Change {
  /** Kind of the target and the change, as in `user.update`. */
  action: `${AuditTargetKind}.${string}`;
  target: { id: number; name: string | null };
  /** Fields before and after; null for a new or a deleted target. Only different fields are recorded. */
  before: object | null;
  after: object | null;
}

const calls = new AsyncLocalStorage<AdminCall>();

/**
 * Handles an admin call, so that `recordChange` finds its actor in all that follows from `handle`. A login whose provider
 * changes rights has its person as the actor.
 */
export const handleAdminCall = <T>(call: AdminCall, handle: () => T): T => calls.run(call, handle);

/**
 * Writes the audit entry of a change in the transaction of the change, so that a change that is refused or rolled back
 * leaves none. Outside of an admin call, as when members change their own account, it writes nothing.
 */
export const recordChange = (manager: EntityManager, change: Change): Promise<void> => recordChanges(manager, [change]);

/**
 * The change of a row; null is a row that does not exist before or after.
 * @param audited the fields that are recorded
 * @param name the field with the name of the target
 */
export function changeOfRow<Row extends { id: number } & Record<Name, string>, Name extends string = 'name'>(
  action: Change['action'],
  before: Row | null,
  after: Row | null,
  audited: (row: Row) => object,
  name = 'name' as Name,
): Change {
  const row = (after ?? before)!;
  const target = { id: row.id, name: row[name] };
  return { action, target, before: before && audited(before), after: after && audited(after) };
}

/** As `recordChange`, for several changes of one call. */
export async function recordChanges(manager: EntityManager, changes: readonly Change[]): Promise<void> {
  const call = calls.getStore();
  if (call === undefined) return;
  const entries = changes.flatMap(({ action, target, before, after }) => {
    const values = auditValues(before, after);
    if (values === null) return [];
    const targetKind = action.slice(0, action.indexOf('.')) as AuditTargetKind;
    return [{ action, targetKind, targetId: target.id, targetName: target.name, ...(values as object) }];
  });
  if (entries.length === 0) return;
  const actor = await manager
    .getRepository<{ id: number; username: string }>('UserEntity')
    .findOneByOrFail({ id: call.actorId });
  const { address, key } = call;
  const by = {
    actorId: call.actorId,
    actorName: actor.username,
    actorKeyId: key?.id ?? null,
    actorKeyName: key?.name ?? null,
    address,
  };
  await manager.insert(
    AuditEntryEntity,
    entries.map((entry) => ({ ...by, ...entry })),
  );
}

/** Writes or completes an entry of what the server did by itself. @param id of an entry to complete; null writes one */
export async function recordOfSystem(
  manager: EntityManager,
  { id, action, target, after }: Omit<Change, 'before'> & { id: number | null },
): Promise<number> {
  const values = auditValues(null, after) as object;
  if (id !== null) {
    await manager.update(AuditEntryEntity, { id }, values);
    return id;
  }
  const targetKind = action.slice(0, action.indexOf('.')) as AuditTargetKind;
  const by = { actorId: SYSTEM_ACTOR, actorName: 'system', address: '' };
  const of = { action, targetKind, targetId: target.id, targetName: target.name };
  const { identifiers } = await manager.insert(AuditEntryEntity, { ...by, ...of, before: null, ...values });
  return Number(identifiers[0]!['id']);
}

const eraseFields = statement<{ targetKind: AuditTargetKind; targetId: number; fields: readonly string[] }>(`
  update audit_entry set before = before - :fields::text[], after = after - :fields::text[]
  where target_kind = :targetKind and target_id = :targetId`);

/** Removes fields from the entries of a target, whose personal data must not outlive it. */
export async function eraseValues(
  manager: EntityManager,
  targetKind: AuditTargetKind,
  targetId: number,
  fields: readonly string[],
): Promise<void> {
  await manager.query(...eraseFields({ targetKind, targetId, fields }));
}
