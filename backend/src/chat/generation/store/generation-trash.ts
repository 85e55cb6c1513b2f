import type { EntityManager } from 'typeorm';
import { type Owner, ownerUserId, trashOf } from '../../../identity/identity.js';

export const trashPattern = 'deleted:%';

/**
 * Hides the generations of deleted threads: `generation:resume` and `generation:stop` look them up by owner. Each thread
 * has a trash of its own, because idempotency keys are unique within an owner.
 */
export async function trashGenerations(
  manager: EntityManager,
  owner: Owner,
  threadIds: readonly number[],
): Promise<void> {
  await manager.query(`update generation set owner = $2 || ':' || thread_id where thread_id = any($1::bigint[])`, [
    threadIds,
    trashOf(owner),
  ]);
}

export async function migrateTrashedGenerations(
  manager: EntityManager,
  account: Owner,
  threadIds: readonly number[],
): Promise<void> {
  await manager.query('update generation set user_id = $2::int where thread_id = any($1::bigint[])', [
    threadIds,
    ownerUserId(account),
  ]);
  await trashGenerations(manager, account, threadIds);
}

/** Returns the generations of a thread to their owner. A key that was used again meanwhile stays with the later use. */
export async function restoreGenerations(manager: EntityManager, owner: Owner, threadId: number): Promise<void> {
  await manager.query(
    `update generation g set owner = $2, client_message_id = case
       when exists (select 1 from generation o where o.owner = $2 and o.client_message_id = g.client_message_id)
       then 'restored:' || g.id else g.client_message_id end
     where g.thread_id = $1 and g.owner <> $2`,
    [threadId, owner],
  );
}
