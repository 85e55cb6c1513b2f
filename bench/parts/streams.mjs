import { figure } from '../figures.mjs';
import { startPassThrough, startProduct, startRelay, warmUp } from '../servers.mjs';

/**
 * Cost of a token: the product and its two baselines, one server at a time, under the same load. A quick run leaves out the
 * bare relay, which has no goals.
 */
export async function run(context) {
  return [
    ...(await compare(context, { users: 200, tps: 50, goals: { cpu: 0.9, storage: 0.25, p50: 20, p99: 45 } })),
    ...(await compare(context, { users: 100, tps: 200, goals: { cpu: 0.6 } })),
  ];
}

async function compare(context, { users, tps, goals }) {
  const results = await measure(context, { users, tps });
  return figuresOf(`${users} × ${tps} tok/s`, results, goals);
}

async function measure({ upstream, harness, quick, runLoad, round, members }, { users, tps }) {
  const { url, cookies } = await members(1000);
  const servers = {
    floor: () => startPassThrough(upstream),
    ...(quick ? {} : { relay: () => startRelay(upstream) }),
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
  return results;
}

function figuresOf(load, { floor, relay, product }, goals) {
  const perFloorCpu = (seconds) => seconds / floor.cpuPerMillion.server;
  const cpu = `${load}: CPU per million tokens`;
  const added = `${load}: added per token`;
  return [
    figure(`${cpu}, product / floor`, perFloorCpu(product.cpuPerMillion.server), '×', { atMost: goals.cpu }),
    figure(`${cpu}, product's Postgres and Redis / floor`, perFloorCpu(product.cpuPerMillion.storage), '×', {
      atMost: goals.storage,
    }),
    figure(`${cpu}, floor`, floor.cpuPerMillion.server, 's'),
    figure(`${added}, product, p50`, product.delay.p50, 'ms', { atMost: goals.p50 }),
    figure(`${added}, product, p99`, product.delay.p99, 'ms', { atMost: goals.p99 }),
    figure(`${added}, floor, p50`, floor.delay.p50, 'ms'),
    figure(`${added}, floor, p99`, floor.delay.p99, 'ms'),
    figure(`${load}: events per token, product`, product.eventsAToken, ''),
    figure(`${load}: short or failed answers, product`, product.short + product.failures, '', { atMost: 0 }),
    ...(relay === undefined
      ? []
      : [
          figure(`${cpu}, bare Socket.IO relay / floor`, perFloorCpu(relay.cpuPerMillion.server), '×'),
          figure(`${added}, relay, p99`, relay.delay.p99, 'ms'),
        ]),
  ];
}
