import type { QueryRunner } from 'typeorm';

/** Slots of the installation's budget, as in the migration `Budgets`. */
const SLOTS = 16;

/**
 * A refused hold says what it asked for, what the budget has left, and whether it is spent rather than held by running
 * answers: `budget_user 0.01 0.005 f`.
 */
export class BudgetRefusals1765960000001 {
  name = 'BudgetRefusals1765960000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function refuse_budget(name text, amount numeric, max numeric, charged numeric, held numeric) returns void
      language plpgsql volatile as $$
      begin
        perform refuse(concat_ws(' ', 'budget_' || name, trim_scale(amount), trim_scale(greatest(max - charged - held, 0)),
          charged >= max));
      end $$`);
    await runner.query('drop function hold_budget(text, text, numeric, numeric)');
    // A free amount always fits. A deleted account limits nothing: the running answers of a deleted key go on. What is left
    // may have grown since the update was refused, and is then tried again.
    await runner.query(`
      create function hold_budget(of_scope text, of_period text, amount numeric, max numeric) returns void
      language plpgsql volatile as $$
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
      end $$`);
    // For the sums of current periods in the metrics.
    await runner.query(`CREATE INDEX "budget_account_period" ON "budget_account" ("period")`);
    await replaceInstallation(runner);
    await replaceHolds(runner);
  }
}

/** As before, but that it refuses by itself. */
async function replaceInstallation(runner: QueryRunner): Promise<void> {
  const ofInstallation = `scope = 'installation' and period = of_period`;
  await runner.query(`
    create or replace function hold_installation_budget(of_period text, amount numeric, max numeric, preferred smallint)
    returns smallint language plpgsql volatile as $$
    declare
      of_slot smallint := coalesce(preferred, floor(random() * ${SLOTS}));
      share numeric := trunc(max / ${SLOTS}, 12);
      spent numeric;
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
      select sum(charged), sum(charged + held) into spent, used from budget_account where ${ofInstallation};
      if used + amount > max then
        perform refuse_budget('installation', amount, max, spent, used - spent);
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
}

async function replaceHolds(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create or replace function hold_budgets(of_user int, of_key int, terms jsonb) returns table (held_usd numeric,
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
        else
          perform hold_budget(of_scope, of_period, amount, (terms -> name ->> 'limit')::numeric);
          if name = 'user' then user_budget_period := of_period; else key_budget_period := of_period; end if;
        end if;
      end loop;
      return next;
    end $$`);
  await runner.query(`
    create or replace function raise_budget_hold(of_generation uuid, terms jsonb) returns boolean
    language plpgsql volatile as $$
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
    end $$`);
}
