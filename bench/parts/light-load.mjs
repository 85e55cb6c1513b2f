import { figure } from '../figures.mjs';
import { startPassThrough, startProduct, warmUp } from '../servers.mjs';

/** Added latency per token while the server has little to do: reads are not paced then. */
export async function run({ harness, upstream, quick, runLoad, members }) {
  const { url, cookies } = await members(1000);
  const results = {};
  for (const [name, start] of [
    ['floor', () => startPassThrough(upstream)],
    ['product', () => startProduct(harness, url, upstream)],
  ]) {
    const server = await start();
    results[name] = await runLoad({
      mode: 'steady',
      kind: server.kind,
      target: { ...server.target, cookies },
      users: 20,
      tps: 50,
      tokens: 250,
      warm: warmUp(quick),
      seconds: quick ? 4 : 10,
      watched: { server: server.pid, storage: harness.storagePids },
    });
    await server.end('SIGKILL');
  }
  const { floor, product } = results;
  return [
    figure('20 × 50 tok/s: added per token, product, p50', product.delay.p50, 'ms', { atMost: 1 }),
    figure('20 × 50 tok/s: added per token, product, p99', product.delay.p99, 'ms', { atMost: 8 }),
    figure('20 × 50 tok/s: added per token, floor, p50', floor.delay.p50, 'ms'),
    figure('20 × 50 tok/s: added per token, floor, p99', floor.delay.p99, 'ms'),
    figure('20 × 50 tok/s: short or failed answers, product', product.short + product.failures, '', { atMost: 0 }),
  ];
}
