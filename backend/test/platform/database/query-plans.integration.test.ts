import type { AdminModel, CreatedApiKey, OwnUsage } from '@tanya/contract';
import type { QueryRunner } from 'typeorm';
import { selectOld } from '../../../src/chat/messages/old-threads-sql.js';
import { ThreadDeletion } from '../../../src/chat/threads/thread-deletion.js';
import { PLANNED_EACH_TIME } from '../../../src/platform/database/prepared-connection.js';
import type { ChatHarness } from '../../harness/chat-harness.js';
import type { HttpClient } from '../../harness/http-client.js';
import { upload } from '../../harness/uploads.js';
import { waitUntil } from '../../harness/wait-until.js';
import { openWebUi } from '../../imports/export-fixtures.js';
import { importJson } from '../../imports/imports-harness.js';
import { type Statement, statementsOf } from '../../harness/statements.js';
import { read, startPlanHarness } from './plan-harness.js';

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
let close: () => Promise<void>;

beforeAll(async () => ({ harness, runner, close } = await startPlanHarness()));

afterAll(() => close());

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
