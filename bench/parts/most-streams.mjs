import { figure } from '../figures.mjs';
import { startPassThrough, startProduct, warmUp } from '../servers.mjs';

/** Number of streams of 50 tokens a second on one core while the 99th percentile of the delay stays below 100 ms. */
export async function run({ harness, upstream, quick, runLoad, members }) {
  const { url, cookies } = await members(3000);
  const held = {};
  for (const [name, from, start] of [
    ['floor', 700, () => startPassThrough(upstream)],
    ['product', 300, () => startProduct(harness, url, upstream)],
  ]) {
    const server = await start();
    const plan = {
      mode: 'ramp',
      kind: server.kind,
      target: { ...server.target, cookies },
      tps: 50,
      tokens: 2000,
      from,
      warm: warmUp(quick),
    };
    const watched = { server: server.pid, storage: harness.storagePids };
    held[name] = await runLoad({ ...plan, step: quick ? 200 : 100, most: 2500, limit: 100, watched });
    await server.end('SIGKILL');
  }
  const { floor, product } = held;
  return [
    figure('streams on one core, p99 < 100 ms, product', product.held, '', { atLeast: 1200 }),
    figure('streams on one core, p99 < 100 ms, floor', floor.held, ''),
    figure('streams on one core, product / floor', product.held / floor.held, '×', { atLeast: 0.7 }),
    figure('tokens a second at the peak, product', product.peak, ''),
  ];
}
