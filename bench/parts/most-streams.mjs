import { figure } from '../figures.mjs';
import { startPassThrough, startProduct, warmUp } from '../servers.mjs';

/** Highest p99 of the added latency, ms. */
const LIMIT = 150;

/** Number of streams of 50 tokens a second that one core carries, beside the floor's number on the same core. */
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
    held[name] = await runLoad({ ...plan, step: quick ? 200 : 100, most: 2500, limit: LIMIT, watched });
    await server.end('SIGKILL');
  }
  const { floor, product } = held;
  return [
    figure(`streams on one core, p99 ≤ ${LIMIT} ms, product`, product.held, ''),
    figure(`streams on one core, p99 ≤ ${LIMIT} ms, floor`, floor.held, ''),
    figure(`streams on one core, p99 ≤ ${LIMIT} ms, product / floor`, product.held / floor.held, '×', { atLeast: 1 }),
    figure('tokens a second at the peak, product', product.peak, ''),
  ];
}
