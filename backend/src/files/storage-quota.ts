import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import { type Owner, ownerUserId } from '../identity/identity.js';
import { FileEntity } from './file.entity.js';

const MEGABYTE = 1024 * 1024;

/** Storage quota of one owner, bytes. */
const STORAGE_QUOTA = { user: 500 * MEGABYTE, guest: 50 * MEGABYTE };

/** Bounds the size of all files of an owner, those of snapshots included. */
@Injectable()
export class StorageQuota {
  constructor(@InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>) {}

  /** @throws AppError `too_large` when the owner has no room for this number of bytes */
  async ensureRoom(owner: Owner, size: number): Promise<void> {
    const [{ used }] = await this.rows.query<[{ used: number }]>(
      'select coalesce(sum(size), 0)::bigint as used from file where owner = $1',
      [owner],
    );
    const quota = ownerUserId(owner) === null ? STORAGE_QUOTA.guest : STORAGE_QUOTA.user;
    if (used + size <= quota) return;
    const message = `Your files fill the ${quota / MEGABYTE} MB that you may keep. Delete a conversation with files first.`;
    throw new AppError('too_large', { message, params: { reason: 'storage', max: quota / MEGABYTE } });
  }
}
