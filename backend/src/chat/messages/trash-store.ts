import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { statement } from '../../platform/database/named-parameters.js';
import { type Owner, ownerUserId, trashOf } from '../../identity/identity.js';

const moveToTrash = statement<{ ids: readonly number[]; trash: string; seconds: number }>(`update thread
    set owner = :trash, user_id = null, expires_at = now() + make_interval(secs => :seconds)
  where id = any(:ids::bigint[]) returning expires_at`);

const restoreThreads = statement<{ ids: readonly number[]; owner: Owner; userId: number | null }>(`
  update thread set owner = :owner, user_id = :userId::int, expires_at = updated_at + make_interval(secs => lifetime)
  where id = any(:ids::bigint[])`);

/**
 * Threads in the trash. Such a thread has the owner `trashOf(owner)`, no user and an expiry, so that no read by owner or
 * user finds it, and the sweep of expired threads deletes it.
 */
@Injectable()
export class TrashStore {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Those of the threads that belong to the owner and have not expired. */
  async ownAmong(owner: Owner, ids: readonly number[]): Promise<number[]> {
    const rows = await this.dataSource.query<{ id: number }[]>(
      `select id from thread
       where id = any($1::bigint[]) and owner = $2 and (expires_at is null or expires_at > now())`,
      [ids, owner],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks those of the threads that belong to the owner, in the order of their ids. */
  async lock(manager: EntityManager, owner: Owner, ids: readonly number[]): Promise<number[]> {
    return this.lockedBy(manager, 'owner = $2', [ids, owner]);
  }

  /** Locks those of the threads that the owner can still restore, in the order of their ids. */
  async lockRestorable(manager: EntityManager, owner: Owner, ids: readonly number[]): Promise<number[]> {
    return this.lockedBy(manager, 'owner = $2 and expires_at > now()', [ids, trashOf(owner)]);
  }

  /** Locks those of the threads that are in the owner's trash, in the order of their ids. */
  async lockTrashed(manager: EntityManager, owner: Owner, ids: readonly number[]): Promise<number[]> {
    return this.lockedBy(manager, 'owner = $2', [ids, trashOf(owner)]);
  }

  /** Locks all threads of an owner, those of the trash included, in the order of their ids. */
  async lockAll(manager: EntityManager, owner: Owner): Promise<void> {
    await manager.query('select 1 from thread where owner = any($1) order by id for update', [[owner, trashOf(owner)]]);
  }

  /** Moves locked threads to the trash. @returns until when they can be restored; null without threads */
  async trash(manager: EntityManager, owner: Owner, ids: readonly number[], lifetimeMs: number): Promise<Date | null> {
    const [rows] = await manager.query<[{ expires_at: Date }[], number]>(
      ...moveToTrash({ ids, trash: trashOf(owner), seconds: lifetimeMs / 1000 }),
    );
    return rows[0]?.expires_at ?? null;
  }

  /** Returns locked threads of the trash to their owner. */
  async restore(manager: EntityManager, owner: Owner, ids: readonly number[]): Promise<void> {
    const userId = ownerUserId(owner);
    await manager.query(...restoreThreads({ ids, owner, userId }));
  }

  /** Moves a guest's trash to an account; the threads stay restorable as long as before. @returns their ids */
  async migrateGuest(manager: EntityManager, guest: Owner, account: Owner): Promise<number[]> {
    const [rows] = await manager.query<[{ id: number }[], number]>(
      'update thread set owner = $2, lifetime = null where owner = $1 and not is_temporary returning id',
      [trashOf(guest), trashOf(account)],
    );
    const ids = rows.map(({ id }) => id);
    const move = 'update message set user_id = $2::int where thread_id = any($1::bigint[])';
    if (ids.length > 0) await manager.query(move, [ids, ownerUserId(account)]);
    return ids;
  }

  async idsOf(manager: EntityManager, owner: Owner): Promise<number[]> {
    const rows = await manager.query<{ id: number }[]>('select id from thread where owner = $1', [trashOf(owner)]);
    return rows.map(({ id }) => id);
  }

  private async lockedBy(manager: EntityManager, condition: string, parameters: unknown[]): Promise<number[]> {
    const rows = await manager.query<{ id: number }[]>(
      `select id from thread where id = any($1::bigint[]) and ${condition} order by id for update`,
      parameters,
    );
    return rows.map(({ id }) => id);
  }
}
