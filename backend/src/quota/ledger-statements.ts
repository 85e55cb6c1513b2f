import { addToMessageCount, isPremium } from '../users/user-sql.js';

/** The period by the database's clock, so that nodes with skewed clocks agree. */
const periodKey = (quotaPeriod: string) =>
  `case ${quotaPeriod} when 'daily' then to_char(now() at time zone 'utc', 'YYYY-MM-DD')
    when 'monthly' then to_char(now() at time zone 'utc', 'YYYY-MM') else 'ever' end`;

/**
 * Adds a hold to the account while the account stays within its limit, and writes the usage record. No row means that
 * the limit is reached.
 * $1 owner, $2 user, $3 generation, $4 model, $5 cost, $6 limit (-1: unlimited), $7 quota period.
 */
export const HOLD = `
with account as (
  insert into quota_account as a (owner, period, user_id, held, version)
  select $1, ${periodKey('$7::text')}, $2::int, $5::int, 1 where $6::int = -1 or $5::int <= $6::int
  on conflict (owner, period) do update set held = a.held + excluded.held, version = a.version + 1
    where $6::int = -1 or a.charged + a.held + excluded.held <= $6::int
  returning owner, period, charged, held, version
), record as (
  insert into usage_record (owner, user_id, generation_id, period, model_id, cost, state)
  select $1, $2::int, $3::uuid, period, $4, $5::int, 'held' from account
)
select * from account`;

/**
 * Charges or releases a hold. The state of the usage record guards the statement, so a second settlement changes nothing.
 * $1 generation, $2 owner, $3 period, $4 cost, $5 'charged' or 'released', $6 reason, $7 and $8 tokens.
 */
export const SETTLE = `
with record as (
  update usage_record set state = $5, reason = $6, prompt_tokens = $7, completion_tokens = $8, settled_at = now()
  where generation_id = $1 and state = 'held'
  returning user_id
), counted as (
  ${addToMessageCount(`(select user_id from record where $5 = 'charged')`, '$4::int')}
)
update quota_account set
  held = held - $4::int,
  charged = charged + case when $5 = 'charged' then $4::int else 0 end,
  version = version + 1
from record
where owner = $2 and period = $3
returning owner, period, charged, held, version, ${isPremium('record.user_id')} as is_premium`;

/**
 * Adds a guest's charges and holds to an account. A charge of the guest that bears a user id was migrated before.
 * $1 guest, $2 account, $3 user.
 */
export const MIGRATE_GUEST = `
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
  ${addToMessageCount('$3::int', 'coalesce((select sum(charged) from sums), 0)::int')}
)
insert into quota_account as a (owner, period, user_id, charged, held, version)
select $2, period, $3::int, charged, held, 1 from sums
on conflict (owner, period) do update
  set charged = a.charged + excluded.charged, held = a.held + excluded.held, version = a.version + 1`;
