import type { QuotaPeriod } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import type { Owner } from '../platform/session/identity.js';

/** A row of `quota_account`. */
export interface QuotaAccount {
  owner: Owner;
  period: string;
  charged: number;
  held: number;
  version: number;
}

export interface Reservation {
  owner: Owner;
  userId: number | null;
  generationId: string;
  modelId: string;
  cost: number;
  /** -1 is unlimited. */
  max: number;
  quotaPeriod: QuotaPeriod;
}

export interface Settlement {
  owner: Owner;
  generationId: string;
  period: string;
  cost: number;
  outcome: 'charged' | 'released';
  /** The terminal status it is settled for. */
  reason: string;
  promptTokens: number | null;
  completionTokens: number | null;
}

/** The period by the database's clock, so that nodes with skewed clocks agree. $N is the parameter with the setting. */
const periodSql = (parameter: string) =>
  `case ${parameter} when 'daily' then to_char(now() at time zone 'utc', 'YYYY-MM-DD')
    when 'monthly' then to_char(now() at time zone 'utc', 'YYYY-MM') else 'ever' end`;

/** Moves the account only while it stays within its limit; the ledger's row says why. One statement. */
const HOLD = `
with account as (
  insert into quota_account as a (owner, period, user_id, held, version)
  select $1, ${periodSql('$7::text')}, $2::int, $5::int, 1 where $6::int = -1 or $5::int <= $6::int
  on conflict (owner, period) do update set held = a.held + excluded.held, version = a.version + 1
    where $6::int = -1 or a.charged + a.held + excluded.held <= $6::int
  returning owner, period, charged, held, version
), record as (
  insert into usage_record (owner, user_id, generation_id, period, model_id, cost, state)
  select $1, $2::int, $3::uuid, period, $4, $5::int, 'held' from account
)
select * from account`;

/** Settles a held row once: the ledger's state is the guard, so a second settlement moves nothing. */
const SETTLE = `
with record as (
  update usage_record set state = $5, reason = $6, prompt_tokens = $7, completion_tokens = $8, settled_at = now()
  where generation_id = $1 and state = 'held'
  returning user_id
), counted as (
  update "user" set message_count = message_count + $4::int
  from record where "user".id = record.user_id and $5 = 'charged'
)
update quota_account set
  held = held - $4::int,
  charged = charged + case when $5 = 'charged' then $4::int else 0 end,
  version = version + 1
from record
where owner = $2 and period = $3
returning owner, period, charged, held, version,
  coalesce((select is_premium from "user" where id = record.user_id), false) as is_premium`;

/** $1 guest, $2 account, $3 user. A guest's charges that bear a user's id have been carried before. */
const ADOPT = `
with carried as (
  update usage_record set user_id = $3::int where owner = $1 and state = 'charged' and user_id is null returning period, cost
), running as (
  update usage_record set owner = $2, user_id = $3::int where owner = $1 and state = 'held' returning period, cost
), sums as (
  select period, sum(charged)::int as charged, sum(held)::int as held from (
    select period, cost as charged, 0 as held from carried union all select period, 0, cost from running
  ) moved group by period
), noted as (
  insert into usage_record (owner, user_id, period, cost, state, reason, settled_at)
  select $2, $3::int, period, charged, 'charged', 'carried', now() from sums where charged > 0
), counted as (
  update "user" set message_count = message_count + coalesce((select sum(charged) from sums), 0)::int where id = $3::int
)
insert into quota_account as a (owner, period, user_id, charged, held, version)
select $2, period, $3::int, charged, held, 1 from sums
on conflict (owner, period) do update
  set charged = a.charged + excluded.charged, held = a.held + excluded.held, version = a.version + 1`;

/**
 * What was spent and why, in the same transactions as the messages it paid for. Everything that moves a quota is here.
 */
@Injectable()
export class QuotaLedger {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Holds the cost of one generation. The account's row stays locked until the transaction ends, so an owner's
   * admissions come one after another.
   * @returns null when the limit does not allow it
   */
  async hold(manager: EntityManager, reservation: Reservation): Promise<QuotaAccount | null> {
    const { owner, userId, generationId, modelId, cost, max, quotaPeriod } = reservation;
    const rows = await manager.query<QuotaAccount[]>(HOLD, [
      owner,
      userId,
      generationId,
      modelId,
      cost,
      max,
      quotaPeriod,
    ]);
    return rows[0] ?? null;
  }

  /** Charges or releases what `hold` took. @returns null when it had been settled before */
  async settle(
    manager: EntityManager,
    settlement: Settlement,
  ): Promise<{ account: QuotaAccount; isPremium: boolean } | null> {
    const { owner, generationId, period, cost, outcome, reason, promptTokens, completionTokens } = settlement;
    const [rows] = await manager.query<[(QuotaAccount & { is_premium: boolean })[], number]>(SETTLE, [
      generationId,
      owner,
      period,
      cost,
      outcome,
      reason,
      promptTokens,
      completionTokens,
    ]);
    if (rows[0] === undefined) return null;
    const { is_premium: isPremium, ...account } = rows[0];
    return { account, isPremium };
  }

  async isPremium(userId: number): Promise<boolean> {
    const rows = await this.dataSource.query<{ is_premium: boolean }[]>('select is_premium from "user" where id = $1', [
      userId,
    ]);
    return rows[0]?.is_premium ?? false;
  }

  async account(owner: Owner, period: string): Promise<QuotaAccount> {
    const rows = await this.dataSource.query<QuotaAccount[]>(
      'select owner, period, charged, held, version from quota_account where owner = $1 and period = $2',
      [owner, period],
    );
    return rows[0] ?? { owner, period, charged: 0, held: 0, version: 0 };
  }

  /** Locks the accounts of these owners, in the order of their keys. */
  async lockAccounts(manager: EntityManager, owners: Owner[]): Promise<void> {
    await manager.query('select 1 from quota_account where owner = any($1) order by owner for update', [owners]);
  }

  /**
   * Counts a guest's usage for the account that takes it over, and goes on counting it for the guest. What is still
   * running moves altogether: its row is settled for the new owner. Done twice it carries nothing twice.
   */
  async adopt(manager: EntityManager, from: Owner, to: Owner, userId: number): Promise<void> {
    await manager.query(ADOPT, [from, to, userId]);
    await manager.query('update quota_account set held = 0, version = version + 1 where owner = $1', [from]);
  }
}
