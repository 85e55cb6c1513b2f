import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultHarness } from '../fault-harness.js';
import { UNBALANCED_BUDGETS } from '../../harness/ledger.js';
import { boundOf } from '../pace.js';

const UNBALANCED = `
with ledger as (
  select owner, period, coalesce(sum(cost) filter (where state = 'charged'), 0) as charged,
         count(*) filter (where state = 'held') as open
  from usage_record where owner <> 'anonymous' group by owner, period
)
select coalesce(a.owner, l.owner) as owner, a.charged, a.held, l.charged as ledger, l.open
from quota_account a full join ledger l on l.owner = a.owner and l.period = a.period
where coalesce(a.held, 0) <> 0 or coalesce(l.open, 0) <> 0 or coalesce(a.charged, 0) <> coalesce(l.charged, 0)`;

/** Stops before any output that an owner has for free in an hour. */
const FREE_STOPS = 20;

/** Whether a stopped answer has reasoning, text or a call. The Responses API shows no reasoning; no fault uses it. */
const IS_SHOWN = `coalesce(m.content, g.answer->>'text', '') <> ''
  or coalesce(m.reasoning, g.answer->'reasoning'->>'text', '') <> '' or coalesce(m.parts, '[]') @> '[{"type":"tool"}]'`;

/** Free stops of the owner, and for guests of others at the same address, in the hour before a stop. */
const FREE_STOPS_BEFORE = `
select count(*) from usage_record f where f.state = 'released' and f.reason = 'stopped'
  and (f.owner = u.owner or (u.owner like 'guest:%' and f.owner like 'guest:%'))
  and f.settled_at between u.settled_at - interval '1 hour' and u.settled_at`;

/**
 * Charges that break the rule: complete answers are charged, and stopped ones of which something was shown. Other stops
 * may be charged after 20 free ones.
 */
const CHARGED_WRONGLY = `
select g.id, g.status, u.state, length(m.content) as length from generation g
join usage_record u on u.generation_id = g.id left join message m on m.id = g.message_id
where (u.state = 'charged') <> (g.status = 'complete' or (g.status = 'stopped' and (${IS_SHOWN})))
  and not (u.state = 'charged' and g.status = 'stopped' and (${FREE_STOPS_BEFORE}) >= ${FREE_STOPS})`;

const WITHOUT_LEDGER = `
select g.id from generation g left join usage_record u on u.generation_id = g.id where u.id is null`;

const INCONSISTENT = `
select m.id, m.status, g.status as generation from message m left join generation g on g.id = m.generation_id
where not m.is_user_message and m.status is distinct from g.status`;

const UNANSWERED = `
select q.id from message q where q.is_user_message and not exists (select from message a where a.parent_id = q.id)`;

const LEFT_OVER = `select generation_id from generation_chunk`;

/** Charges of a migrated guest keep the guest as owner; the account has a ledger row of its own for them. */
const MISCOUNTED = `
select u.username, u.message_count, l.charged from "user" u
left join (
  select user_id, sum(cost) as charged from usage_record where state = 'charged' and owner = 'user:' || user_id group by user_id
) l on l.user_id = u.id
where u.message_count <> coalesce(l.charged, 0)`;

const UNENDED_CALLS = `
select c.generation_id, c.call_id, c.state from tool_call c join generation g on g.id = c.generation_id
where g.status <> 'streaming' and c.state in ('running', 'waiting')`;

const UNMETERED = `
select generation_id, state, reason from usage_record
where state <> 'held' and plan is not null and (cost_source is null or (cost_usd is null) <> (cost_source = 'unknown'))`;

const CHECKS = {
  'I5: the account differs from the ledger': UNBALANCED,
  'I5: charged or released against the rule': CHARGED_WRONGLY,
  'I5: a generation without a ledger row': WITHOUT_LEDGER,
  'I5: messageCount differs from the charges': MISCOUNTED,
  'I5: a settled record without a cost': UNMETERED,
  'I5: a budget differs from the ledger': UNBALANCED_BUDGETS,
  'I1: message and generation disagree': INCONSISTENT,
  'I1: a user message without an answer': UNANSWERED,
  'I11: a call of an ended answer is running': UNENDED_CALLS,
};

