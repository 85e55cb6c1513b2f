import type { QuotaPeriod } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import type { Owner } from '../identity/identity.js';
import { HOLD, MIGRATE_GUEST, SETTLE } from './ledger-statements.js';

/** A row of `quota_account`. */
export interface QuotaAccount {
  owner: Owner;
  period: string;
  charged: number;
  held: number;
  version: number;
}

export interface Hold {
  owner: Owner;
  userId: number | null;
  generationId: string;
  modelId: string;
  /** Messages. */
  cost: number;
  /** Messages; -1 is unlimited. */
  max: number;
  quotaPeriod: QuotaPeriod;
}

export interface Settlement {
  owner: Owner;
  generationId: string;
  period: string;
  /** Messages, as in the hold. */
  cost: number;
  outcome: 'charged' | 'released';
  /** The generation's terminal status. */
  reason: string;
  promptTokens: number | null;
  completionTokens: number | null;
}

/**
 * Quota accounts and usage records. Every change of a quota is here, and runs in the transaction of the messages that it
 * pays for.
 */
@Injectable()
export class QuotaLedger {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Holds the cost of one generation. The account's row stays locked until the transaction ends, which serializes the
   * admissions of an owner.
   * @returns null when the limit does not allow it
   */
  async hold(manager: EntityManager, hold: Hold): Promise<QuotaAccount | null> {
    const { owner, userId, generationId, modelId, cost, max, quotaPeriod } = hold;
    const parameters = [owner, userId, generationId, modelId, cost, max, quotaPeriod];
    const rows = await manager.query<QuotaAccount[]>(HOLD, parameters);
    return rows[0] ?? null;
  }

  /**
   * Charges or releases a hold.
   * @returns null when the hold was settled before
   */
  async settle(
    manager: EntityManager,
    settlement: Settlement,
  ): Promise<{ account: QuotaAccount; isPremium: boolean } | null> {
    const { owner, generationId, period, cost, outcome, reason, promptTokens, completionTokens } = settlement;
    const parameters = [generationId, owner, period, cost, outcome, reason, promptTokens, completionTokens];
    const [rows] = await manager.query<[(QuotaAccount & { is_premium: boolean })[], number]>(SETTLE, parameters);
    if (rows[0] === undefined) return null;
    const { is_premium: isPremium, ...account } = rows[0];
    return { account, isPremium };
  }

  /** The account of one period; without a row, an empty account of version 0. */
  async account(owner: Owner, period: string): Promise<QuotaAccount> {
    const rows = await this.dataSource.query<QuotaAccount[]>(
      'select owner, period, charged, held, version from quota_account where owner = $1 and period = $2',
      [owner, period],
    );
    return rows[0] ?? { owner, period, charged: 0, held: 0, version: 0 };
  }

  /** Messages charged in all periods together. */
  async chargedInAllPeriods(owner: Owner): Promise<number> {
    const [row] = await this.dataSource.query<[{ charged: number }]>(
      'select coalesce(sum(charged), 0)::int as charged from quota_account where owner = $1',
      [owner],
    );
    return row.charged;
  }

  /** Locks the accounts of these owners, in the order of their keys. */
  async lockAccounts(manager: EntityManager, owners: Owner[]): Promise<void> {
    await manager.query('select 1 from quota_account where owner = any($1) order by owner for update', [owners]);
  }

  /**
   * Counts a guest's charges for the account as well; the guest's own charges stay. Holds move to the account, which then
   * settles them. A repeated migration changes nothing.
   */
  async migrateGuest(manager: EntityManager, guest: Owner, account: Owner, userId: number): Promise<void> {
    await manager.query(MIGRATE_GUEST, [guest, account, userId]);
    await manager.query('update quota_account set held = 0, version = version + 1 where owner = $1', [guest]);
  }
}
