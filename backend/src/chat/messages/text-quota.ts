import { LIMITS } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type Owner, ownerUserId, trashOf } from '../../identity/identity.js';
import { runIn, type RunStatement } from '../../platform/database/statements.js';
import { AppError } from '../../platform/errors/app-error.js';

const MILLION = 1_000_000;

/** $1 owner. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('texts:' || $1, 0))`;

/** Characters of threads that were written as a whole, see `writtenCharacters`. $1 the owner and their trash. */
const OF_THREADS = `select sum(written_characters) from thread where owner = any($1::text[]) and written_characters > 0`;

/**
 * Bounds the texts that an owner can store without paying for each: imported and copied conversations, snapshots, stored
 * responses. Messages that were sent have their own quota and are neither counted nor refused.
 */
@Injectable()
export class TextQuota {
  private readonly sums = [OF_THREADS];

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Counts the texts of another table. @param sum SQL query of one number of characters; $2 is the account, or null */
  add(sum: string): void {
    this.sums.push(sum);
  }

  /**
   * Refuses texts before they are stored. Concurrent ones may pass together.
   * @throws AppError `storage_full` when the owner has no room for this number of characters
   */
  async ensureRoom(owner: Owner, characters: number): Promise<void> {
    await this.check(runIn(this.dataSource.manager), owner, characters);
  }

  /**
   * Checks the quota in the transaction that stores the texts. Until its end, other claims of the owner wait.
   * @throws AppError `storage_full`
   */
  async claimRoom(run: RunStatement, owner: Owner, characters: number): Promise<void> {
    // A statement of its own: the sum must see what was committed before the lock.
    await run(LOCK, [owner]);
    await this.check(run, owner, characters);
  }

  /** The characters that an owner may still store; 0 or less at the bound. */
  roomOf(owner: Owner): Promise<number> {
    return this.room(runIn(this.dataSource.manager), owner);
  }

  private async check(run: RunStatement, owner: Owner, characters: number): Promise<void> {
    if (characters <= (await this.room(run, owner))) return;
    const max = boundOf(owner) / MILLION;
    throw new AppError('storage_full', { reason: 'texts', params: { max } });
  }

  private async room(run: RunStatement, owner: Owner): Promise<number> {
    const used = this.sums.map((sum) => `coalesce((${sum}), 0)`).join(' + ');
    const rows = await run<{ used: number }>(`select (${used})::float8 as used`, [
      [owner, trashOf(owner)],
      ownerUserId(owner),
    ]);
    return boundOf(owner) - rows[0]!.used;
  }
}

const boundOf = (owner: Owner): number =>
  ownerUserId(owner) === null ? LIMITS.storedCharacters.guest : LIMITS.storedCharacters.user;
