import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from '../../src/identity/identity.js';
import type { QuotaCounters } from '../../src/quota/quota-counters.js';
import { QUOTA_COUNTERS } from '../../src/quota/quota.tokens.js';
import type { TestApp } from './test-app.js';

/** Whatever still runs must have come to its end by then, ms. */
const WAIT_TIMEOUT_MS = 12_000;

/** A request whose caller has gone may still be on its way to being admitted when nothing runs yet, ms. */
const LATECOMERS = 2_000;

interface Account {
  owner: Owner;
  period: string;
  charged: number;
  held: number;
}

const RUNNING = `select (select count(*) from generation where status = 'streaming')
  + (select count(*) from message where status = 'streaming') as running`;

/** Accounts whose charges are not what the ledger says. */
const UNBALANCED = `
with ledger as (
  select owner, period, sum(cost) filter (where state = 'charged') as charged, count(*) filter (where state = 'held') as open
  from usage_record group by owner, period
)
select coalesce(a.owner, l.owner) as owner, a.charged, a.held, l.charged as ledger, l.open
from quota_account a full join ledger l on l.owner = a.owner and l.period = a.period
where coalesce(a.held, 0) <> 0 or coalesce(l.open, 0) <> 0 or coalesce(a.charged, 0) <> coalesce(l.charged, 0)`;

const MISCOUNTED = `
select u.username, u.message_count, l.charged from "user" u
left join (select user_id, sum(cost) as charged from usage_record where state = 'charged' and owner = 'user:' || user_id group by user_id) l
  on l.user_id = u.id
where u.message_count <> coalesce(l.charged, 0)`;

/** Messages that do not say what their generation says, or are nobody's. */
const AT_ODDS = `
select m.id, m.status, g.status as generation from message m left join generation g on g.id = m.generation_id
where not m.is_user_message and m.status is distinct from g.status`;

/**
 * What must hold once nothing runs any more (I3, I5): nothing is held, every charge has its reason, the counters say
 * what Postgres says, and no text is left over.
 */
export async function expectBalancedLedger(harness: TestApp): Promise<void> {
  for (const deadline = Date.now() + LATECOMERS; ; await sleep(100)) {
    try {
      return await expectBalanced(harness);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

async function expectBalanced({ app, dataSource }: TestApp): Promise<void> {
  for (const deadline = Date.now() + WAIT_TIMEOUT_MS; ; await sleep(25)) {
    const [{ running }] = await dataSource.query<[{ running: number }]>(RUNNING);
    if (running === 0) break;
    if (Date.now() > deadline) throw new Error(`${running} rows are still streaming`);
  }
  expect(await dataSource.query(UNBALANCED)).toEqual([]);
  expect(await dataSource.query(MISCOUNTED)).toEqual([]);
  expect(await dataSource.query(AT_ODDS)).toEqual([]);
  expect(await dataSource.query('select generation_id from generation_chunk')).toEqual([]);
  const counters = app.get<QuotaCounters>(QUOTA_COUNTERS);
  for (const { owner, period, charged, held } of await dataSource.query<Account[]>('select * from quota_account')) {
    await agrees(counters, owner, period, charged + held);
  }
}

/** The counter is told right after the commit, so it may be a moment late. */
async function agrees(counters: QuotaCounters, owner: Owner, period: string, used: number): Promise<void> {
  let counted = await counters.read(owner, period);
  for (let tries = 0; counted !== null && counted !== used && tries < 40; tries += 1) {
    await sleep(25);
    counted = await counters.read(owner, period);
  }
  expect({ owner, counted: counted ?? used }).toEqual({ owner, counted: used });
}
