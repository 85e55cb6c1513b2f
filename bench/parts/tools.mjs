import { figure, median } from '../figures.mjs';
import { startProduct, warmUp } from '../servers.mjs';

const USERS = 200;
const WITH_TOOLS = 20;

/** A ratio of two p99s that counts as the same: both vary by this much between two runs without calls. */
const KEPT = 1.2;

/**
 * 180 streams beside 20 whose answers begin with a call of a built-in tool, and beside 20 like themselves. Calls may not
 * delay the others' tokens.
 */
export async function run({ harness, upstream, quick, runLoad, members }) {
  const { url, cookies } = await members(1000);
  const results = {};
  for (const [name, plan] of [
    ['plain', {}],
    ['tools', { words: 'tokens=250 tps=50 call', tools: ['calculate'] }],
  ]) {
    const server = await startProduct(harness, url, upstream);
    const load = (from, users, more = {}) =>
      runLoad({
        mode: 'steady',
        kind: 'chat',
        target: { ...server.target, cookies: cookies.slice(from, from + users) },
        users,
        tps: 50,
        tokens: 250,
        warm: warmUp(quick),
        seconds: quick ? 5 : 10,
        watched: { server: server.pid, storage: harness.storagePids },
        ...more,
      });
    const [others, few] = await Promise.all([load(0, USERS - WITH_TOOLS), load(USERS, WITH_TOOLS, plan)]);
    results[name] = { others, few };
    await server.end('SIGKILL');
  }
  const { plain, tools } = results;
  const typical = ({ others }) => median(others.p99s);
  return [
    figure(
      '20 of 200 streams call a tool: p99 of the others / without calls, in a typical second',
      typical(tools) / typical(plain),
      '×',
      { atMost: KEPT },
    ),
    figure('20 of 200 streams call a tool: p99 of the others in a typical second', typical(tools), 'ms', {
      atMost: 45,
    }),
    figure('without calls: p99 of the others in a typical second', typical(plain), 'ms'),
    figure('with calls: answers of the 20 that were short or failed', tools.few.short + tools.few.failures, '', {
      atMost: 0,
    }),
    figure('with calls: answers of the 20', tools.few.answers, ''),
  ];
}
