import type { QuotaPeriod } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { type Owner, ownerUserId } from '../identity/identity.js';
import { accountExists } from '../users/user-sql.js';
import { periodKey } from './quota-sql.js';
import { moveToAccount } from './ledger.sql.js';

export interface QuotaAccount {
  owner: Owner;
  period: string;
  charged: number;
  held: number;
  version: number;
}

const openAccounts = statement<{ owners: Owner[]; userIds: (number | null)[]; quotaPeriod: QuotaPeriod }>(`
  insert into quota_account (owner, period, user_id)
  select owner, ${periodKey(':quotaPeriod::text')}, user_id
  from unnest(:owners::text[], :userIds::int[]) as missing (owner, user_id)
  where user_id is null or ${accountExists('missing.user_id')}
  order by owner on conflict do nothing`);

/**
 * Quota accounts and usage records. The statements that admit and end a generation compose the holds and settlements of
 * `quota-sql.ts`, so that a quota changes together with the messages that it pays for.
 */
@Injectable()
export class QuotaLedger {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The account of one period; without a row, an empty account of version 0. */
  async account(owner: Owner, period: string): Promise<QuotaAccount> {
    const [row] = await this.accounts([owner], period);
    return row ?? { owner, period, charged: 0, held: 0, version: 0 };
  }

  /** The accounts of one period that have a row. */
  accounts(owners: readonly Owner[], period: string): Promise<QuotaAccount[]> {
    return this.dataSource.query<QuotaAccount[]>(
      'select owner, period, charged, held, version from quota_account where owner = any($1) and period = $2',
      [owners, period],
    );
  }

  /** Messages charged and held in the current period by the database's clock. */
  async usedNow(owner: Owner, quotaPeriod: QuotaPeriod): Promise<number> {
    const [row] = await this.dataSource.query<[{ used: number }]>(
      `select coalesce(sum(charged + held), 0)::int as used from quota_account
       where owner = $1 and period = ${periodKey('$2::text')}`,
      [owner, quotaPeriod],
    );
    return row.used;
  }

  async chargedInAllPeriods(owner: Owner): Promise<number> {
    const [row] = await this.dataSource.query<[{ charged: number }]>(
      'select coalesce(sum(charged), 0)::int as charged from quota_account where owner = $1',
      [owner],
    );
    return row.charged;
  }

  /**
   * Locks the accounts of these owners, in the order of their keys. A missing account of the current period is created, so
   * that the first admission of an owner waits too; the empty row stays, unless the caller migrates a guest. A deleted
   * user has none. As for a deletion, the user's row is locked before the accounts.
   */
  async lockAccounts(manager: EntityManager, owners: Owner[], quotaPeriod: QuotaPeriod): Promise<void> {
    await manager.query(...openAccounts({ owners, userIds: owners.map(ownerUserId), quotaPeriod }));
    await manager.query('select 1 from quota_account where owner = any($1) order by owner for update', [owners]);
  }

  /**
   * Counts a guest's charges for the account as well; the guest's own charges stay. Holds move to the account, which then
   * settles them. A repeated migration changes nothing. The caller has locked the accounts.
   */
  async migrateGuest(manager: EntityManager, guest: Owner, account: Owner, userId: number): Promise<void> {
    await manager.query(...moveToAccount({ guest, account, userId }));
    // The rows that `lockAccounts` has created for owners without messages.
    await manager.query(
      'delete from quota_account where owner in ($1, $2) and version = 0 and charged = 0 and held = 0',
      [guest, account],
    );
  }
}
