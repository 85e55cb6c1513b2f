import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { filesTooLarge } from '../platform/errors/error-body.js';
import { type Owner, ownerUserId } from '../identity/identity.js';
import { FileEntity } from './file.entity.js';

const MEGABYTE = 1024 * 1024;

/** Storage quota of one owner, bytes. */
const STORAGE_QUOTA = { user: 500 * MEGABYTE, guest: 50 * MEGABYTE };

/** $1 owner. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('storage:' || $1, 0))`;

/** Bounds the size of all files of an owner, those of snapshots included. */
@Injectable()
export class FileQuota {
  constructor(@InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>) {}

  /**
   * Refuses files early, before their contents are read and stored. Concurrent files may pass together; `claimRoom` decides.
   * @throws AppError `too_large` when the owner has no room for this number of bytes
   */
  ensureRoom(owner: Owner, size: number): Promise<void> {
    return this.check(this.rows.manager, owner, size);
  }

  /**
   * Checks the quota in the transaction that inserts the rows. Until its end, other insertions of the owner wait.
   * @throws AppError `too_large`
   */
  async claimRoom(manager: EntityManager, owner: Owner, size: number): Promise<void> {
    // A statement of its own: the sum must see what was committed before the lock.
    await manager.query(LOCK, [owner]);
    await this.check(manager, owner, size);
  }

  private async check(manager: EntityManager, owner: Owner, size: number): Promise<void> {
    const [{ used }] = await manager.query<[{ used: number }]>(
      'select coalesce(sum(size + picture_bytes), 0)::bigint as used from file where owner = $1',
      [owner],
    );
    const quota = ownerUserId(owner) === null ? STORAGE_QUOTA.guest : STORAGE_QUOTA.user;
    if (used + size <= quota) return;
    throw filesTooLarge('storage', quota);
  }
}
