import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { Message, Thread } from '@tanya/contract';
import pg from 'pg';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { upgrade } from '../../src/app.upgrade.js';
import { DEFAULT_TIMINGS } from '../../src/config/timings.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { createEmptyDatabase, type TestDatabase } from '../harness/postgres.js';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { PASSWORD } from '../harness/test-app.js';
import { eventually } from '../harness/wait-until.js';

const RUNNING = randomUUID();
const ENDED = randomUUID();
const FOLDER = randomUUID();

/** Rows in the schema of the first version. They are never changed. */
const OLDEST_DATA = `
insert into "user" (id, username, username_key, password_hash, message_count) values (7, 'Ada', 'ada', $hash$, 1);
insert into model (model_id, name, provider) values ('old/model', 'Old model', 'old');
insert into thread (id, owner, user_id, title, model_id, active_leaf_id)
  values (1, 'user:7', 7, 'Of old', 'old/model', 2), (2, 'user:7', 7, 'Broken off', 'old/model', 4);
insert into message (id, thread_id, parent_id, user_id, content, is_user_message, status, model_id, generation_id, search) values
  (1, 1, null, 7, 'What is a harbour?', true, 'complete', null, null, to_tsvector('simple', 'What is a harbour?')),
  (2, 1, 1, 7, 'A place for ships.', false, 'complete', 'old/model', '${ENDED}', to_tsvector('simple', 'A place for ships.')),
  (3, 2, null, 7, 'And a quay?', true, 'complete', null, null, null),
  (4, 2, 3, 7, '', false, 'streaming', 'old/model', '${RUNNING}', null);
insert into generation (id, owner, user_id, client_message_id, request_hash, thread_id, user_message_id, message_id, model_id, status, cost, period, node_id, finished_at) values
  ('${ENDED}', 'user:7', 7, 'a', 'x', 1, 1, 2, 'old/model', 'complete', 1, 'ever', '${FOLDER}', now()),
  ('${RUNNING}', 'user:7', 7, 'b', 'y', 2, 3, 4, 'old/model', 'streaming', 1, 'ever', '${FOLDER}', null);
insert into generation_chunk (generation_id, seq, text, reasoning) values ('${RUNNING}', 3, 'A place to', '');
insert into quota_account (owner, period, user_id, charged, held, version) values ('user:7', 'ever', 7, 1, 1, 3);
insert into usage_record (owner, user_id, generation_id, period, model_id, cost, state, reason, settled_at) values
  ('user:7', 7, '${ENDED}', 'ever', 'old/model', 1, 'charged', 'complete', now()),
  ('user:7', 7, '${RUNNING}', 'ever', 'old/model', 1, 'held', null, null);
select setval(pg_get_serial_sequence('"user"', 'id'), 7), setval('thread_id_seq', 2), setval('message_id_seq', 4);`;

async function writeOldestDatabase(url: string): Promise<void> {
  const first = new DataSource({ ...dataSourceOptions(url, []), migrations: migrations.slice(0, 1) });
  await first.initialize();
  await first.runMigrations();
  await first.destroy();
  const client = new pg.Client(url);
  await client.connect();
  await client.query(OLDEST_DATA.replace('$hash$', client.escapeLiteral(await hash(PASSWORD))));
  await client.end();
}

/** As `npm run migrate` does, beside which nodes may run. */
async function migrateBesideNodes(url: string): Promise<void> {
  const dataSource = await new DataSource(dataSourceOptions(url, [], { pool: 2 })).initialize();
  const logger = pino({ enabled: false });
  const options = { version: 'own', timings: DEFAULT_TIMINGS, logger, isAlone: false, node: null };
  await upgrade(dataSource, options).finally(() => dataSource.destroy());
}

describe("the first version's database under today's code", () => {
  let database: TestDatabase;
  let server: ChatHarness;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await writeOldestDatabase(database.url);
    await migrateBesideNodes(database.url);
    server = await startChatHarness({ redis: false, database });
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  const signedIn = async () => {
    const browser = server.client();
    const answer = await browser.post('/api/login', { username: 'ada', password: PASSWORD });
    expect(answer.status).toBe(200);
    return browser;
  };

  test('lets its members sign in and read their threads', async () => {
    const browser = await signedIn();
    const threads = await browser.get<Thread[]>('/api/chat/threads');
    expect(threads.body.map(({ title }) => title).sort()).toEqual(['Broken off', 'Of old']);
    const messages = await browser.get<Message[]>('/api/chat/threads/1/messages');
    expect(messages.body.map(({ content }) => content)).toEqual(['What is a harbour?', 'A place for ships.']);
    const found = await browser.get<Thread[]>('/api/chat/threads?query=ships');
    expect(found.body.map(({ id }) => id)).toEqual([1]);
  });

  test('finalizes the running answer with its text, free of charge', async () => {
    const browser = await signedIn();
    await eventually(async () => {
      const messages = await browser.get<Message[]>('/api/chat/threads/2/messages');
      expect(messages.body.at(-1)).toMatchObject({ status: 'interrupted', content: 'A place to' });
      const quota = await browser.get('/api/user/quota');
      expect(quota.body).toMatchObject({ used: 1 });
    });
  });

  test('continues its sequences', async () => {
    const browser = await signedIn();
    const content = JSON.stringify({ text: 'And now?' });
    const answer = await browser.post<{ threadId: number }>('/api/chat/message', { content, model: 'old/model' });
    expect(answer.status).toBe(201);
    expect(answer.body.threadId).toBe(3);
  });
});
