import { figure } from '../figures.mjs';
import { startPassThrough, startProduct, warmUp } from '../servers.mjs';

/** Time from a send to its first token under light load. The provider answers at once. */
export async function run({ harness, upstream, quick, runLoad, members }) {
  const { url, cookies } = await members(1000);
  const results = {};
  for (const [name, start] of [
    ['floor', () => startPassThrough(upstream)],
    ['product', () => startProduct(harness, url, upstream)],
  ]) {
    const server = await start();
    const plan = {
      mode: 'steady',
      kind: server.kind,
      target: { ...server.target, cookies },
      users: 20,
      tps: 50,
      tokens: 25,
    };
    const watched = { server: server.pid, storage: harness.storagePids };
    results[name] = await runLoad({ ...plan, warm: warmUp(quick), seconds: quick ? 4 : 10, watched });
    await server.end('SIGKILL');
  }
  const { floor, product } = results;
  return [
    figure('first token, 20 people, whole send path, p50', product.firstToken.p50, 'ms', { atMost: 6 }),
    figure('first token, 20 people, whole send path, p99', product.firstToken.p99, 'ms', { atMost: 20 }),
    figure('acknowledged after the commit, p50', product.ack.p50, 'ms'),
    figure('first token, floor (nothing stored), p50', floor.firstToken.p50, 'ms'),
  ];
}
