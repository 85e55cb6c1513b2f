import { Redis } from 'ioredis';
import { figure } from '../figures.mjs';
import { Histogram } from '../load/histogram.mjs';
import { COMMON_WORD, seedConversations } from '../seed.mjs';
import { startProduct } from '../servers.mjs';

/** Numbers of threads; the largest is compared with the middle one. */
const [SMALLEST, BASE, LARGEST] = [100, 10_000, 1_000_000];

const count = (rows) => rows.toLocaleString('en');

const ADMIN = 1;
const ORDINARY = 2;

/** A thread of the heavy member, who owns every thread with an even id. */
const THREAD = 2;

/**
 * Frequent calls of pages and API clients. `who` is the index of a member, the heavy one by default, or a function of the
 * call's number.
 */
const CALLS = [
  { name: 'the user', path: '/api/user' },
  { name: 'the quota', path: '/api/user/quota' },
  { name: 'the message count', path: '/api/user/message-count' },
  { name: 'threads', path: '/api/chat/threads' },
  { name: 'threads, some pages on', path: '/api/chat/threads?before=2026-01-01T00:01:00.000000Z_60' },
  { name: 'threads of an ordinary member', path: '/api/chat/threads', who: ORDINARY },
  { name: 'search for one thread', path: `/api/chat/threads?query=${COMMON_WORD}%20${THREAD}` },
  { name: 'search for a word of all messages', path: `/api/chat/threads?query=${COMMON_WORD}`, who: ORDINARY },
  { name: 'the same for the owner of half of all messages', path: `/api/chat/threads?query=${COMMON_WORD}` },
  { name: 'search without a match', path: '/api/chat/threads?query=nowheretobefound' },
  { name: 'messages', path: `/api/chat/threads/${THREAD}/messages` },
  { name: 'export', path: `/api/chat/threads/${THREAD}/export?format=md` },
  { name: 'rename', method: 'PATCH', path: `/api/chat/threads/${THREAD}`, body: { title: 'Another title' } },
  {
    name: 'send and its whole answer',
    method: 'POST',
    path: '/api/chat/message',
    body: { content: 'tokens=1 tps=0', threadId: null, model: 'openai/gpt-4o-mini' },
    // A single member would be rate limited.
    who: (index) => ORDINARY + (index % 90),
  },
  { name: 'users', path: '/api/admin/users', who: ADMIN },
  { name: 'users by name', path: '/api/admin/users?sort=username', who: ADMIN },
  { name: 'users, search for a part', path: '/api/admin/users?query=mber%209', who: ADMIN },
  { name: 'users, search for one', path: '/api/admin/users?query=bench-50', who: ADMIN },
  { name: 'users, search for two letters', path: '/api/admin/users?query=be', who: ADMIN },
];

/** Rounds after which counted searches are cleared: a member has 120 a minute, and each size searches once in a round. */
const CLEARED_EACH = 30;

/** Measures the same calls over few and over many rows, in turns; `--rows N` bounds the rows. */
export async function run({ harness, upstream, quick, members, rows }) {
  const most = rows ?? (quick ? BASE : LARGEST);
  const harnesses = [];
  const redis = new Redis(harness.redisUrl);
  try {
    for (const size of [SMALLEST, BASE, LARGEST].filter((each) => each <= most)) {
      const { url, cookies, ids } = await members(100, `lists_${size}`);
      await harness.query(url, 'update "user" set is_admin = true where id = $1', [ids[ADMIN]]);
      const sizes = { threads: size, users: Math.max(1, size / 10), heavy: ids[0], ordinary: ids[ORDINARY] };
      await seedConversations(url, sizes);
      const server = await startProduct(harness, url, upstream);
      harnesses.push({ size, cookies, server, origin: `http://127.0.0.1:${server.port}` });
    }
    const figures = [];
    for (const call of CALLS) figures.push(...(await compare(call, harnesses, quick ? 100 : 300, redis)));
    return figures;
  } finally {
    redis.disconnect();
    for (const { server } of harnesses) await server.end('SIGKILL');
  }
}

/** Measures in turns, so that other load of the machine affects all sizes alike. */
async function compare(call, harnesses, times, redis) {
  const histograms = new Map(harnesses.map(({ size }) => [size, new Histogram()]));
  for (let index = 0; index < times; index += 1) {
    if (index % CLEARED_EACH === 0) await clearSearches(redis);
    for (const { size, origin, cookies } of harnesses) {
      const micros = await timeOf(call, origin, cookies, index);
      // The first calls fill caches and create plans.
      if (index >= times / 10) histograms.get(size).add(micros);
    }
  }
  const medianAt = (size) => histograms.get(size)?.quantile(0.5);
  const ratio = medianAt(LARGEST) / medianAt(BASE);
  return [
    ...harnesses.map(({ size }) => figure(`${call.name}, ${count(size)} threads, p50`, medianAt(size), 'ms')),
    figure(`${call.name}, ${count(LARGEST)} threads / ${count(BASE)}`, ratio, '×', { atMost: 1.2 }),
  ];
}

/** Clears the searches that the rate limit has counted. The products share Redis, so their members do too. */
async function clearSearches(redis) {
  const counted = await redis.keys('tanya:limit:search:*');
  if (counted.length > 0) await redis.del(counted);
}

async function timeOf({ path, who = 0, method = 'GET', body }, origin, cookies, index) {
  const client = typeof who === 'function' ? who(index) : who;
  const from = performance.now();
  const answer = await fetch(origin + path, {
    method,
    headers: { cookie: cookies[client], ...(body ? { 'Content-Type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${method} ${answer.url}: ${answer.status}`);
  return (performance.now() - from) * 1000;
}
