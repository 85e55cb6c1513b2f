import { cores } from '../child.mjs';
import { figure } from '../figures.mjs';
import { startProduct, warmUp } from '../servers.mjs';

/** The same load on one worker and on two: what sharing through Redis costs a token. Order reversed each round. */
export async function run({ ground, upstream, quick, round, runLoad, members }) {
  const { url, cookies } = await members(1000);
  const results = {};
  for (const count of round % 2 === 0 ? [1, 2] : [2, 1]) {
    const server = await startProduct(ground, url, upstream, {
      core: `${cores.others},${cores.server}`,
      env: { WEB_CONCURRENCY: String(count) },
    });
    const target = { ...server.target, cookies };
    const watched = { server: server.pid, storage: ground.storagePids };
    const plan = { mode: 'steady', kind: 'chat', target, users: 200, tps: 50, tokens: 250, watched };
    results[count] = await runLoad({ ...plan, warm: warmUp(quick), seconds: quick ? 5 : 8 });
    await server.end('SIGKILL');
  }
  const [one, two] = [results[1], results[2]];
  return [
    figure('CPU per token, two workers / one', two.cpuPerMillion.server / one.cpuPerMillion.server, '×', {
      atMost: 1.1,
    }),
    figure('two workers: added per token, p99', two.delay.p99, 'ms'),
    figure('two workers: short or failed answers', two.short + two.failures, '', { atMost: 0 }),
  ];
}
