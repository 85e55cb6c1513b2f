import type { QuotaCounters } from '../../src/quota/quota-counters.js';
import { QUOTA_COUNTERS } from '../../src/quota/quota-counters.js';
import type { Owner } from '../../src/identity/identity.js';
import type { TestApp } from './test-app.js';
import { eventually } from './wait-until.js';

interface Account {
  owner: Owner;
  period: string;
  charged: number;
  held: number;
}

const RUNNING = `
select id::text, 'generation' as kind from generation where status = 'streaming'
union all select id::text, 'message' from message where status = 'streaming'`;

/** Accounts whose charges differ from the sum of their ledger, and holds that were never settled. Deleted accounts have none. */
const UNBALANCED = `
with ledger as (
  select owner, period, sum(cost) filter (where state = 'charged') as charged, count(*) filter (where state = 'held') as open
  from usage_record where owner <> 'anonymous' group by owner, period
)
select coalesce(a.owner, l.owner) as owner, a.charged, a.held, l.charged as ledger, l.open
from quota_account a full join ledger l on l.owner = a.owner and l.period = a.period
where coalesce(a.held, 0) <> 0 or coalesce(l.open, 0) <> 0 or coalesce(a.charged, 0) <> coalesce(l.charged, 0)`;

const MISCOUNTED = `
select u.username, u.message_count, l.charged from "user" u
left join (select user_id, sum(cost) as charged from usage_record where state = 'charged' and reason <> 'reset' and owner = 'user:' || user_id group by user_id) l
  on l.user_id = u.id
where u.message_count <> coalesce(l.charged, 0)`;

/** Answers whose status differs from their generation's, or that have no generation. */
const INCONSISTENT = `
select m.id, m.status, g.status as generation from message m left join generation g on g.id = m.generation_id
where not m.is_user_message and m.status is distinct from g.status`;

/** Settled records of this version without a cost and its source. */
const UNMETERED = `
select generation_id, state, reason from usage_record
where state <> 'held' and plan is not null and (cost_source is null or (cost_usd is null) <> (cost_source = 'unknown'))`;

/**
 * Budgets whose charges or holds differ from the usage records that name them, and holds while nothing runs. An unknown
 * cost counts as the hold; a failure is free for users and keys. Budgets of deleted accounts and keys have no row.
 */
export const UNBALANCED_BUDGETS = `
with moved as (
  select 'user:' || user_id as scope, user_budget_period as period, state,
    case when state = 'charged' then coalesce(cost_usd, held_usd) else 0 end as charge, held_usd
  from usage_record where user_budget_period is not null
  union all
  select 'key:' || api_key_id, key_budget_period, state,
    case when state = 'charged' then coalesce(cost_usd, held_usd) else 0 end, held_usd
  from usage_record where key_budget_period is not null
  union all
  select 'installation', installation_budget_period, state, coalesce(cost_usd, held_usd), held_usd
  from usage_record where installation_budget_period is not null
), ledger as (
  select scope, period, sum(charge) filter (where state <> 'held') as charged,
    sum(held_usd) filter (where state = 'held') as held
  from moved group by scope, period
), account as (
  select scope, period, sum(charged - carried) as charged, sum(held) as held from budget_account group by scope, period
)
select a.scope, a.period, a.charged::text, a.held::text, l.charged::text as ledger, l.held::text as open
from account a left join ledger l on l.scope = a.scope and l.period = a.period
where a.charged <> coalesce(l.charged, 0) or a.held <> coalesce(l.held, 0) or a.held <> 0`;

const CHECKS = {
  'generations and messages that still stream': RUNNING,
  'accounts that differ from the ledger': UNBALANCED,
  'users whose message_count differs from the ledger': MISCOUNTED,
  'answers that differ from their generation': INCONSISTENT,
  'settled records without a cost': UNMETERED,
  'budgets that differ from the ledger': UNBALANCED_BUDGETS,
  'checkpointed text of finished generations': 'select generation_id from generation_chunk',
};

/**
 * Waits until the invariants I3 and I5 hold: no generation runs, no hold is open, every charge has its ledger row, the
 * counters equal Postgres, and no checkpointed text remains. A request whose caller disconnected may still be on its
 * way to admission, so a failed check is repeated.
 */
export function expectBalancedLedger({ app, dataSource }: TestApp): Promise<void> {
  const counters = app.get<QuotaCounters>(QUOTA_COUNTERS);
  return eventually(async () => {
    for (const [rows, sql] of Object.entries(CHECKS))
      expect({ [rows]: await dataSource.query(sql) }).toEqual({ [rows]: [] });
    for (const { owner, period, charged, held } of await dataSource.query<Account[]>('select * from quota_account')) {
      const used = charged + held;
      expect({ owner, counted: (await counters.read(owner, period)) ?? used }).toEqual({ owner, counted: used });
    }
  });
}
