import type { QueryRunner } from 'typeorm';

/** The installation's budget is split into this many rows, so that concurrent sends rarely wait for one another. */
const SLOTS = 16;

/**
 * Budgets in USD. Functions hold amounts, because each of their statements reads what was committed while the statement
 * around them waited for a lock. A trigger settles them together with the usage record, so that every end of a
 * generation counts, also on nodes of the previous version and when the account is deleted.
 */
export class Budgets1763604500000 {
  name = 'Budgets1763604500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "user" ADD "budget_usd" numeric(20,12), ADD "budget_period" text`);
    await runner.query(
      `ALTER TABLE "setting" ADD "free_user_budget_usd" numeric(20,12), ADD "premium_user_budget_usd" numeric(20,12),
        ADD "user_budget_period" text NOT NULL DEFAULT 'monthly', ADD "installation_budget_usd" numeric(20,12),
        ADD "installation_budget_period" text NOT NULL DEFAULT 'monthly'`,
    );
    await runner.query(
      `ALTER TABLE "usage_record" ADD "held_usd" numeric(30,12), ADD "user_budget_period" text,
        ADD "key_budget_period" text, ADD "installation_budget_period" text, ADD "budget_slot" smallint`,
    );
    await runner.query(
      `CREATE TABLE "budget_account" ("scope" text NOT NULL, "period" text NOT NULL, "slot" smallint NOT NULL DEFAULT '0', "user_id" integer, "api_key_id" integer, "charged" numeric(30,12) NOT NULL DEFAULT '0', "held" numeric(30,12) NOT NULL DEFAULT '0', "carried" numeric(30,12) NOT NULL DEFAULT '0', "version" bigint NOT NULL DEFAULT '0', CONSTRAINT "PK_budget_account" PRIMARY KEY ("scope", "period", "slot"), CONSTRAINT "budget_account_user_fk" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE, CONSTRAINT "budget_account_api_key_fk" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE CASCADE)`,
    );
    await runner.query(`CREATE INDEX "budget_account_user" ON "budget_account" ("user_id")`);
    await runner.query(`CREATE INDEX "budget_account_api_key" ON "budget_account" ("api_key_id")`);
    // Room for the next version of a row on its page: each answer changes two rows twice.
    await runner.query(`ALTER TABLE "budget_account" SET (fillfactor = 50)`);
    await addPeriods(runner);
    await addHolds(runner);
    await addInstallation(runner);
    await addSettlement(runner);
  }
}

