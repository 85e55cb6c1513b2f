import { figure } from '../figures.mjs';
import { startPassThrough, startProduct, startRelay, warmUp } from '../servers.mjs';

/** Cost of a token: the product and its two baselines, one server at a time, under the same load. */
export async function run(context) {
  return [
    ...(await compare(context, { users: 200, tps: 50, cpuGoal: 1.25, isPaced: true })),
    ...(await compare(context, { users: 100, tps: 200, cpuGoal: 1, isPaced: false })),
  ];
}

async function compare(context, { users, tps, cpuGoal, isPaced }) {
  const { upstream, harness, quick, runLoad, round } = context;
  const { url, cookies } = await context.members(1000);
  const servers = {
    floor: () => startPassThrough(upstream),
    relay: () => startRelay(upstream),
    product: () => startProduct(harness, url, upstream),
  };
  const names = round % 2 === 0 ? Object.keys(servers) : Object.keys(servers).reverse();
  const results = {};
  for (const name of names) {
    const server = await servers[name]();
    results[name] = await runLoad({
      mode: 'steady',
      kind: server.kind,
      target: { ...server.target, cookies },
      users,
      tps,
      tokens: 250,
      warm: warmUp(quick),
      seconds: quick ? 5 : 8,
      watched: { server: server.pid, storage: harness.storagePids },
    });
    await server.end('SIGKILL');
  }
  const { floor, relay, product } = results;
  const load = `${users} × ${tps} tok/s`;
  const cpu = ({ cpuPerMillion }) => cpuPerMillion.server;
  const delays = isPaced ? [{ atMost: 1 }, { atMost: 8 }] : [{}, {}];
  return [
    figure(`${load}: CPU per million tokens, product / floor`, cpu(product) / cpu(floor), '×', { atMost: cpuGoal }),
    figure(`${load}: CPU per million tokens, bare Socket.IO relay / floor`, cpu(relay) / cpu(floor), '×'),
    figure(`${load}: CPU per million tokens, floor`, cpu(floor), 's'),
    figure(`${load}: CPU per million tokens, product's Postgres and Redis`, product.cpuPerMillion.storage, 's'),
    figure(`${load}: added per token, product, p50`, product.delay.p50, 'ms', delays[0]),
    figure(`${load}: added per token, product, p99`, product.delay.p99, 'ms', delays[1]),
    figure(`${load}: added per token, floor, p50`, floor.delay.p50, 'ms'),
    figure(`${load}: added per token, floor, p99`, floor.delay.p99, 'ms'),
    figure(`${load}: added per token, relay, p99`, relay.delay.p99, 'ms'),
    figure(`${load}: events per token, product`, product.eventsAToken, ''),
    figure(`${load}: short or failed answers, product`, product.short + product.failures, '', { atMost: 0 }),
  ];
}
