import { figure } from '../figures.mjs';
import { startPassThrough, startProduct, warmUp } from '../servers.mjs';

/** Cost of a token on the OpenAI-compatible API. */
export async function run({ harness, upstream, quick, runLoad, members }) {
  const { url, keys } = await members(1000);
  const results = {};
  for (const [name, start, path] of [
    ['floor', () => startPassThrough(upstream), '/v1/chat/completions'],
    ['product', () => startProduct(harness, url, upstream), '/api/v1/chat/completions'],
  ]) {
    const server = await start();
    const target = { port: server.port, path, keys };
    const watched = { server: server.pid, storage: harness.storagePids };
    const plan = { mode: 'steady', kind: 'sse', target, users: 200, tps: 50, tokens: 250, watched };
    results[name] = await runLoad({ ...plan, warm: warmUp(quick), seconds: quick ? 4 : 8 });
    await server.end('SIGKILL');
  }
  const { floor, product } = results;
  return [
    figure(
      'public API, streaming: CPU per token, product / floor',
      product.cpuPerMillion.server / floor.cpuPerMillion.server,
      '×',
      { atMost: 0.9 },
    ),
    figure('public API, streaming: added per token, p99', product.delay.p99, 'ms', { atMost: 45 }),
    figure('public API, streaming: added per token, floor, p99', floor.delay.p99, 'ms'),
    figure('public API, streaming: short or failed answers', product.short + product.failures, '', { atMost: 0 }),
  ];
}
