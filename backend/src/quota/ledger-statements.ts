import { addToMessageCount } from '../users/user-sql.js';

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
