import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { ownerUserId } from '../identity/identity.js';
import { LOCK_ROLLUP } from './usage/rollup-sql.js';

/** Usage records of one transaction. It locks the rollup. */
const BATCH = 2_000;

interface LinkedRecord {
  id: number;
  owner: string;
  api_key_id: number | null;
}

/**
 * Makes the settled usage records of an account anonymous before its deletion. The deletion of the account's row does the
 * same with the records that are left, those with a hold, in one statement.
 */
@Injectable()
export class UsageUnlinking {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onDelete(async (owner) => {
      const userId = ownerUserId(owner);
      while (userId !== null && (await this.unlinkBatch(userId)) === BATCH);
    });
  }

  /** Under the lock of the rollup, sums and records change together, as in the trigger `user_usage_anonymized`. */
  private unlinkBatch(userId: number): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(LOCK_ROLLUP);
      const records = await manager.query<LinkedRecord[]>(
        `select id, owner, api_key_id from usage_record where user_id = $1 and state <> 'held' limit $2::int`,
        [userId, BATCH],
      );
      const keys = new Set(records.flatMap(({ api_key_id }) => (api_key_id === null ? [] : [String(api_key_id)])));
      const owners = new Set(records.map(({ owner }) => owner));
      await manager.query(`delete from usage_rollup where grain = 'key' and api_key_id = any($1::text[])`, [[...keys]]);
      await manager.query('select anonymize_usage_rollup(owner) from unnest($1::text[]) owner', [[...owners]]);
      await manager.query('update usage_record set user_id = null where id = any($1::bigint[])', [
        records.map(({ id }) => id),
      ]);
      return records.length;
    });
  }
}
