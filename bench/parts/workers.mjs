import { setTimeout as sleep } from 'node:timers/promises';
import { makeMembers } from '../accounts.mjs';
import { cores } from '../child.mjs';
import { figure } from '../figures.mjs';
import { openHarness } from '../harness.mjs';
import { startProduct, startRelay, warmUp } from '../servers.mjs';

const TOKENS = 250;
const TOKENS_A_SECOND = 50;
/** Time until the answers of disconnected users have ended, ms. */
const LAST_ANSWERS = (TOKENS / TOKENS_A_SECOND) * 1000 + 500;

/**
 * Cost of a token with two workers, relative to one. Both products run concurrently with separate storage and are measured
 * in turns, forwards and backwards, so that a machine that becomes slower or faster favours neither. One worker is
 * measured with all streams and with half of them, because fewer streams are batched less; a bare relay with both loads
 * shows that effect alone.
 */
export async function run({ upstream, quick, runLoad }) {
  const one = await startWorkers(1, upstream);
  const two = await startWorkers(2, upstream);
  const relay = await startRelay(upstream);
  const [seconds, warm] = quick ? [3, 2] : [5, 3];
  const load = async ({ kind, target, watched }, users, time = { warm, seconds }) => {
    const plan = { mode: 'steady', kind, target, watched, users, tps: TOKENS_A_SECOND, tokens: TOKENS, ...time };
    const result = await runLoad(plan);
    await sleep(LAST_ANSWERS);
    return result;
  };
  // Each of two workers gets half of the load, so the warm-up takes twice as long.
  await load(one, 200, { warm: warmUp(quick), seconds: 1 });
  await load(two, 200, { warm: 2 * warmUp(quick), seconds: 1 });

  const bare = { ...relay, watched: { server: relay.pid } };
  const turns = [
    ['half a relay', bare, 100],
    ['relay', bare, 200],
    ['half of one', one, 100],
    ['one', one, 200],
    ['two', two, 200],
  ];
  const results = Object.fromEntries(turns.map(([name]) => [name, []]));
  for (const [name, server, users] of [...turns, ...turns.toReversed()]) {
    results[name].push(await load(server, users));
  }
  await Promise.all([one.end(), two.end(), relay.end('SIGKILL')]);

  const cost = (name) => results[name].reduce((sum, { cpuPerMillion }) => sum + cpuPerMillion.server, 0);
  const worst = (of) => Math.max(...results.two.map(of));
  return [
    figure('CPU per token, two workers / one, 100 streams each', cost('two') / cost('half of one'), '×', {
      atMost: 1.1,
    }),
    figure('CPU per token, two workers / one, 200 streams in all', cost('two') / cost('one'), '×', { atMost: 1.1 }),
    figure('CPU per token, relay with 100 streams / with 200', cost('half a relay') / cost('relay'), '×'),
    figure(
      'two workers: added per token, p99',
      worst(({ delay }) => delay.p99),
      'ms',
    ),
    figure(
      'two workers: short or failed answers',
      worst(({ short, failures }) => short + failures),
      '',
      { atMost: 0 },
    ),
  ];
}

async function startWorkers(count, upstream) {
  const harness = await openHarness();
  const url = await harness.database('workers');
  const { cookies } = await makeMembers(harness, url, 1000);
  const server = await startProduct(harness, url, upstream, {
    core: cores.all,
    env: { WEB_CONCURRENCY: String(count) },
  });
  return {
    kind: server.kind,
    target: { ...server.target, cookies },
    watched: { server: server.pid },
    async end() {
      await server.end('SIGKILL');
      await harness.close();
    },
  };
}
