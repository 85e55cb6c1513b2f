import { figure } from '../figures.mjs';
import { startPassThrough, startProduct, startTlsUpstream, warmUp } from '../servers.mjs';

const LOAD = 'upstream over TLS, 200 × 50 tok/s';

/** Cost of a token that arrives over TLS. Node delivers TLS record by record, so the floor reads TLS too. */
export async function run({ harness, quick, runLoad, members, round }) {
  const { url, cookies } = await members(1000);
  const upstream = await startTlsUpstream(harness.folder);
  const servers = [
    ['floor', () => startPassThrough(upstream)],
    ['product', () => startProduct(harness, url, upstream)],
  ];
  const results = {};
  for (const [name, start] of round % 2 === 0 ? servers : servers.toReversed()) {
    const server = await start();
    results[name] = await runLoad({
      mode: 'steady',
      kind: server.kind,
      target: { ...server.target, cookies },
      users: 200,
      tps: 50,
      tokens: 250,
      warm: warmUp(quick),
      seconds: quick ? 5 : 8,
      watched: { server: server.pid, storage: harness.storagePids },
    });
    await server.end('SIGKILL');
  }
  await upstream.end('SIGKILL');
  const { floor, product } = results;
  const cpu = ({ cpuPerMillion }) => cpuPerMillion.server;
  return [
    figure(`${LOAD}: CPU per million tokens, product / floor`, cpu(product) / cpu(floor), '×', { atMost: 0.9 }),
    figure(`${LOAD}: CPU per million tokens, floor`, cpu(floor), 's'),
    figure(`${LOAD}: added per token, product, p50`, product.delay.p50, 'ms', { atMost: 20 }),
    figure(`${LOAD}: added per token, product, p99`, product.delay.p99, 'ms', { atMost: 45 }),
    figure(`${LOAD}: added per token, floor, p99`, floor.delay.p99, 'ms'),
    figure(`${LOAD}: short or failed answers, product`, product.short + product.failures, '', { atMost: 0 }),
  ];
}
