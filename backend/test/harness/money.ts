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
