import pg from 'pg';

/**
 * The built server as a process with fault injection: its clock can be moved and its event loop blocked, and the process
 * killed, or its connection to Postgres lost, at a chosen statement.
 */
const { dist, env, timings } = JSON.parse(process.env.TANYA_FAULTS_NODE);

let clockOffset = 0;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [RealDate.now() + clockOffset] : parts));
  }
  static now() {
    return RealDate.now() + clockOffset;
  }
};

/** The current trap `{sql, action}`; it is triggered once. */
let trap = null;
let release = null;
const query = pg.Client.prototype.query;

pg.Client.prototype.query = function (...parts) {
  // A query of its own class holds its text and callback.
  const own = typeof parts[0]?.submit === 'function' ? parts[0] : null;
  const text = typeof parts[0] === 'string' ? parts[0] : (parts[0]?.text ?? '');
  if (trap === null || !new RegExp(trap.sql).test(text)) return query.apply(this, parts);
  const callback = own?.callback ?? (typeof parts.at(-1) === 'function' ? parts.pop() : null);
  const run = () => (own === null ? query.apply(this, parts) : answerTo(this, own));
  const sprung = spring(this, run);
  if (callback === null) return sprung;
  sprung.then(
    (result) => callback(null, result),
    (error) => callback(error),
  );
  return own ?? undefined;
};

const answerTo = (client, own) =>
  new Promise((resolve, reject) => {
    own.callback = (error, result) => (error ? reject(error) : resolve(result));
    query.call(client, own);
  });

/** Statements of a send commit by themselves, so their response follows the commit. */
async function spring(client, run) {
  const { action } = trap;
  trap = null;
  process.send({ sprung: action, backend: client.processID });
  if (action === 'die before') process.kill(process.pid, 'SIGKILL');
  if (action === 'wait before') await new Promise((resolve) => (release = resolve));
  const result = await run();
  if (action === 'die after') process.kill(process.pid, 'SIGKILL');
  if (action === 'lose answer') {
    client.connection.stream.destroy();
    throw new Error('Connection terminated unexpectedly');
  }
  return result;
}

const { createApp } = await import(`${dist}/bundle/app.js`);
const { ToolRegistry } = await import(`${dist}/bundle/tool-registry.js`);
const { readEnv } = await import(`${dist}/bundle/env.js`);
// The audits count the calls of answers alone.
const starting = createApp({ env: readEnv(env), timings: { ...timings, titlePause: 24 * 60 * 60_000 } });

const orders = {
  block: ({ ms }) => {
    for (const end = performance.now() + ms; performance.now() < end;);
  },
  clock: ({ ms }) => void (clockOffset = ms),
  trap: ({ rule }) => void (trap = rule),
  release: () => release?.(),
  stats: () => {
    globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    const { heapUsed, rss } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo();
    const count = (name) => resources.filter((each) => each === name).length;
    return {
      heap: heapUsed,
      rss,
      cpu: (user + system) / 1e6,
      sockets: count('TCPSocketWrap'),
      timers: count('Timeout'),
    };
  },
};

process.on('message', ({ id, order, ...rest }) => process.send({ id, answer: orders[order](rest) ?? null }));
process.on('disconnect', () => process.exit(0));

let stopping = false;
process.on('SIGTERM', () => {
  if (stopping) return;
  stopping = true;
  starting
    .then((app) => app.close())
    .then(
      () => process.exit(0),
      () => process.exit(1),
    );
});

const app = await starting;

/** Tools whose runs the scripted provider counts and delays. */
const harnessTool = (name, policy) => ({
  name,
  title: 'Harness tool',
  description: 'A tool of the fault harness.',
  parameters: { type: 'object', properties: { mark: { type: 'string' } } },
  policy,
  prepare:
    async ({ mark }) =>
    async (signal) => {
      const body = JSON.stringify({ prompt: mark });
      await fetch(`${env.OPENAI_BASE_URL}/tool`, { method: 'POST', body, signal });
      return { text: 'done' };
    },
});
const tools = [harnessTool('harness_tool', 'allow'), harnessTool('harness_asking_tool', 'ask')];
app.get(ToolRegistry).register({ list: async () => tools });
await app.listen(env.PORT, '127.0.0.1');
process.send({ ready: true });
