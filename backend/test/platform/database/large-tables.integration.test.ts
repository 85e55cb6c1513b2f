import type { QueryRunner } from 'typeorm';
import type { ChatHarness } from '../../harness/chat-harness.js';
import { type Statement, statementsOf } from '../../harness/statements.js';
import { read, startPlanHarness } from './plan-harness.js';

/** Of a table that is filled; it takes some seconds on an idle machine. */
const FILL_TIMEOUT_MS = 300_000;

let harness: ChatHarness;
let runner: QueryRunner;
let close: () => Promise<void>;

beforeAll(async () => ({ harness, runner, close } = await startPlanHarness()));

afterAll(() => close());

/** Blocks that all reads of a call read. */
async function blocksOfCall(path: string): Promise<number> {
  const admin = await harness.admin();
  const statements = await statementsOf(harness.dataSource, () => read(admin, [path]));
  let blocks = 0;
  for (const statement of statements) {
    // The list is not among those that change something, such as the time of the last call.
    if (/^(\/\*.*\*\/ )?\s*(select|with)\b/i.test(statement.sql)) blocks += await blocksOf(statement);
  }
  return blocks;
}

/** Blocks that a statement reads. Their number, unlike its time, does not depend on the machine. */
async function blocksOf({ sql, parameters }: Statement): Promise<number> {
  const [explained] = (await runner.query(`explain (analyze, buffers, format json) ${sql}`, parameters)) as {
    'QUERY PLAN': { Plan: Record<string, number> }[];
  }[];
  const { 'Shared Hit Blocks': hits = 0, 'Shared Read Blocks': reads = 0 } = explained!['QUERY PLAN'][0]!.Plan;
  return hits + reads;
}

describe('of 100,000 failures', () => {
  beforeAll(async () => {
    await runner.query(
      `insert into failure (created_at, code, status, provider, model_id, connection_id, user_id, generation_id, request_id)
        select now() - n * interval '20 s', case when n % 100 = 0 then 'provider_busy' else 'provider_error' end, 500,
          '{"message": "The model is overloaded."}', 'maker/model-' || n % 40, 1 + n % 3, (select min(id) from "user"),
          gen_random_uuid(), 'request-' || n
        from generate_series(1, 100000) n`,
    );
    await runner.query('analyze failure');
  }, FILL_TIMEOUT_MS);

  afterAll(() => harness.dataSource.query('truncate failure'));

  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

  // The number of blocks does not grow with the table: of a million failures all pages take less than 20 ms.
  it.each([
    'limit=50',
    `from=${day(20)}&to=${day(15)}`,
    'code=provider_busy',
    'code=internal',
    'code=provider_busy&modelId=maker%2Fmodel-7',
    `code=provider_error&modelId=maker%2Fmodel-7&connectionId=2&userId=1&to=${day(10)}`,
    'connectionId=2&modelId=unknown',
    'userId=1',
    'id=request-90000',
    `limit=200&before=${Date.parse(day(10))}_50000`,
  ])('the page %s reads few blocks', async (query) => {
    const admin = await harness.admin();
    const statements = await statementsOf(harness.dataSource, () => read(admin, [`/api/admin/failures?${query}`]));
    const list = statements.find(({ sql }) => /from "failure".*order by/is.test(sql))!;
    expect(await blocksOf(list)).toBeLessThan(1_000);
  });
});

const groupId = async (): Promise<number> => {
  const [row] = await harness.dataSource.query<{ id: number }[]>(`select id from member_group where name = 'planned'`);
  return row!.id;
};

