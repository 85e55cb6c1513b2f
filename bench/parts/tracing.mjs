import { createServer } from 'node:http';
import { once } from 'node:events';
import { makeMembers } from '../accounts.mjs';
import { figure } from '../figures.mjs';
import { openHarness } from '../harness.mjs';
import { startProduct, warmUp } from '../servers.mjs';

const MEMBERS = 600;

/** Answers in flight of each of the four products. Their number decides how often a sampled operation is active. */
const LOADS = [
  { load: 'with a reserve', inFlight: 2 },
  { load: 'at the limit', inFlight: 64 },
];

/** Duration of a measurement, s. Pauses for garbage are a large part of a short one. */
const SECONDS = 30;

/**
 * CPU of a whole one-token answer with 1 % of the traces exported, relative to none. Such answers have the most spans per
 * CPU time. Two products of each kind, with separate storage, share one core and answer at the same time: the machine
 * becomes slower or faster for all of them, and the two that do not trace show how far equal processes differ.
 */
export async function run({ upstream, quick, runLoad }) {
  const collector = await startCollector();
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  };
  const products = await Promise.all([{}, tracing, {}, tracing].map((env) => startMeasured(upstream, env)));
  let failures = 0;
  const costs = (inFlight, seconds) =>
    Promise.all(
      products.map(async ({ target, pid }) => {
        const sends = { mode: 'sends', kind: 'chat', waits: 'end', tokens: 1, tps: 50, users: MEMBERS, inFlight };
        const result = await runLoad({ ...sends, target, warm: 3, seconds, watched: { server: pid } });
        failures += result.failures;
        return result.cpu.server / result.answers;
      }),
    );
  // Long, because the code of rare spans is compiled late.
  await costs(32, 3 * warmUp(quick));
  const figures = [];
  for (const { load, inFlight } of LOADS) {
    const [plain, traced, otherPlain, otherTraced] = await costs(inFlight, quick ? 10 : SECONDS);
    const name = `CPU of a one-token answer, ${load}`;
    figures.push(
      figure(`${name}: 1 % of the traces exported / none`, (traced + otherTraced) / (plain + otherPlain), '×', {
        atMost: 1.05,
      }),
      figure(`${name}: none / none in another process`, otherPlain / plain, '×'),
    );
  }
  await Promise.all(products.map((product) => product.end()));
  collector.end();
  return [
    ...figures,
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
