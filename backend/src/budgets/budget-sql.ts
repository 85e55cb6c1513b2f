import type { BudgetPeriod } from '@tanya/contract';
import { statement } from '../platform/database/named-parameters.js';
import { refusalOf } from '../platform/database/statements.js';

/*
 * SQL fragments of budgets, for the statement that admits a generation. They call the functions of `functions.sql`. Its end
 * needs none: the trigger `usage_record_budget` settles the budgets together with the record.
 */

/** The columns of a usage record that name its budgets, as `HOLD_BUDGETS` returns them. */
export const BUDGET_COLUMNS =
  'held_usd, user_budget_period, key_budget_period, installation_budget_period, budget_slot';

/**
 * Query of one row that holds an amount in the budgets of `:budgetTerms`, or refuses the statement. The terms are JSON:
 * `amount` beside the fields of `BudgetTerms`. The budgets are locked after the CTE `target` has its row.
 */
export const HOLD_BUDGETS = `select (held.hold).* from (
    select hold_budgets(:userId::int, :apiKeyId::int, :budgetTerms::jsonb) as hold
    from target offset 0
  ) held`;

/** Raises the hold of a running generation. $1 generation, $2 terms. */
export const RAISE_HOLD = 'select raise_budget_hold($1::uuid, $2::jsonb) as raised';

/** A budget that does not cover a hold. Amounts are USD as decimal strings. */
export interface BudgetRefusal {
  budget: 'user' | 'key' | 'installation';
  /** What the hold asked for. */
  amount: string;
  /** Neither spent nor held. */
  left: string;
  /** Whether it is spent, rather than held by running answers. */
  isSpent: boolean;
}

/** The refusal that an error of a statement reports, null for any other error. */
export function budgetRefusalOf(error: unknown): BudgetRefusal | null {
  const found = /^budget_(user|key|installation) (\S+) (\S+) ([tf])$/.exec(refusalOf(error) ?? '');
  if (found === null) return null;
  const [, budget, amount, left, isSpent] = found as unknown as [
    string,
    BudgetRefusal['budget'],
    string,
    string,
    string,
  ];
  return { budget, amount, left, isSpent: isSpent === 't' };
}

/**
 * Budgets with their use in the current period. One that is not opened yet has spent what opening it would carry over.
 * The lists have an entry for each budget.
 */
export const readBudgets = statement<{ scopes: string[]; periods: BudgetPeriod[]; limits: string[] }>(`
select w.scope, trim_scale(w.max)::text as "limitUsd", trim_scale(a.spent)::text as "spentUsd",
  trim_scale(a.held)::text as "heldUsd", trim_scale(greatest(w.max - a.spent - a.held, 0))::text as "remainingUsd"
from unnest(:scopes::text[], :periods::text[], :limits::numeric[]) as w (scope, kind, max), lateral (
  select coalesce(sum(b.charged), budget_opening(w.scope, w.kind)) as spent, coalesce(sum(b.held), 0) as held
  from budget_account b where b.scope = w.scope and b.period = budget_period(w.kind, now())
) a`);

/** What the budgets of a kind have spent and hold, in USD. */
export interface BudgetSum {
  budget: 'user' | 'key' | 'installation';
  spent: number;
  held: number;
}

/** Sums of the accounts of current periods by kind of budget. $1 period of the installation's. */
export const BUDGET_SUMS = `
select split_part(scope, ':', 1) as budget, sum(charged)::float8 as spent, sum(held)::float8 as held from budget_account
where period in ('ever', budget_period('daily', now()), budget_period('weekly', now()), budget_period('monthly', now()))
  and (scope <> 'installation' or period = budget_period($1::text, now()) and $1::text is not null)
group by 1`;

/**
 * Opens the budget of a key that replaces another. What running answers of the other one hold counts as spent: they will
 * find no account to settle. $1 the replaced key, $2 the new one.
 */
export const CARRY_KEY_BUDGET = `
insert into budget_account (scope, period, api_key_id, charged, carried)
select 'key:' || $2::int, 'ever', $2::int, spent, spent from (
  select coalesce(sum(charged + held), budget_opening('key:' || $1::int, 'never')) as spent
  from budget_account where scope = 'key:' || $1::int and period = 'ever'
) replaced`;

/** Sets the charges of a user's budget in the current period to 0. Holds stay. $1 scope, $2 period. */
export const OPEN_BUDGET = 'select open_budget($1, $2)';
export const RESET_BUDGET = `
with spent as (
  select charged from budget_account where scope = $1 and period = budget_period($2, now()) and charged <> 0 for update
), emptied as (
  update budget_account set carried = carried - charged, charged = 0, version = version + 1
  where scope = $1 and period = budget_period($2, now()) and charged <> 0
)
select trim_scale(charged)::text as spent from spent`;
