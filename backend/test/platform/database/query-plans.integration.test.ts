import type { AdminModel, CreatedApiKey, OwnUsage } from '@tanya/contract';
import type { QueryRunner } from 'typeorm';
import { selectOld } from '../../../src/chat/messages/old-threads-sql.js';
import { ThreadDeletion } from '../../../src/chat/threads/thread-deletion.js';
import { BackgroundWork } from '../../../src/platform/resilience/background-work.js';
import { PLANNED_EACH_TIME } from '../../../src/platform/database/prepared-connection.js';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import type { HttpClient } from '../../harness/http-client.js';
import { upload } from '../../harness/uploads.js';
import { waitUntil } from '../../harness/wait-until.js';
import { openWebUi } from '../../imports/export-fixtures.js';
import { importJson } from '../../imports/imports-harness.js';
import { type Statement, statementsOf } from '../../harness/statements.js';

/** Tables with few rows, which are read as a whole on purpose. */
const SMALL = [
  'setting',
  'model',
  'node',
  'identity_provider',
  'provider_connection',
  'tool_server',
  'retention',
  'retention_day',
];

/** Cursor of a later page of threads. */
const LATER = '2026-01-01T00:01:00.000000Z_60';

const isPlanned = ({ sql }: Statement) => /^\s*(select|insert|update|delete|with)\b/i.test(sql);

let harness: ChatHarness;
let runner: QueryRunner;

beforeAll(async () => {
  harness = await startChatHarness({ redis: true });
  // Sweeps run by the clock, whatever a test does.
  harness.app.get(BackgroundWork).onModuleDestroy();
  runner = harness.dataSource.createQueryRunner();
});

afterAll(async () => {
  await runner.release();
  await harness.close();
});

/**
 * Tables that a statement reads with a sequential scan. The planner avoids those here, so one appears in a plan only
 * where no index fits, however few rows a test has.
 */
