import { setTimeout as sleep } from 'node:timers/promises';
import { liftLimits } from '../accounts.mjs';
import { freePort } from '../child.mjs';
import { budget, figure } from '../figures.mjs';
import { ChatUser } from '../load/chat-user.mjs';
import { Meter } from '../load/meter.mjs';
import { callCounts, startProduct } from '../servers.mjs';

/** Answers before the count, so that caches are filled and lazily loaded code is there. */
const WARM = 20;
const ANSWERS = 40;
/** The first sweep of the retention follows a minute after the start. */
const SETTLED_SECONDS = 65;
/** Whole minutes: most work repeats every 30 s, and 10 s had some of it or none. */
const IDLE_SECONDS = 60;
const LONG = 250;
/** Slow enough that reads of the provider are not paced. */
const TOKENS_A_SECOND = 50;

/**
 * Calls of JavaScript functions for an answer, for a token and in an idle server, without Redis. They do not depend on the
 * machine: this is the amount of code that runs, where `streams` measures the time that it takes.
 */
export async function run({ harness, upstream, print }) {
  const port = await freePort();
  const url = await harness.database('calls');
  await liftLimits(harness, url);
  const probe = callCounts(port);
  const server = await startProduct(harness, url, upstream, { ...probe, env: { ...probe.env, REDIS_URL: '' } });
  const take = async () => total(await (await fetch(`http://127.0.0.1:${port}/`)).json());
  try {
    const user = await signedIn(server.port);
    const answers = async (count, tokens) => {
      await user.answers(2, tokens);
      await take();
      const since = performance.now();
      await user.answers(count, tokens);
      const seconds = (performance.now() - since) / 1000;
      return { ...(await take()), seconds };
    };
    await user.answers(WARM, 1);
    await user.answers(2, LONG);
    await sleep(SETTLED_SECONDS * 1000);
    await take();
    await sleep(IDLE_SECONDS * 1000);
    const idle = await take();
    const idleCalls = idle.calls / IDLE_SECONDS;
    const ownCalls = ({ calls, seconds }) => calls - seconds * idleCalls;
    const short = await answers(ANSWERS, 1);
    const single = await answers(1, 1);
    const long = await answers(4, LONG);
    user.close();
    print(`most called in a one-token answer: ${short.most.join(', ')}`);
    print(`most called in an idle server: ${idle.most.join(', ')}`);
    return [
      figure('an answer of one token, calls of functions', ownCalls(short) / ANSWERS, '', budget('callsOfAnAnswer')),
      figure('an answer of one token, different functions', single.functions, '', budget('functionsOfAnAnswer')),
      figure(
        'one more token, calls of functions',
        (ownCalls(long) / 4 - ownCalls(short) / ANSWERS) / (LONG - 1),
        '',
        budget('callsOfAToken'),
      ),
      figure('an idle server, calls of functions a second', idleCalls, '', budget('callsOfAnIdleSecond')),
    ];
  } finally {
    await server.end('SIGKILL');
  }
}

/** Calls, functions and the names of the most called functions of a count. */
function total(scripts) {
  const all = scripts.flatMap(({ url, functions }) => functions.map((each) => ({ ...each, url })));
  const most = all.toSorted((a, b) => b.calls - a.calls).slice(0, 12);
  return {
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    functions: all.length,
    most: most.map(
      ({ url, name, offset, calls }) => `${name || '(anonymous)'} ${url.split('/').at(-1)}:${offset} ${calls}`,
    ),
  };
}

/** The admin with an open socket. */
async function signedIn(port) {
  const response = await fetch(`http://127.0.0.1:${port}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'the admin of the bench' }),
  });
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  if (!response.ok) throw new Error(`login: ${await response.text()}`);
  const user = await new Promise((resolve) => new ChatUser({ port, cookies: [cookie] }, 0, new Meter({}), resolve));
  return {
    async answers(count, tokens) {
      for (let index = 0; index < count; index += 1) {
        await new Promise((resolve) => {
          user.onEnd = resolve;
          user.ask({ tokens, tps: TOKENS_A_SECOND });
        });
      }
    },
    close: () => user.close(),
  };
}
