import type { EntityManager } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { type Owner, trashOf } from '../identity/identity.js';

const hideFiles = statement<{ owner: Owner; trash: string; trashedIds: readonly number[] }>(`
  update file set owner = :trash
  where owner = :owner and thread_id = any(:trashedIds::bigint[]) and also_in <@ :trashedIds::bigint[]`);

const showFiles = statement<{ owner: Owner; trash: string; threadIds: readonly number[] }>(`
  update file set owner = :owner
  where owner = :trash and (thread_id = any(:threadIds::bigint[]) or also_in && :threadIds::bigint[])`);

const changeOwner = statement<{ from: string; to: string; userId: number | null; left: readonly number[] }>(
  `update file set owner = :to, user_id = :userId::int where owner = :from
    and not coalesce(thread_id = any(:left::bigint[]) and also_in <@ :left::bigint[], false)`,
);

/** Hides the files that only threads of the trash use: reads look a file up by its owner. */
export async function trashFiles(manager: EntityManager, owner: Owner, trashedIds: readonly number[]): Promise<void> {
  await manager.query(...hideFiles({ owner, trash: trashOf(owner), trashedIds }));
}

/** Returns the hidden files that restored threads use to their owner. */
export async function restoreFiles(manager: EntityManager, owner: Owner, threadIds: readonly number[]): Promise<void> {
  await manager.query(...showFiles({ owner, trash: trashOf(owner), threadIds }));
}

/** Moves the files of an owner or of a trash to another one, except those that only the threads of `left` use. */
export async function moveFiles(
  manager: EntityManager,
  from: string,
  to: string,
  userId: number | null,
  left: readonly number[] = [],
): Promise<void> {
  await manager.query(...changeOwner({ from, to, userId, left }));
}