/** Periods by the database's clock in UTC. A week begins on Monday. */
async function addPeriods(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create function budget_period(kind text, moment timestamptz) returns text language sql stable as $$
      select case kind when 'daily' then to_char(moment at time zone 'utc', 'YYYY-MM-DD')
        when 'weekly' then to_char(moment at time zone 'utc', 'IYYY"-W"IW')
        when 'monthly' then to_char(moment at time zone 'utc', 'YYYY-MM') else 'ever' end
    $$`);
  await runner.query(`
    create function budget_period_start(kind text) returns timestamptz language sql stable as $$
      select coalesce(date_trunc(case kind when 'daily' then 'day' when 'weekly' then 'week' when 'monthly' then 'month' end,
        now() at time zone 'utc') at time zone 'utc', '-infinity')
    $$`);
  // What the scope has spent in the period before its account is opened. A scope with an account in the previous period
  // begins with nothing: its charges are in the accounts.
  await runner.query(`
    create function budget_opening(of_scope text, kind text) returns numeric language plpgsql stable as $$
    declare
      since timestamptz := budget_period_start(kind);
      of_id int := nullif(split_part(of_scope, ':', 2), '')::int;
    begin
      if kind <> 'never' and exists (select from budget_account
          where scope = of_scope and period = budget_period(kind, since - interval '1 day')) then
        return 0;
      end if;
      if of_scope like 'user:%' then
        return (select coalesce(sum(cost_usd), 0) from usage_record
          where owner = of_scope and state = 'charged' and settled_at >= since);
      end if;
      if of_scope like 'key:%' then
        return (select coalesce(sum(r.cost_usd), 0) from api_key k join usage_record r on r.owner = 'user:' || k.user_id
          where k.id = of_id and r.api_key_id = of_id and r.state = 'charged' and r.settled_at >= since);
      end if;
      return (select coalesce(sum(cost_usd), 0) from usage_rollup
          where grain = 'model' and day >= (since at time zone 'utc')::date)
        + (select coalesce(sum(r.cost_usd), 0) from usage_unrolled u join usage_record r on r.id = u.record_id
          where r.settled_at >= since and coalesce(r.reason, '') not in ('carried', 'reset'));
    end $$`);
}

async function addHolds(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create function open_budget(of_scope text, kind text) returns void language plpgsql volatile as $$
    declare
      slots int := case when of_scope = 'installation' then ${SLOTS} else 1 end;
      of_id int := nullif(split_part(of_scope, ':', 2), '')::int;
      opening numeric(30,12) := budget_opening(of_scope, kind);
      share numeric := trunc(opening / slots, 12);
    begin
      insert into budget_account (scope, period, slot, user_id, api_key_id, charged, carried)
      select of_scope, budget_period(kind, now()), slot, case when of_scope like 'user:%' then of_id end,
        case when of_scope like 'key:%' then of_id end, part, part
      from (select slot, case when slot = 0 then opening - share * (slots - 1) else share end as part
        from generate_series(0, slots - 1) slot) parts
      order by slot on conflict do nothing;
    end $$`);
  // A free amount always fits. A deleted account limits nothing: the running answers of a deleted key go on.
  await runner.query(`
    create function hold_budget(of_scope text, of_period text, amount numeric, max numeric) returns boolean
    language plpgsql volatile as $$
    begin
      update budget_account set held = held + amount, version = version + 1
        where scope = of_scope and period = of_period
          and (amount = 0 or max is null or charged + held + amount <= max);
      return found or not exists (select from budget_account where scope = of_scope and period = of_period);
    end $$`);
}

/**
 * Each slot may use an equal share of the budget without a look at the others. When a share is too small or exceeded, all
 * slots are locked in order, and their charges are spread evenly: only the sum decides.
 */
async function addInstallation(runner: QueryRunner): Promise<void> {
  const ofInstallation = `scope = 'installation' and period = of_period`;
  await runner.query(`
    create function hold_installation_budget(of_period text, amount numeric, max numeric, preferred smallint) returns smallint
    language plpgsql volatile as $$
    declare
      of_slot smallint := coalesce(preferred, floor(random() * ${SLOTS}));
      share numeric := trunc(max / ${SLOTS}, 12);
      used numeric;
      even numeric;
    begin
      if amount = 0 then
        return of_slot;
      end if;
      if max is null then
        update budget_account set held = held + amount, version = version + 1
          where ${ofInstallation} and slot = of_slot;
        return of_slot;
      end if;
      if not exists (select from budget_account where ${ofInstallation} and charged + held > share) then
        begin
          update budget_account set held = held + amount, version = version + 1
            where ${ofInstallation} and slot = of_slot and charged + held + amount <= share;
          if found then
            return of_slot;
          end if;
          -- Releases the lock of the slot: all slots are locked in order below.
          raise exception using errcode = 'TY002', message = 'slot_full';
        exception when sqlstate 'TY002' then
          null;
        end;
      end if;
      perform 1 from budget_account where ${ofInstallation} order by slot for update;
      select sum(charged + held) into used from budget_account where ${ofInstallation};
      if used + amount > max then
        return null;
      end if;
      used := used + amount;
      even := trunc(used / ${SLOTS}, 12);
      update budget_account set
        held = held + case when slot = of_slot then amount else 0 end,
        charged = case when slot = of_slot then used - ${SLOTS - 1} * even - held - amount else even - held end,
        version = version + 1
        where ${ofInstallation};
      return of_slot;
    end $$`);
  await runner.query(`
    create function hold_budgets(of_user int, of_key int, terms jsonb) returns table (held_usd numeric,
      user_budget_period text, key_budget_period text, installation_budget_period text, budget_slot smallint)
    language plpgsql volatile as $$
    declare
      amount numeric := (terms ->> 'amount')::numeric;
      name text;
      of_scope text;
      of_period text;
    begin
      held_usd := amount;
      foreach name in array array['user', 'key', 'installation'] loop
        continue when not terms ? name;
        of_scope := case name when 'user' then 'user:' || of_user when 'key' then 'key:' || of_key else name end;
        of_period := budget_period(terms -> name ->> 'period', now());
        if not exists (select from budget_account b where b.scope = of_scope and b.period = of_period) then
          perform open_budget(of_scope, terms -> name ->> 'period');
        end if;
        if name = 'installation' then
          installation_budget_period := of_period;
          budget_slot := hold_installation_budget(of_period, amount, (terms -> name ->> 'limit')::numeric, null);
          if budget_slot is null then
            perform refuse('budget_installation');
          end if;
        else
          if not hold_budget(of_scope, of_period, amount, (terms -> name ->> 'limit')::numeric) then
            perform refuse('budget_' || name);
          end if;
          if name = 'user' then user_budget_period := of_period; else key_budget_period := of_period; end if;
        end if;
      end loop;
      return next;
    end $$`);
}

