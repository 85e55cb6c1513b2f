-- Functions and triggers as the migrations made them. `npm run test:migrations -- -u` writes the definitions, people the comments.
-- Functions hold amounts, because each of their statements reads what was committed while the statement around them waited
-- for a lock. The account of a scope (`user:1`, `key:1`, `installation`) is a row of `budget_account` for each period.

-- The name of the period around a moment, by the database's clock in UTC. A week begins on Monday.
CREATE OR REPLACE FUNCTION budget_period(kind text, moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case kind when 'daily' then to_char(moment at time zone 'utc', 'YYYY-MM-DD')
    when 'weekly' then to_char(moment at time zone 'utc', 'IYYY"-W"IW')
    when 'monthly' then to_char(moment at time zone 'utc', 'YYYY-MM') else 'ever' end
$function$;

-- The start of the current period.
CREATE OR REPLACE FUNCTION budget_period_start(kind text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(date_trunc(case kind when 'daily' then 'day' when 'weekly' then 'week' when 'monthly' then 'month' end,
    now() at time zone 'utc') at time zone 'utc', '-infinity')
$function$;

-- What a scope has spent in the period before its account is opened. Records that are charged to the account of the previous
-- period do not count; others do, so that spending while the budget was off counts. An answer runs or waits for less than
-- two days: older records were not settled in the period.
CREATE OR REPLACE FUNCTION budget_opening(of_scope text, kind text)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  since timestamptz := budget_period_start(kind);
  previous text := budget_period(kind, since - interval '1 day');
  of_id int := nullif(split_part(of_scope, ':', 2), '')::int;
  total numeric;
begin
  if of_scope like 'user:%' then
    return (select coalesce(sum(cost_usd), 0) from usage_record
      where owner = of_scope and state = 'charged' and settled_at >= since
        and user_budget_period is distinct from previous and id > coalesce((select id from usage_record
        where kind <> 'never' and owner = of_scope and created_at < since - interval '2 days' order by id desc limit 1), 0));
  end if;
  if of_scope like 'key:%' then
    return (select coalesce(sum(r.cost_usd), 0) from api_key k join usage_record r on r.owner = 'user:' || k.user_id
      where k.id = of_id and r.api_key_id = of_id and r.state = 'charged' and r.settled_at >= since);
  end if;
  total := (select coalesce(sum(cost_usd), 0) from usage_rollup
      where grain = 'model' and day >= (since at time zone 'utc')::date)
    + (select coalesce(sum(r.cost_usd), 0) from usage_unrolled u join usage_record r on r.id = u.record_id
      where r.settled_at >= since and coalesce(r.reason, '') not in ('carried', 'reset'));
  -- Without spending in the period no record is read. Afterwards each admission until the account is open reads the
  -- records from two days before the period on.
  if total > 0 and kind <> 'never'
      and exists (select from budget_account where scope = of_scope and period = previous) then
    total := total - (select coalesce(sum(cost_usd), 0) from usage_record
      where installation_budget_period = previous and settled_at >= since and id > coalesce((select id from usage_record
        where kind <> 'never' and true and created_at < since - interval '2 days' order by id desc limit 1), 0));
  end if;
  return total;
end $function$;

-- Opens the account of the current period. That of the installation has 16 rows, so that concurrent sends rarely wait for
-- one another.
CREATE OR REPLACE FUNCTION open_budget(of_scope text, kind text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  slots int := case when of_scope = 'installation' then 16 else 1 end;
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
end $function$;

-- Refuses with what was asked for, what is left, and whether that is spent rather than held: `budget_user 0.01 0.005 f`. Read
-- by `budgetRefusalOf` of `budget-sql.ts`.
CREATE OR REPLACE FUNCTION refuse_budget(name text, amount numeric, max numeric, charged numeric, held numeric)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform refuse(concat_ws(' ', 'budget_' || name, trim_scale(amount), trim_scale(greatest(max - charged - held, 0)),
    charged >= max));
end $function$;

-- A free amount always fits. A deleted account limits nothing: the running answers of a deleted key go on. What is left may
-- have grown since the update was refused, and is then tried again.
CREATE OR REPLACE FUNCTION hold_budget(of_scope text, of_period text, amount numeric, max numeric)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  account budget_account;
begin
  loop
    update budget_account set held = held + amount, version = version + 1
      where scope = of_scope and period = of_period
        and (amount = 0 or max is null or charged + held + amount <= max);
    exit when found;
    select * into account from budget_account where scope = of_scope and period = of_period;
    exit when account.scope is null;
    if account.charged + account.held + amount > max then
      perform refuse_budget(split_part(of_scope, ':', 1), amount, max, account.charged, account.held);
    end if;
  end loop;
end $function$;

-- Each slot may use an equal share of the budget without a look at the others. When a share is too small or exceeded, all
-- slots are locked in order, and their charges are spread evenly: only the sum decides. Returns the slot of the hold.
CREATE OR REPLACE FUNCTION hold_installation_budget(of_period text, amount numeric, max numeric, preferred smallint)
 RETURNS smallint
 LANGUAGE plpgsql
AS $function$
declare
  of_slot smallint := coalesce(preferred, floor(random() * 16));
  share numeric := trunc(max / 16, 12);
  spent numeric;
  used numeric;
  even numeric;
begin
  if amount = 0 then
    return of_slot;
  end if;
  if max is null then
    update budget_account set held = held + amount, version = version + 1
      where scope = 'installation' and period = of_period and slot = of_slot;
    return of_slot;
  end if;
  if not exists (select from budget_account where scope = 'installation' and period = of_period and charged + held > share) then
    begin
      update budget_account set held = held + amount, version = version + 1
        where scope = 'installation' and period = of_period and slot = of_slot and charged + held + amount <= share;
      if found then
        return of_slot;
      end if;
      -- Releases the lock of the slot: all slots are locked in order below.
      raise exception using errcode = 'TY002', message = 'slot_full';
    exception when sqlstate 'TY002' then
      null;
    end;
  end if;
  perform 1 from budget_account where scope = 'installation' and period = of_period order by slot for update;
  select sum(charged), sum(charged + held) into spent, used from budget_account where scope = 'installation' and period = of_period;
  if used + amount > max then
    perform refuse_budget('installation', amount, max, spent, used - spent);
  end if;
  used := used + amount;
  even := trunc(used / 16, 12);
  update budget_account set
    held = held + case when slot = of_slot then amount else 0 end,
    charged = case when slot = of_slot then used - 15 * even - held - amount else even - held end,
    version = version + 1
    where scope = 'installation' and period = of_period;
  return of_slot;
end $function$;

-- Holds the amount of an admission in each budget of its terms (`HOLD_BUDGETS` of `budget-sql.ts`).
CREATE OR REPLACE FUNCTION hold_budgets(of_user integer, of_key integer, terms jsonb)
 RETURNS TABLE(held_usd numeric, user_budget_period text, key_budget_period text, installation_budget_period text, budget_slot smallint)
 LANGUAGE plpgsql
AS $function$
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
    else
      perform hold_budget(of_scope, of_period, amount, (terms -> name ->> 'limit')::numeric);
      if name = 'user' then user_budget_period := of_period; else key_budget_period := of_period; end if;
    end if;
  end loop;
  return next;
end $function$;

-- Adds to the hold of a running generation; false without one.
CREATE OR REPLACE FUNCTION raise_budget_hold(of_generation uuid, terms jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  amount numeric := (terms ->> 'amount')::numeric;
  r usage_record;
begin
  select * into r from usage_record where generation_id = of_generation and state = 'held' for update;
  if r.held_usd is null then
    return false;
  end if;
  if r.user_budget_period is not null then
    perform hold_budget('user:' || r.user_id, r.user_budget_period, amount, (terms #>> '{user,limit}')::numeric);
  end if;
  if r.key_budget_period is not null then
    perform hold_budget('key:' || r.api_key_id, r.key_budget_period, amount, (terms #>> '{key,limit}')::numeric);
  end if;
  if r.installation_budget_period is not null then
    perform hold_installation_budget(r.installation_budget_period, amount,
      (terms #>> '{installation,limit}')::numeric, r.budget_slot);
  end if;
  update usage_record set held_usd = held_usd + amount where id = r.id;
  return true;
end $function$;

-- Settles the budgets together with the usage record, so that every end counts, also when the account is deleted. An unknown
-- cost counts as the hold. A failure is free for user and key; the provider bills the installation for it.
CREATE OR REPLACE FUNCTION settle_budgets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE TRIGGER usage_record_budget AFTER UPDATE ON usage_record
  FOR EACH ROW WHEN (old.state = 'held'::text AND new.state <> 'held'::text AND old.held_usd IS NOT NULL)
  EXECUTE FUNCTION settle_budgets();
