import { createHash, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hash } from '@node-rs/argon2';
import { figure } from '../figures.mjs';
import { residentKb } from '../load/process-use.mjs';
import { startProduct } from '../servers.mjs';

const PASSWORD = 'the member of the bench';
const FILE_BYTES = 5 * 1024 * 1024;

/** Idle time after which Node has returned the memory of its start, s. */
const REST = 25;

/** Exports everything of an account: `--rows N` threads of ten messages (5,000), and 2 GB of files. */
export async function run({ harness, upstream, quick, rows, members }) {
  const threads = rows ?? (quick ? 500 : 5_000);
  const files = quick ? 40 : 410;
  const { url, cookies, ids } = await members(1, 'export');
  await fill(harness, url, ids[0], { threads, files });
  // One account may export three times a day.
  await harness.query(url, 'delete from data_export');
  const server = await startProduct(harness, url, upstream);
  try {
    await sleep(REST * 1000);
    const idle = residentKb(server.pid) / 1024;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, residentKb(server.pid) / 1024)), 50);
    const from = performance.now();
    const { bytes } = await exported(`http://127.0.0.1:${server.port}`, cookies[0]);
    const seconds = (performance.now() - from) / 1000;
    clearInterval(watch);
    return [
      figure(`export of ${threads} threads and ${files} files, memory above idle at the most`, most - idle, 'MB', {
        atMost: 150,
      }),
      figure('export, resident memory of the idle server', idle, 'MB'),
      figure('export, size of the archive', bytes / 2 ** 20, 'MB'),
      figure('export, time', seconds, 's'),
    ];
  } finally {
    await server.end('SIGKILL');
  }
}

async function fill(harness, url, userId, { threads, files }) {
  const passwordHash = await hash(PASSWORD);
  await harness.query(url, 'update "user" set password_hash = $1 where id = $2', [passwordHash, userId]);
  // A later round reuses the rows.
  if ((await harness.query(url, 'select from thread limit 1')).length > 0) return;
  await harness.query(
    url,
    `insert into thread (owner, user_id, title) select 'user:' || $1::int, $1::int, 'thread ' || n
     from generate_series(1, $2::int) n`,
    [userId, threads],
  );
  // Words that differ, as those of conversations do.
  await harness.query(
    url,
    `insert into message (thread_id, user_id, content, is_user_message)
     select t.id, t.user_id,
       (select string_agg(md5(t.id || ' ' || n || ' ' || word), ' ') from generate_series(1, 30) word), n % 2 = 1
     from thread t, generate_series(1, 10) n order by t.id, n`,
  );
  await harness.query(
    url,
    `update message set parent_id = path.before
     from (select id, lag(id) over (partition by thread_id order by id) as before from message) path
     where path.id = message.id`,
  );
  await harness.query(
    url,
    'update thread set active_leaf_id = (select max(id) from message where thread_id = thread.id)',
  );
  await harness.query(url, 'vacuum analyze');
  // One file on the disk stands for all.
  const content = randomBytes(FILE_BYTES);
  const source = join(harness.folder, 'content');
  writeFileSync(source, content);
  const ids = Array.from({ length: files }, (_, at) => idOf(at));
  for (const id of ids) {
    const shard = join(harness.folder, 'files', 'files', id.slice(0, 2));
    mkdirSync(shard, { recursive: true });
    linkSync(source, join(shard, id));
  }
  await harness.query(
    url,
    `insert into file (id, owner, user_id, thread_id, name, type, size)
     select id, 'user:' || $1::int, $1::int, (select min(id) from thread), 'a.png', 'image/png', $2
     from unnest($3::uuid[]) id`,
    [userId, FILE_BYTES, ids],
  );
}

function idOf(at) {
  const digits = createHash('sha256').update(`file ${at}`).digest('hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

async function exported(origin, cookie) {
  const headers = { cookie, 'Content-Type': 'application/json' };
  const call = async (path, init) => {
    const answer = await fetch(origin + path, { headers, ...init });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
    return JSON.parse(text);
  };
  const { id } = await call('/api/user/export', { method: 'POST', body: JSON.stringify({ password: PASSWORD }) });
  for (;;) {
    const status = await call(`/api/user/export/${id}`);
    if (status.state === 'failed') throw new Error('the export failed');
    if (status.state === 'done') return status;
    await sleep(500);
  }
}