async function scannedBy(statement: Statement): Promise<string[]> {
  const plan = await planOf(statement);
  return [...plan.matchAll(/Seq Scan on "?(\w+)/g)]
    .map(([, table]) => table!)
    .filter((table) => !SMALL.includes(table));
}

async function planOf({ sql, parameters }: Statement): Promise<string> {
  await runner.startTransaction();
  try {
    await runner.query('set local enable_seqscan = off');
    const plan = (await runner.query(`explain ${sql}`, parameters)) as { 'QUERY PLAN': string }[];
    return plan.map((line) => line['QUERY PLAN']).join('\n');
  } finally {
    await runner.rollbackTransaction();
  }
}

async function scansOf(work: () => Promise<unknown>): Promise<{ count: number; scans: string[] }> {
  const statements = new Map<string, Statement>();
  for (const each of await statementsOf(harness.dataSource, work)) if (isPlanned(each)) statements.set(each.sql, each);
  const scans: string[] = [];
  for (const statement of statements.values()) {
    for (const table of await scannedBy(statement)) scans.push(`${table}: ${statement.sql}`);
  }
  return { count: statements.size, scans };
}

const journeys: [string, () => Promise<unknown>][] = [
  [
    'a send, its answer and another one',
    async () => {
      const { page } = await harness.memberPage();
      const first = await page.start('one');
      await page.ended(first.generationId);
      const second = await page.start('two', { threadId: first.threadId });
      const { message } = await page.ended(second.generationId);
      await page.tryResume(second.generationId, 0);
      const third = await page.tryRegenerate(message.id);
      if (third.ok) await page.tryStop(third.data.generationId);
    },
  ],
  [
    'the lists of a member',
    async () => {
      const { client, page } = await harness.memberPage();
      const { threadId, generationId } = await page.start('listed');
      await page.ended(generationId);
      await read(client, [
        '/api/user',
        '/api/user/quota',
        '/api/user/preferences',
        '/api/user/usage',
        '/api/chat/threads',
        `/api/chat/threads?before=pinned_${LATER}`,
        '/api/chat/threads?state=archived',
        `/api/chat/threads?state=archived&before=${LATER}`,
        '/api/chat/threads?state=waiting',
        `/api/chat/threads?state=waiting&before=${LATER}`,
        '/api/chat/threads?state=trash',
        `/api/chat/threads?state=trash&before=${LATER}`,
        ...['archived', 'waiting', 'trash'].flatMap((state) => [
          `/api/chat/threads?state=${state}&query=listed`,
          `/api/chat/threads?state=${state}&query=listed&before=${LATER}`,
        ]),
        '/api/chat/search?query=listed',
        `/api/chat/search?query=listed&before=${LATER}`,
        '/api/chat/threads?query=listed',
        `/api/chat/threads?query=listed&before=${LATER}`,
        `/api/chat/threads/${threadId}`,
        `/api/chat/threads/${threadId}/messages`,
        `/api/chat/threads/${threadId}/export?format=md`,
      ]);
      await client.patch(`/api/chat/threads/${threadId}`, { title: 'renamed' });
      await client.patch(`/api/chat/threads/${threadId}`, { isPinned: true });
      await client.post('/api/chat/threads/batch', { action: 'archive', ids: [threadId] });
      await client.delete(`/api/chat/threads/${threadId}`);
      await client.post(`/api/chat/threads/${threadId}/restore`);
    },
  ],
  [
    'a batch of the sweep of old chats',
    async () => {
      const { client, page } = await harness.memberPage();
      const { body: file } = await upload(client, 'a note', 'note.txt', 'text/plain');
      const { threadId, generationId } = await page.start('', {
        content: { text: 'old', attachments: [{ fileId: file.id }] },
      });
      await page.ended(generationId);
      const { dataSource } = harness;
      await dataSource.query('update retention set free = 30');
      await dataSource.query(`update thread set updated_at = now() - interval '40 days' where id = $1`, [threadId]);
      const found = await dataSource.query(...selectOld({ after: threadId - 1, until: threadId + 20_000, limit: 50 }));
      expect(found).toEqual([{ id: threadId }]);
      await harness.app.get(ThreadDeletion).deleteOld([threadId]);
      expect(await dataSource.query('select id from thread where id = $1', [threadId])).toEqual([]);
      await dataSource.query('update retention set free = null');
    },
  ],
  [
    'ratings of an answer and their counts',
    async () => {
      const { client, page } = await harness.memberPage();
      const { aiMessage, generationId } = await page.start('rated');
      await page.ended(generationId);
      await client.put(`/api/chat/messages/${aiMessage.id}/feedback`, { rating: 'up' });
      await client.delete(`/api/chat/messages/${aiMessage.id}/feedback`);
      await read(await harness.admin(), ['/api/admin/feedback']);
    },
  ],
  [
    'a send with attachments and custom instructions',
    async () => {
      const { client, page } = await harness.memberPage();
      await client.patch('/api/user/preferences', { aboutMe: 'a sailor' });
      const { body: file } = await upload(client, 'a note', 'note.txt', 'text/plain');
      const content = { text: 'see', attachments: [{ fileId: file.id }] };
      const { threadId, generationId } = await page.start('', { content });
      await page.ended(generationId);
      await client.patch(`/api/chat/threads/${threadId}`, { useInstructions: false });
    },
  ],
  [
    'a share link',
    async () => {
      const { client, page } = await harness.memberPage();
      const { threadId, generationId } = await page.start('shared');
      await page.ended(generationId);
      const { body } = await client.post<{ token: string }>(`/api/chat/threads/${threadId}/share`);
      await read(client, [`/api/share/${body.token}`, `/api/share/${body.token}/files/x`, '/api/user/shares']);
      await client.post(`/api/share/${body.token}/continue`);
      await client.delete(`/api/user/shares/${body.token}`);
    },
  ],
  [
    'an import',
    async () => {
      const { client } = await harness.member();
      const { id } = await importJson(client, [openWebUi({ id: 'planned', title: 'Planned' })]);
      await read(client, ['/api/user/import', `/api/user/import/${id}/conversations`]);
      await client.delete(`/api/user/import/${id}`);
    },
  ],
  ['a login', async () => void (await harness.member())],
  ['a page of users', async () => read(await harness.admin(), ['/api/admin/users'])],
  [
    'pages of the audit log',
    async () => read(await harness.admin(), ['/api/admin/audit', '/api/admin/audit?before=9', '/api/admin/audit.csv']),
  ],
  [
    'pages of failures and of keys',
    async () =>
      read(await harness.admin(), [
        '/api/admin/failures',
        '/api/admin/failures?before=9',
        '/api/admin/keys',
        '/api/admin/keys?userId=1&before=9',
        '/api/admin/failures?from=2026-11-01&to=2026-11-02',
        '/api/admin/failures?code=internal&from=2026-11-01',
        '/api/admin/failures?modelId=x',
        '/api/admin/failures?connectionId=1',
        '/api/admin/failures?userId=1',
        '/api/admin/failures?id=9b2f1c3e-0000-4000-8000-000000000000',
        '/api/admin/failures?id=request',
        '/api/admin/failures.csv?userId=1',
      ]),
  ],
  [
    'a call with an API key',
    async () => {
      const { client } = await harness.member();
      const { body } = await client.post<CreatedApiKey>('/api/user/keys', { name: 'program', messageCap: 5 });
      const headers = { 'x-api-key': body.key };
      await harness.client().post('/api/v1/chat', { messages: [{ role: 'user', content: 'Hello' }] }, { headers });
      await read(client, ['/api/user/keys']);
    },
  ],
  [
    'the usage, with a key',
    async () => {
      const { client } = await harness.member();
      const { body } = await client.post<CreatedApiKey>('/api/user/keys', { name: 'program' });
      const headers = { 'x-api-key': body.key };
      await harness.client().post('/api/v1/chat', { messages: [{ role: 'user', content: 'Hello' }] }, { headers });
      await waitUntil('usage of the key', async () => (await usageOf(client)).topKeys.length === 1);
      await read(client, ['/api/user/usage?from=2026-01-01']);
      await read(await harness.admin(), [
        '/api/admin/usage',
        '/api/admin/usage?from=2026-01-01',
        '/api/admin/usage.csv',
        '/api/admin/usage?userId=1',
        '/api/admin/usage?keyId=1&from=2026-01-01',
        '/api/admin/usage?modelId=x&plan=free&channel=web',
        '/api/admin/usage?connectionId=1',
        '/api/admin/usage?from=2026-11-22&to=2026-11-22',
        '/api/admin/usage.csv?detail=true&from=2026-11-22&to=2026-11-22',
      ]);
    },
  ],
  [
    'the prices of a model',
    async () => {
      const admin = await harness.admin();
      const [model] = (await admin.get<AdminModel[]>('/api/admin/models')).body;
      await admin.patch(`/api/admin/models/${model!.id}`, { pricing: { prompt: '1' } });
      await read(admin, [`/api/admin/models/${model!.id}/prices`]);
    },
  ],
  [
    'responses that continue one another, and their deletion',
    async () => {
      const { client } = await harness.member();
      const { body } = await client.post<CreatedApiKey>('/api/user/keys', { name: 'program' });
      const headers = { 'x-api-key': body.key };
      const path = '/api/v1/responses';
      const first = await harness.client().post<{ id: string }>(path, { input: 'Hello' }, { headers });
      const continued = { input: 'On', previous_response_id: first.body.id };
      await harness.client().post(path, continued, { headers });
      for (const method of ['GET', 'DELETE'])
        await harness.client().send(method, `${path}/${first.body.id}`, { headers });
    },
  ],
];

const usageOf = async (client: HttpClient) => (await client.get<OwnUsage>('/api/user/usage')).body;

async function read(client: HttpClient, paths: string[]): Promise<void> {
  for (const path of paths) await client.get(path);
}

it.each([
  ['a search of threads', '/api/chat/threads?query=rare'],
  ['a later page of a search of threads', `/api/chat/threads?query=rare&before=${LATER}`],
  ['a search of lines', '/api/chat/search?query=rare'],
])('%s uses the index of message texts', async (_name, path) => {
  const { client } = await harness.memberPage();
  const statements = await statementsOf(harness.dataSource, () => read(client, [path]));
  const plan = await planOf(statements.find(({ sql }) => sql.includes('with words as'))!);
  expect(plan).toContain('Bitmap Index Scan on message_search');
});

it('a search of accounts is planned for its parameters', async () => {
  const admin = await harness.admin();
  const statements = await statementsOf(harness.dataSource, () => read(admin, ['/api/admin/users?query=be']));
  const search = statements.find(({ sql }) => sql.includes('username_key like'))!;
  expect(search.sql).toMatch(new RegExp(`^/\\* ${PLANNED_EACH_TIME} `));
});

describe('of 100,000 failures', () => {
  beforeAll(async () => {
    await harness.dataSource.query(
      `insert into failure (created_at, code, status, provider, model_id, connection_id, user_id, generation_id, request_id)
        select now() - n * interval '20 s', case when n % 100 = 0 then 'provider_busy' else 'provider_error' end, 500,
          '{"message": "The model is overloaded."}', 'maker/model-' || n % 40, 1 + n % 3, (select min(id) from "user"),
          gen_random_uuid(), 'request-' || n
        from generate_series(1, 100000) n`,
    );
    await harness.dataSource.query('analyze failure');
  }, 120_000);

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
    'limit=200&before=50000',
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

describe('of 10,000 people with 100,000 keys', () => {
  beforeAll(async () => {
    await harness.dataSource.query(
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
    await harness.dataSource.query(
      `insert into usage_rollup (grain, day, owner, cost_usd)
        select 'month', date_trunc('month', now() at time zone 'utc')::date - month * interval '1 month', 'user:' || id, id
        from "user", generate_series(0, 11) month`,
    );
    await harness.dataSource.query(`insert into member_group (name) values ('planned')`);
    await harness.dataSource.query(
      `insert into group_member (user_id, group_id) select u.id, g.id from "user" u, member_group g
        where u.id % 2 = 0 and g.name = 'planned'`,
    );
    await harness.dataSource.query('analyze api_key, "user", usage_rollup, group_member');
  }, 120_000);

  afterAll(async () => {
    await harness.dataSource.query(`delete from "user" where username_key like 'key-owner-%'`);
    await harness.dataSource.query(`delete from member_group where name = 'planned'`);
    await harness.dataSource.query('truncate usage_rollup');
  });

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
    await harness.dataSource.query(
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
    await harness.dataSource.query('vacuum analyze usage_rollup, usage_record, usage_unrolled');
  }, 120_000);

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

it.each([
  ['threads', `before=${LATER}`, /Index Cond: [^"]*ROW\(is_pinned, updated_at, id\) < ROW/],
  ['archived threads', `state=archived&before=${LATER}`, /Index Cond: [^"]*ROW\(updated_at, id\) < ROW/],
])('a later page of %s starts at its cursor in the index', async (_name, parameters, condition) => {
  const { client } = await harness.memberPage();
  const path = `/api/chat/threads?${parameters}`;
  const statements = await statementsOf(harness.dataSource, () => read(client, [path]));
  const page = statements.find(({ sql }) => sql.includes('t.updated_at desc, t.id desc'))!;
  await runner.startTransaction();
  await runner.query('set local enable_seqscan = off');
  // The plan of a prepared statement after several executions, which ignores its parameters.
  await runner.query('set local plan_cache_mode = force_generic_plan');
  await runner.query(`prepare later_page as ${page.sql}`);
  const values = page.parameters.map((value) => `'${String(value)}'`).join(', ');
  const plan = JSON.stringify(await runner.query(`explain execute later_page(${values})`));
  await runner.query('deallocate later_page');
  await runner.rollbackTransaction();
  expect(plan).toMatch(condition);
  expect(plan).not.toContain('"Sort');
});

describe('no statement scans a growing table', () => {
  it.each(journeys)('in %s', async (_name, journey) => {
    const { count, scans } = await scansOf(journey);
    expect(count).toBeGreaterThan(0);
    expect(scans).toEqual([]);
  });
});
