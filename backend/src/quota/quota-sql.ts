import { BUDGET_COLUMNS } from '../budgets/budget-sql.js';
import { addToMessageCount, isPremium, quotaOverride } from '../users/user-sql.js';

/*
 * SQL fragments of the tables `quota_account` and `usage_record`, for the statements that admit and end a generation.
 * `:names` are parameters of the statement that uses the fragment.
 */

const ACCOUNT_COLUMNS = 'owner, period, charged, held, version';

/** The period by the database's clock, so that nodes with skewed clocks agree. */
export const periodKey = (quotaPeriod: string) =>
  `case ${quotaPeriod} when 'daily' then to_char(now() at time zone 'utc', 'YYYY-MM-DD')
    when 'monthly' then to_char(now() at time zone 'utc', 'YYYY-MM') else 'ever' end`;

/**
 * The CTE `account` adds a hold to the owner's account while the account stays within `:limit` (-1: unlimited) and locks
 * its row, which serializes the admissions of an owner. It has no row when the limit is reached.
 * @param condition evaluated before the hold; false or an error leaves the account as it is
 */
export const holdQuota = (condition: string): string => `account as (
  insert into quota_account as a (owner, period, user_id, held, version)
  select :owner, ${periodKey(':quotaPeriod::text')}, :userId::int, :cost::int, 1
    where (:limit::int = -1 or :cost::int <= :limit::int)
      and ${condition}
  on conflict (owner, period) do update set held = a.held + excluded.held, version = a.version + 1
    where :limit::int = -1 or a.charged + a.held + excluded.held <= :limit::int
  returning ${ACCOUNT_COLUMNS}
)`;

const recordHold = (
  columns: string,
  from: string,
): string => `insert into usage_record (owner, user_id, generation_id, period, model_id, cost, state, plan, channel,
    api_key_id${columns})
  select :owner, :userId::int, :generationId::uuid, account.period, :modelId, :cost::int, 'held', :plan, :channel,
    :apiKeyId::int${columns}
  from ${from}`;

/** Statement that writes the usage record of a hold in the CTE `account`. */
export const RECORD_HOLD = recordHold('', 'account');

/** The same for a hold that has budgets too: the CTE `budget` has the row of `HOLD_BUDGETS`. */
export const RECORD_HOLD_OF_BUDGETS = recordHold(`, ${BUDGET_COLUMNS}`, 'account, budget');

/** Raises the hold of a running generation to an amount, if it is lower. $1 generation, $2 terms. */
export const HOLD_INSTEAD = `select raise_budget_hold(r.generation_id, jsonb_set($2::jsonb, '{amount}',
    to_jsonb(greatest(($2::jsonb ->> 'amount')::numeric - r.held_usd, 0)))) as raised
  from usage_record r where r.generation_id = $1::uuid`;

/**
 * The CTE `settled` charges or releases the hold of the generation in the CTE `ended` (owner, period, cost, charge, model_id)
 * and has the account's new state. A charge takes `charge` of the held `cost` and releases the rest. A second settlement
 * finds the usage record settled: it changes nothing and has no row. `:outcome` is 'charged' or 'released', `:status` the
 * reason; the usage has the names of `RecordedUsage`. Triggers of the record settle the budgets (`budgets/functions.sql`) and
 * queue it for the rollup (`functions.sql`).
 */
export const SETTLE_QUOTA = `settled_record as (
  update usage_record set state = :outcome, reason = :status, settled_at = now(),
    cost = case when :outcome = 'charged' then ended.charge else usage_record.cost end,
    prompt_tokens = :promptTokens::int, completion_tokens = :completionTokens::int,
    cached_tokens = :cachedTokens::int, reasoning_tokens = :reasoningTokens::int,
    cost_usd = :costUsd::numeric, cost_source = :costSource, answering_model = :answeringModel,
    model_id = ended.model_id, attempts = :attemptsJson::jsonb,
    first_token_ms = :firstTokenMs::int, total_ms = :totalMs::int
  from ended where generation_id = :generationId::uuid and state = 'held'
  returning usage_record.user_id
), counted as (
  ${addToMessageCount(`(select user_id from settled_record where :outcome = 'charged')`, '(select charge from ended)')} returning id
), settled as (
  update quota_account a set
    held = a.held - ended.cost,
    charged = a.charged + case when :outcome = 'charged' then ended.charge else 0 end,
    version = a.version + 1
  from settled_record, ended
  where a.owner = ended.owner and a.period = ended.period
  returning a.owner, a.period, a.charged, a.held, a.version, ${isPremium('settled_record.user_id')} as is_premium,
    ${quotaOverride('settled_record.user_id')} as quota_override
)`;

/** The row of `settled` as it is now, for a generation that ended before: the CTE `ended` (owner, period, user_id). */
export const ACCOUNT_OF_ENDED = `select a.period, a.charged, a.held, a.version,
    ${isPremium('ended.user_id')} as is_premium, ${quotaOverride('ended.user_id')} as quota_override
  from quota_account a, ended where a.owner = ended.owner and a.period = ended.period`;

/**
 * Locks accounts. Every transaction locks the account before the generation; the opposite order would deadlock with an
 * admission.
 * @param accounts a query that selects `owner` and `period`
 */
export const lockAccounts = (accounts: string): string =>
  `select a.owner, a.period from quota_account a join (${accounts}) wanted on wanted.owner = a.owner and wanted.period = a.period for update of a`;

/** Subquery of `owner` and `cost`: the costs of the current month of UTC, in USD, as far as they are summed up. */
export const COSTS_OF_MONTH = `(select owner, sum(cost_usd) as cost from usage_rollup
  where grain = 'month' and day = date_trunc('month', now() at time zone 'utc')::date group by owner)`;
