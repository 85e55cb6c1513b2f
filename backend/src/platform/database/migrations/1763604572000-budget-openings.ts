import type { QueryRunner } from 'typeorm';

const ofKey = `
      if of_scope like 'key:%' then
        return (select coalesce(sum(r.cost_usd), 0) from api_key k join usage_record r on r.owner = 'user:' || k.user_id
          where k.id = of_id and r.api_key_id = of_id and r.state = 'charged' and r.settled_at >= since);
      end if;`;

const ofInstallation = `(select coalesce(sum(cost_usd), 0) from usage_rollup
          where grain = 'model' and day >= (since at time zone 'utc')::date)
        + (select coalesce(sum(r.cost_usd), 0) from usage_unrolled u join usage_record r on r.id = u.record_id
          where r.settled_at >= since and coalesce(r.reason, '') not in ('carried', 'reset'))`;

/** The last record that is too old to have been settled in the period: an answer runs or waits for less than two days. */
const lastBefore = (condition: string) => `coalesce((select id from usage_record
            where kind <> 'never' and ${condition} and created_at < since - interval '2 days' order by id desc limit 1), 0)`;

/**
 * What a scope has spent in the period before its account is opened. Records that are charged to the account of the
 * previous period do not count; others do, so that spending while the budget was off counts.
 */
export class BudgetOpenings1763604572000 {
  name = 'BudgetOpenings1763604572000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
    create or replace function budget_opening(of_scope text, kind text) returns numeric language plpgsql stable as $$
    declare
      since timestamptz := budget_period_start(kind);
      previous text := budget_period(kind, since - interval '1 day');
      of_id int := nullif(split_part(of_scope, ':', 2), '')::int;
      total numeric;
    begin
      if of_scope like 'user:%' then
        return (select coalesce(sum(cost_usd), 0) from usage_record
          where owner = of_scope and state = 'charged' and settled_at >= since
            and user_budget_period is distinct from previous and id > ${lastBefore('owner = of_scope')});
      end if;${ofKey}
      total := ${ofInstallation};
      -- Without spending in the period no record is read. Afterwards each admission until the account is open reads the
      -- records from two days before the period on.
      if total > 0 and kind <> 'never'
          and exists (select from budget_account where scope = of_scope and period = previous) then
        total := total - (select coalesce(sum(cost_usd), 0) from usage_record
          where installation_budget_period = previous and settled_at >= since and id > ${lastBefore('true')});
      end if;
      return total;
    end $$`);
  }
}
