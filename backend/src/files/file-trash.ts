import type { EntityManager } from 'typeorm';
import { type Owner, trashOf } from '../identity/identity.js';

/** Hides the files that only threads of the trash use: reads look a file up by its owner. */
export async function trashFiles(manager: EntityManager, owner: Owner, trashedIds: readonly number[]): Promise<void> {
  await manager.query(
    `update file set owner = $2
     where owner = $1 and thread_id = any($3::bigint[]) and also_in <@ $3::bigint[]`,
    [owner, trashOf(owner), trashedIds],
  );
}

/** Returns the hidden files that restored threads use to their owner. */
export async function restoreFiles(manager: EntityManager, owner: Owner, threadIds: readonly number[]): Promise<void> {
  await manager.query(
    `update file set owner = $1
     where owner = $2 and (thread_id = any($3::bigint[]) or also_in && $3::bigint[])`,
    [owner, trashOf(owner), threadIds],
  );
}

/** Moves all files of an owner or of a trash to another one. */
export async function moveFiles(
  manager: EntityManager,
  from: string,
  to: string,
  userId: number | null,
): Promise<void> {
  await manager.query('update file set owner = $2, user_id = $3::int where owner = $1', [from, to, userId]);
}
