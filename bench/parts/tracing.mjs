import { createServer } from 'node:http';
import { once } from 'node:events';
import { makeMembers } from '../accounts.mjs';
import { figure, median } from '../figures.mjs';
import { openHarness } from '../harness.mjs';
import { startProduct, warmUp } from '../servers.mjs';

const MEMBERS = 1000;

/** Leaves the core a reserve. At its limit operations wait for each other, and some sampled one is always active. */
const IN_FLIGHT = 4;

/**
 * CPU of a whole one-token answer with 1 % of the traces exported, relative to none. Such answers have the most spans per
 * CPU time. Both products run concurrently with separate storage and are measured in short turns; each turn is compared
 * with the turns beside it, so that a machine that becomes slower or faster favours neither.
 */
export async function run({ upstream, quick, runLoad }) {
  const collector = await startCollector();
  const plain = await startMeasured(upstream, {});
  const traced = await startMeasured(upstream, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  });
  const turn = async ({ target, pid }, { warm, seconds }) => {
    const plan = {
      mode: 'sends',
      kind: 'chat',
      target,
      users: MEMBERS,
      inFlight: IN_FLIGHT,
      waits: 'end',
      tokens: 1,
      tps: 50,
    };
    const { cpu, answers, failures } = await runLoad({ ...plan, warm, seconds, watched: { server: pid } });
    return { cost: cpu.server / answers, failures };
  };
  for (const server of [plain, traced]) await turn(server, { warm: warmUp(quick), seconds: 1 });

  const ratios = [];
  let failures = 0;
  for (let pair = 0; pair < (quick ? 4 : 12); pair += 1) {
    const order = pair % 2 === 0 ? [plain, traced] : [traced, plain];
    const found = new Map();
    for (const server of order) found.set(server, await turn(server, { warm: 0.5, seconds: 4 }));
    ratios.push(found.get(traced).cost / found.get(plain).cost);
    failures += found.get(traced).failures + found.get(plain).failures;
  }
  await Promise.all([plain.end(), traced.end()]);
  collector.end();
  return [
    figure('CPU of a one-token answer, 1 % of the traces exported / none', median(ratios), '×', { atMost: 1.05 }),
    figure('exports that the collector received', collector.exports(), '', { atLeast: 1 }),
    figure('sends refused or failed', failures, '', { atMost: 0 }),
  ];
}

async function startMeasured(upstream, env) {
  const harness = await openHarness();
  const url = await harness.database('tracing');
  const { cookies } = await makeMembers(harness, url, MEMBERS);
  const server = await startProduct(harness, url, upstream, { env });
  return {
    target: { ...server.target, cookies },
    pid: server.pid,
    async end() {
      await server.end('SIGKILL');
      await harness.close();
    },
  };
}

/** A collector that takes each export and keeps nothing. */
async function startCollector() {
  let exports = 0;
  const server = createServer((request, response) => {
    exports += 1;
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, exports: () => exports, end: () => server.close() };
}
