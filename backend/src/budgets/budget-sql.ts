import type { BudgetPeriod } from '@tanya/contract';
import { statement } from '../platform/database/named-parameters.js';
import { refusalOf } from '../platform/database/statements.js';

/*
 * SQL fragments of budgets, for the statement that admits a generation. Its end needs none: a trigger of `usage_record`
 * settles the budgets together with the record.
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

/** Reasons with which `HOLD_BUDGETS` refuses, by the budget that is spent. */
export const BUDGET_REFUSALS = {
  budget_user: 'user',
  budget_key: 'key',
  budget_installation: 'installation',
} as const;

/** The budget that an error of a statement reports as spent, null for any other error. */
export function spentBudget(error: unknown): (typeof BUDGET_REFUSALS)[keyof typeof BUDGET_REFUSALS] | null {
  const refusal = refusalOf(error);
  return refusal !== null && refusal in BUDGET_REFUSALS
    ? BUDGET_REFUSALS[refusal as keyof typeof BUDGET_REFUSALS]
    : null;
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
