import { addToMessageCount } from '../users/user-sql.js';
import { periodKey } from './quota-sql.js';

/**
 * Adds a guest's charges to an account and moves the holds. A charge of the guest that bears a user id was migrated before.
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
), released as (
  update quota_account a set held = a.held - sums.held, version = a.version + 1 from sums
  where a.owner = $1 and a.period = sums.period and sums.held > 0
)
insert into quota_account as a (owner, period, user_id, charged, held, version)
select $2, period, $3::int, charged, held, 1 from sums
on conflict (owner, period) do update
  set charged = a.charged + excluded.charged, held = a.held + excluded.held, version = a.version + 1`;

/**
 * Sets the charges of an account in the current period to 0. A usage record of the negative amount keeps the sum of the
 * records equal to the account. No row without charges. $1 owner, $2 user, $3 quota period.
 */
export const RESET_USAGE = `
with spent as (
  select period, charged from quota_account where owner = $1 and period = ${periodKey('$3::text')} and charged > 0 for update
), noted as (
  insert into usage_record (owner, user_id, period, cost, state, reason, settled_at)
  select $1, $2::int, period, -charged, 'charged', 'reset', now() from spent
), emptied as (
  update quota_account a set charged = 0, version = a.version + 1 from spent where a.owner = $1 and a.period = spent.period
  returning a.owner, a.period, a.charged, a.held, a.version, spent.charged as spent
)
select * from emptied`;
