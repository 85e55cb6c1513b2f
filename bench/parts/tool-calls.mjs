import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { figure, median } from '../figures.mjs';
import { startProduct } from '../servers.mjs';
import { startToolProvider } from '../servers/tool-provider.mjs';

/** Members that call in turn, so that their rate limits do not matter. Each has a session with the server. */
const MEMBERS = 20;

/**
 * Time that a call of an MCP tool adds to the server's own time: from the model's call to the request at the server, and
 * from the server's response to the next step of the model. Both commits of the call and the check of access are in it.
 */
export async function run({ harness, quick, members }) {
  const { url, cookies, ids } = await members(MEMBERS + 1, 'tool_calls');
  await harness.query(url, 'update "user" set is_admin = true where id = $1', [ids[0]]);
  const provider = await startToolProvider();
  const server = await startProduct(harness, url, provider);
  const call = callerOf(`http://127.0.0.1:${server.port}`);
  try {
    const { id } = await call(cookies[0], 'POST', '/api/admin/tool-servers', { name: 'Bench', url: provider.mcpUrl });
    await call(cookies[0], 'PATCH', `/api/admin/tool-servers/${id}`, { tools: { lookup: 'allow' } });
    const first = [];
    const later = [];
    for (let round = 0; round < (quick ? 5 : 15); round += 1) {
      for (let member = 1; member <= MEMBERS; member += 1) {
        const added = await addedTime(call, cookies[member], provider);
        // The first rounds compile code and fill caches; the first of all opens the sessions.
        if (round === 0) first.push(added);
        else if (round > 1) later.push(added);
      }
    }
    // A later round uses the same database.
    await call(cookies[0], 'DELETE', `/api/admin/tool-servers/${id}`);
    const [before, after] = ['before', 'after'].map((name) => later.map((added) => added[name]));
    const all = later.map(sum);
    return [
      figure('added by a call of an MCP tool, p50', median(all), 'ms', { atMost: 10 }),
      figure('added by a call of an MCP tool, p99', percentile(all, 0.99), 'ms'),
      figure('of it before the request to the server, p50', median(before), 'ms'),
      figure('of it after its response, p50', median(after), 'ms'),
      figure('added by the first call of a member, which opens a session, p50', median(first.map(sum)), 'ms'),
      figure('floor: one commit, p50', await commitTime(url), 'ms'),
    ];
  } finally {
    await server.end('SIGKILL');
    provider.end();
  }
}

async function addedTime(call, cookie, { times, tool }) {
  for (const name of Object.keys(times)) delete times[name];
  const { aiMessage } = await call(cookie, 'POST', '/api/chat/message', { content: 'look it up', tools: [tool] });
  const { called, callArrived, answered, resultArrived } = times;
  if (aiMessage.status !== 'complete' || resultArrived === undefined) throw new Error('The tool was not called');
  // The title of the thread is written after the answer.
  await sleep(20);
  return { before: callArrived - called, after: resultArrived - answered };
}

const sum = ({ before, after }) => before + after;

/** Median time of a durable commit of one row. */
async function commitTime(url) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('create table commits (n int)');
  const times = [];
  for (let n = 0; n < 100; n += 1) {
    const from = performance.now();
    await client.query('insert into commits values ($1)', [n]);
    times.push(performance.now() - from);
  }
  await client.query('drop table commits');
  await client.end();
  return median(times);
}

const callerOf = (origin) => async (cookie, method, path, body) => {
  const headers = { cookie, 'content-type': 'application/json' };
  const answer = await fetch(origin + path, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
};

const percentile = (values, share) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1];