describe('of 10,000 people with 100,000 keys', () => {
  beforeAll(async () => {
    await runner.query(
      `with owner as (
        insert into "user" (username, username_key, password_hash, full_name, email, is_premium, is_suspended, last_seen_at)
        select 'key-owner-' || n, 'key-owner-' || n, '', 'Person ' || n, 'person' || n || '@example.org', n % 3 = 0,
          n % 500 = 0, now() - n * interval '1 minute'
        from generate_series(1, 10000) n returning id
      )
      insert into api_key (user_id, name, key_hash, hint)
      select id, case when id % 1000 = 0 then 'rare' else 'program' end || ' ' || n, id || '-' || n, 'wxyz'
      from owner, generate_series(1, 10) n`,
    );
    await runner.query(
      `insert into usage_rollup (grain, day, owner, cost_usd)
        select 'month', date_trunc('month', now() at time zone 'utc')::date - month * interval '1 month', 'user:' || id, id
        from "user", generate_series(0, 11) month`,
    );
    await runner.query(`insert into member_group (name) values ('planned')`);
    await runner.query(
      `insert into group_member (user_id, group_id) select u.id, g.id from "user" u, member_group g
        where u.id % 2 = 0 and g.name = 'planned'`,
    );
    await runner.query('analyze api_key, "user", usage_rollup, group_member');
  }, FILL_TIMEOUT_MS);

  afterAll(async () => {
    await runner.query(`delete from "user" where username_key like 'key-owner-%'`);
    await runner.query(`delete from member_group where name = 'planned'`);
    await runner.query('truncate usage_rollup');
  }, FILL_TIMEOUT_MS);

  // The count reads each account once, and so do orders by a value; no list reads one for each of them.
  it.each([
    'limit=50',
    'limit=200&before=5000',
    'sort=oldest',
    'sort=username',
    'sort=username&before=5000',
    'sort=lastSeen',
    'sort=cost',
    'sort=cost&plan=premium&limit=200',
    'waiting=true',
    'suspended=true',
    'admin=true',
    'service=false',
    'groupId=1',
    'query=key-owner-77',
    'query=person77',
    'query=ke',
  ])('the page of people %s reads few blocks', async (query) => {
    const wanted = query.replace('groupId=1', `groupId=${await groupId()}`);
    expect(await blocksOfCall(`/api/admin/users?${wanted}`)).toBeLessThan(5_000);
  });

  // A search reads each key once, in about 60 ms; pages without one do not grow with the table.
  it.each([
    ['limit=50', 100],
    ['limit=50&before=50000', 100],
    ['userId=5000', 100],
    ['query=rare', 5_000],
    ['query=KEY-OWNER-77', 5_000],
    ['userId=5000&query=rare', 1_000],
  ])('the page %s reads few blocks', async (query, most) => {
    const admin = await harness.admin();
    const statements = await statementsOf(harness.dataSource, () => read(admin, [`/api/admin/keys?${query}`]));
    const list = statements.find(({ sql }) => /from "api_key".*order by/is.test(sql))!;
    expect(await blocksOf(list)).toBeLessThan(most);
  });
});

describe('of the usage of a year', () => {
  const today = new Date().toISOString().slice(0, 10);

  beforeAll(async () => {
    await runner.query(
      `insert into usage_rollup (grain, day, owner, model_id, plan, channel, api_key_id, bucket, generations, messages, cost_usd)
        with facts as (
          select (now() at time zone 'utc')::date - day as day, 'user:' || person as owner, 'maker/model-' || person % 40 as model_id,
            case when person % 3 = 0 then 'premium' else 'free' end as plan, case when person % 5 = 0 then 'api' else 'web' end as channel,
            case when person % 5 = 0 then person::text else '' end as api_key_id
          from generate_series(0, 364) day, generate_series(1, 500) person
        ), kinds as (
          select 'full' as grain, day, owner, model_id, plan, channel, api_key_id, 0 as bucket from facts
          union select 'owner', day, owner, '', '', '', '', 0 from facts
          union select 'month', date_trunc('month', day)::date, owner, '', '', '', '', 0 from facts
          union select 'model', day, '', model_id, plan, channel, '', 0 from facts
          union select 'key', day, '', '', '', '', api_key_id, 0 from facts where api_key_id <> ''
          union select 'latency', day, '', '', '', '', '', bucket from facts, generate_series(40, 80) bucket where owner = 'user:1'
        )
        select grain, day, owner, model_id, plan, channel, api_key_id, bucket, 3, 3, 0.01 from kinds order by day`,
    );
    await runner.query(`set session_replication_role = replica`);
    await runner.query(
      `insert into usage_record (owner, period, model_id, cost, state, plan, channel, created_at, settled_at)
        select 'user:' || 1 + n % 500, 'ever', 'maker/model-' || n % 40, 1, 'charged', 'free', 'web', at, at
        from generate_series(1, 300000) n, lateral (select now() - (300000 - n) * interval '105 s' as at) settled`,
    );
    await runner.query(`set session_replication_role = origin`);
    // Also summarizes the blocks of the ledger, as the server of Postgres does from time to time.
    await runner.query('vacuum analyze usage_rollup, usage_record, usage_unrolled');
  }, FILL_TIMEOUT_MS);

  afterAll(() => harness.dataSource.query('truncate usage_rollup, usage_record cascade'));

  // The table and the ledger have about 15,000 blocks. A report of 30 days reads what was in them, not the year.
  it.each([
    '',
    `from=${today}&to=${today}`,
    'plan=premium',
    'channel=api',
    'modelId=maker%2Fmodel-7',
    'userId=7',
    'keyId=5',
    `userId=7&from=${today}&to=${today}`,
  ])('the report %s reads few blocks', async (query) => {
    expect(await blocksOfCall(`/api/admin/usage?${query}`)).toBeLessThan(5_000);
  });
});