/** Checks of what follows the end of an answer with a delay. */
const DELAYED_CHECKS = { 'I3: text was left in the checkpoints': LEFT_OVER };

const REMEMBER = `
insert into harness.final select g.id, g.status, md5(coalesce(m.content, g.answer::text, '')) from generation g
left join message m on m.id = g.message_id where g.status <> 'streaming' and g.finished_at < now() - interval '1 second'
on conflict do nothing`;

const CHANGED = `
select f.id, f.status, g.status as now from harness.final f join generation g on g.id = f.id
left join message m on m.id = g.message_id
where f.status <> g.status or (g.answer is null and f.digest <> md5(coalesce(m.content, '')) and m.id is not null)`;

/** Delay until counters and logs have the end of an answer, ms: after a commit, or after an outage of Redis. */
const COMMIT_DELAY_MS = 2_000;

/** Delay until the checks after the last end, ms. */
const CHECK_DELAY_MS = 150;

/** Verifies the invariants I1, I3, I5, I10 and I11 in the database after all runs have ended. */
export class LedgerAudit {
  private isOpen = false;

  constructor(private readonly harness: FaultHarness) {}

  /** Generations that have not ended. */
  async running(): Promise<number> {
    const [row] = await this.harness.database.query<{ count: number }>(
      `select ((select count(*) from generation where status in ('streaming', 'waiting'))
             + (select count(*) from message where status in ('streaming', 'waiting')))::int as count`,
    );
    return row!.count;
  }

  /** The violations: those that are found while nothing runs, and those of the delayed checks that remain. */
  async audit(): Promise<string[]> {
    await sleep(CHECK_DELAY_MS);
    for (const deadline = performance.now() + boundOf(COMMIT_DELAY_MS); ; await sleep(50)) {
      const found = [...(await this.violations(CHECKS)), ...(await this.changed())];
      const delayed = [...(await this.violations(DELAYED_CHECKS)), ...(await this.miscounted())];
      const all = [...found, ...delayed];
      if (all.length === 0 || performance.now() > deadline) return all;
      if (found.length > 0 && (await this.running()) === 0) return all;
    }
  }

  private async violations(checks: Record<string, string>): Promise<string[]> {
    const { database } = this.harness;
    const found: string[] = [];
    for (const [description, sql] of Object.entries(checks)) {
      const rows = await database.query(sql);
      if (rows.length > 0)
        found.push(
          `${description}: ${JSON.stringify(rows.slice(0, 3))}${rows.length > 3 ? ` and ${rows.length - 3} more` : ''}`,
        );
    }
    return found;
  }

  /** I10: a stored end never changes. */
  private async changed(): Promise<string[]> {
    const { database } = this.harness;
    if (!this.isOpen) {
      await database.query('create schema if not exists harness');
      await database.query('create table if not exists harness.final (id uuid primary key, status text, digest text)');
      this.isOpen = true;
    }
    const changed = await database.query(CHANGED);
    await database.query(REMEMBER);
    return changed.length === 0 ? [] : [`I10: an end has changed: ${JSON.stringify(changed.slice(0, 3))}`];
  }

  /** The counters in Redis are copies of what Postgres has committed, or not there. */
  private async miscounted(): Promise<string[]> {
    const accounts = await this.harness.database.query<{ key: string; used: number }>(
      `select 'tanya:quota:{' || owner || '}:' || period as key, charged + held as used from quota_account`,
    );
    if (accounts.length === 0) return [];
    const counters = await this.harness.redisValues(accounts.map(({ key }) => key));
    return accounts.flatMap(({ key, used }, index) => {
      const counter = counters[index];
      if (counter === null || counter === undefined || Number(counter.split(':')[1]) === used) return [];
      return `I5: ${key} counts ${counter}, Postgres ${used}`;
    });
  }
}
