import { setTimeout as sleep } from 'node:timers/promises';
import { figure } from '../figures.mjs';
import { Histogram } from '../load/histogram.mjs';
import { startProduct } from '../servers.mjs';

const ADMIN = 0;

/** Members that send in turn, so that none is rate limited. */
const SENDERS = 90;

const SWEEP_BEGINS_MS = 60_000;

/** Waits for whole answers of one token while a sweep deletes old threads, and before it. `--rows N` sets their number. */
export async function run({ harness, upstream, quick, members, rows }) {
  const old = rows ?? (quick ? 20_000 : 1_000_000);
  const times = quick ? 300 : 2_000;
  const { url, cookies, ids } = await members(100, 'sweep');
  await harness.query(url, 'update "user" set is_admin = true where id = $1', [ids[ADMIN]]);
  await addOldThreads(harness, url, old, ids.at(-1));
  const server = await startProduct(harness, url, upstream);
  const call = callsTo(`http://127.0.0.1:${server.port}`, cookies);
  try {
    await waits(call, 200);
    const calm = await waits(call, times);
    const left = await beginSweep(harness, url, call, ids.at(-1));
    const from = performance.now();
    const swept = await waits(call, times);
    const deleted = left - (await oldThreads(harness, url, ids.at(-1)));
    return [
      figure('whole answer, p99', calm.quantile(0.99), 'ms'),
      figure('whole answer during a sweep, p99', swept.quantile(0.99), 'ms'),
      figure('whole answer during a sweep / before it, p99', swept.quantile(0.99) / calm.quantile(0.99), '×', {
        atMost: 1.2,
      }),
      figure('threads with ten messages deleted a second', deleted / ((performance.now() - from) / 1000), ''),
    ];
  } finally {
    await server.end('SIGKILL');
  }
}

async function addOldThreads(harness, url, count, owner) {
  await harness.query(
    url,
    `insert into thread (owner, user_id, title, updated_at)
     select 'user:' || $1::int, $1::int, 'old', now() - interval '40 days' from generate_series(1, $2::int)`,
    [owner, count],
  );
  await harness.query(
    url,
    `insert into message (thread_id, user_id, content, is_user_message)
     select t.id, t.user_id, 'An old message of the sweep', n % 2 = 1 from thread t, generate_series(1, 10) n where t.title = 'old'`,
  );
  await harness.query(url, 'vacuum analyze');
}

const oldThreads = async (harness, url, owner) =>
  Number(
    (await harness.query(url, `select count(*) from thread where user_id = $1 and title = 'old'`, [owner]))[0].count,
  );

/** Gives the rules their effect at once and waits for the first batch. @returns the threads that are left then */
async function beginSweep(harness, url, call, owner) {
  await call(ADMIN, 'PUT', '/api/admin/retention', { free: 30 });
  await harness.query(url, `update retention set effective_at = now() - interval '1 second', swept_at = null`);
  await call(ADMIN, 'PUT', '/api/admin/retention', {});
  const before = await oldThreads(harness, url, owner);
  for (const from = performance.now(); performance.now() - from < SWEEP_BEGINS_MS; await sleep(200)) {
    const left = await oldThreads(harness, url, owner);
    if (left < before) return left;
  }
  throw new Error('the sweep did not begin');
}

const callsTo = (origin, cookies) => async (client, method, path, body) => {
  const headers = { cookie: cookies[client], 'Content-Type': 'application/json' };
  const answer = await fetch(origin + path, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`);
};

/** Sends one message after another. */
async function waits(call, times) {
  const histogram = new Histogram();
  const body = { content: 'tokens=1 tps=0', threadId: null, model: 'openai/gpt-4o-mini' };
  for (let index = 0; index < times; index += 1) {
    const from = performance.now();
    await call(1 + (index % SENDERS), 'POST', '/api/chat/message', body);
    histogram.add((performance.now() - from) * 1000);
  }
  return histogram;
}
