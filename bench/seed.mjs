import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createHash } from 'node:crypto';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Rows of one thread: a short conversation of five questions and five answers. */
const MESSAGES_A_THREAD = 10;

const ROWS_A_CHUNK = 500;

/** Columns of the generated rows. */
const COLUMNS = {
  '"user"': 'id, username, username_key, password_hash, full_name, email',
  thread: 'id, owner, user_id, title, model_id, created_at, updated_at, active_leaf_id',
  message: 'id, thread_id, parent_id, user_id, content, is_user_message, model_id, search',
  generation:
    'id, owner, user_id, client_message_id, request_hash, thread_id, user_message_id, message_id, model_id, status, cost, period, node_id, finished_at',
  usage_record: 'owner, user_id, generation_id, period, model_id, cost, state, settled_at',
};

const MODEL = 'openai/gpt-4o-mini';
const START = Date.UTC(2026, 0, 1);

/** Number of words that occur in a few messages each, beside those in every message. */
const RARE_WORDS = 50_000;
const rareWord = (index) => `topic${(index * 7919) % RARE_WORDS}`;
export const COMMON_WORD = 'conversation';

/**
 * Fills a migrated database with COPY: users, threads, messages with their search vectors, and the generation and the
 * ledger's row of each thread's last answer. Planner statistics are fresh afterwards.
 * @param sizes number of `threads` and of additional `users`; `heavy` owns every second thread, `ordinary` fifty
 */
export async function seedConversations(url, { threads, users, heavy, ordinary }) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    // A later round reuses the rows.
    if ((await client.query('select from thread limit 1')).rowCount > 0) return;
    const { rows } = await client.query(`select coalesce(max(id), 0) as last from "user"`);
    const others = { first: rows[0].last + 1, count: users };
    const ownerOf = (thread) => {
      if (thread % 2 === 0) return heavy;
      return thread < 100 ? ordinary : others.first + (((thread - 1) / 2) % others.count);
    };
    const index = await withoutSearchIndex(client);
    await client.query('set session_replication_role = replica');
    await copy(client, '"user"', userRows(others));
    await copy(client, 'thread', threadRows(threads, ownerOf));
    await copy(client, 'message', messageRows(threads, ownerOf));
    await copy(client, 'generation', generationRows(threads, ownerOf));
    await copy(client, 'usage_record', ledgerRows(threads, ownerOf));
    await client.query('set session_replication_role = default');
    await client.query("set maintenance_work_mem = '512MB'");
    await client.query(index);
    await setNumbering(client);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** Drops the search index, whose maintenance would dominate the import. @returns the statement that recreates it */
async function withoutSearchIndex(client) {
  const { rows } = await client.query(`select indexdef from pg_indexes where indexname = 'message_search'`);
  await client.query('drop index message_search');
  return rows[0].indexdef;
}

async function setNumbering(client) {
  for (const table of ['user', 'thread', 'message']) {
    await client.query(`select setval(pg_get_serial_sequence('"${table}"', 'id'), (select max(id) from "${table}"))`);
  }
}

async function copy(client, table, rows) {
  const statement = `copy ${table} (${COLUMNS[table]}) from stdin`;
  await pipeline(Readable.from(chunks(rows)), client.query(copyFrom(statement)));
}

function* chunks(rows) {
  let lines = [];
  for (const row of rows) {
    lines.push(row.map((value) => value ?? '\\N').join('\t'));
    if (lines.length < ROWS_A_CHUNK) continue;
    yield `${lines.join('\n')}\n`;
    lines = [];
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
}

const timeOf = (thread) => new Date(START + thread * 1000).toISOString();

function* userRows({ first, count }) {
  for (let id = first; id < first + count; id += 1) {
    yield [id, `seeded-${id}`, `seeded-${id}`, 'none', `Person Number ${id}`, `person.${id}@example.com`];
  }
}

function* threadRows(threads, ownerOf) {
  for (let id = 1; id <= threads; id += 1) {
    const owner = ownerOf(id);
    const time = timeOf(id);
    yield [id, `user:${owner}`, owner, `About ${rareWord(id)}, ${id}`, MODEL, time, time, id * MESSAGES_A_THREAD];
  }
}

function* messageRows(threads, ownerOf) {
  for (let thread = 1; thread <= threads; thread += 1) {
    for (let turn = 1; turn <= MESSAGES_A_THREAD; turn += 1) {
      const id = (thread - 1) * MESSAGES_A_THREAD + turn;
      const isQuestion = turn % 2 === 1;
      const text = `what ${rareWord(id)} has to do with ${rareWord(thread)} in ${COMMON_WORD} ${thread}`;
      const parent = turn > 1 ? id - 1 : null;
      yield [id, thread, parent, ownerOf(thread), text, isQuestion, isQuestion ? null : MODEL, vectorOf(text)];
    }
  }
}

/** Equals to_tsvector('simple', …) for plain words. */
const vectorOf = (text) => [...new Set(text.split(' '))].map((word) => `'${word}':${text.indexOf(word) + 1}`).join(' ');

const uuidOf = (thread) =>
  createHash('md5')
    .update(String(thread))
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

function* generationRows(threads, ownerOf) {
  const node = uuidOf('node');
  for (let thread = 1; thread <= threads; thread += 1) {
    const owner = ownerOf(thread);
    const answer = thread * MESSAGES_A_THREAD;
    const id = uuidOf(thread);
    const keys = [id, `user:${owner}`, owner, id, 'none', thread, answer - 1, answer];
    yield [...keys, MODEL, 'complete', 1, 'ever', node, timeOf(thread)];
  }
}

function* ledgerRows(threads, ownerOf) {
  for (let thread = 1; thread <= threads; thread += 1) {
    const owner = ownerOf(thread);
    yield [`user:${owner}`, owner, uuidOf(thread), 'ever', MODEL, 1, 'charged', timeOf(thread)];
  }
}