async function addSettlement(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create function raise_budget_hold(of_generation uuid, terms jsonb) returns boolean language plpgsql volatile as $$
    declare
      amount numeric := (terms ->> 'amount')::numeric;
      r usage_record;
    begin
      select * into r from usage_record where generation_id = of_generation and state = 'held' for update;
      if r.held_usd is null then
        return false;
      end if;
      if r.user_budget_period is not null and not hold_budget('user:' || r.user_id, r.user_budget_period, amount,
          (terms #>> '{user,limit}')::numeric) then
        perform refuse('budget_user');
      end if;
      if r.key_budget_period is not null and not hold_budget('key:' || r.api_key_id, r.key_budget_period, amount,
          (terms #>> '{key,limit}')::numeric) then
        perform refuse('budget_key');
      end if;
      if r.installation_budget_period is not null and hold_installation_budget(r.installation_budget_period, amount,
          (terms #>> '{installation,limit}')::numeric, r.budget_slot) is null then
        perform refuse('budget_installation');
      end if;
      update usage_record set held_usd = held_usd + amount where id = r.id;
      return true;
    end $$`);
  // An unknown cost counts as the hold. A failure is free for user and key; the provider bills the installation for it.
  await runner.query(`
    create function settle_budgets() returns trigger language plpgsql as $$
    declare
      cost numeric := coalesce(new.cost_usd, old.held_usd);
      charge numeric := case when new.state = 'charged' then cost else 0 end;
    begin
      if old.held_usd = 0 and cost = 0 then
        return null;
      end if;
      if old.user_budget_period is not null then
        update budget_account set held = held - old.held_usd, charged = charged + charge, version = version + 1
          where scope = 'user:' || old.user_id and period = old.user_budget_period;
      end if;
      if old.key_budget_period is not null then
        update budget_account set held = held - old.held_usd, charged = charged + charge, version = version + 1
          where scope = 'key:' || old.api_key_id and period = old.key_budget_period;
      end if;
      if old.installation_budget_period is not null then
        update budget_account set held = held - old.held_usd, charged = charged + cost, version = version + 1
          where scope = 'installation' and period = old.installation_budget_period and slot = old.budget_slot;
      end if;
      return null;
    end $$`);
  await runner.query(
    `create trigger usage_record_budget after update on usage_record for each row
      when (old.state = 'held' and new.state <> 'held' and old.held_usd is not null) execute function settle_budgets()`,
  );
}
