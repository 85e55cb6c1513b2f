// Printed whole: backend/test/release/__snapshots__/statements.test.ts.snap
import type { QuotaPeriod } from '@tanya/contract';
import type { Owner } from '../identity/identity.js';
import { statement } from '../platform/database/named-parameters.js';
import { addToMessageCount } from '../users/user-sql.js';
import { periodKey } from './quota-sql.js';

/**
 * Adds a guest's charges to an account and moves the holds. A charge of the guest that bears a user id was migrated before.
 */
export const moveToAccount = statement<{ guest: Owner; account: Owner; userId: number }>(`with carried as (
  update usage_record set user_id = :userId::int where owner = :guest and state = 'charged' and user_id is null returning period, cost
), running as (
  update usage_record set owner = :account, user_id = :userId::int where owner = :guest and state = 'held' returning period, cost
), sums as (
  select period, sum(charged)::int as charged, sum(held)::int as held from (
    select period, cost as charged, 0 as held from carried union all select period, 0, cost from running
  ) moved group by period
), noted as (
  insert into usage_record (owner, user_id, period, cost, state, reason, settled_at)
  select :account, :userId::int, period, charged, 'charged', 'carried', now() from sums where charged > 0
), counted as (
  ${addToMessageCount(':userId::int', 'coalesce((select sum(charged) from sums), 0)::int')}
), released as (
  update quota_account a set held = a.held - sums.held, version = a.version + 1 from sums
  where a.owner = :guest and a.period = sums.period and sums.held > 0
)
insert into quota_account as a (owner, period, user_id, charged, held, version)
select :account, period, :userId::int, charged, held, 1 from sums
on conflict (owner, period) do update
  set charged = a.charged + excluded.charged, held = a.held + excluded.held, version = a.version + 1`);

/**
 * Sets the charges of an account in the current period to 0. A usage record of the negative amount keeps the sum of the
 * records equal to the account. No row without charges.
 */
export const resetUsage = statement<{ owner: Owner; userId: number; quotaPeriod: QuotaPeriod }>(`with spent as (
  select period, charged from quota_account where owner = :owner and period = ${periodKey(':quotaPeriod::text')} and charged > 0 for update
), noted as (
  insert into usage_record (owner, user_id, period, cost, state, reason, settled_at)
  select :owner, :userId::int, period, -charged, 'charged', 'reset', now() from spent
), emptied as (
  update quota_account a set charged = 0, version = a.version + 1 from spent where a.owner = :owner and a.period = spent.period
  returning a.owner, a.period, a.charged, a.held, a.version, spent.charged as spent
)
select * from emptied`);
