import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cores, freePort, root, start } from './child.mjs';
import { APP_SECRET } from './accounts.mjs';
import { createCertificate } from './certificate.mjs';

const own = (name) => [process.execPath, join(root, 'bench/servers', name)];

/** Warm-up until hot code is compiled, s. The product has far more code than its baselines. */
export const warmUp = (quick) => (quick ? 6 : 15);

export async function startUpstream() {
  const port = await freePort();
  const process = await start(own('upstream.mjs'), { env: { PORT: String(port) } });
  return { ...process, url: `http://127.0.0.1:${port}` };
}

/** Starts the same provider behind TLS. `trust` is the environment with which a process trusts its certificate. */
export async function startTlsUpstream(folder) {
  const port = await freePort();
  const { key, certificate } = createCertificate(folder);
  const env = { PORT: String(port), TLS_KEY: key, TLS_CERTIFICATE: certificate };
  const process = await start(own('upstream.mjs'), { env });
  return { ...process, url: `https://127.0.0.1:${port}`, trust: { NODE_EXTRA_CA_CERTS: certificate } };
}

/** Starts a provider that answers in Markdown, for measurements in a browser. */
export async function startAuthor() {
  const port = await freePort();
  const process = await start(own('author.mjs'), { env: { PORT: String(port) } });
  return { ...process, url: `http://127.0.0.1:${port}` };
}

/** Starts a provider of embeddings. */
export async function startEmbedder() {
  const port = await freePort();
  const process = await start(own('embedder.mjs'), { env: { PORT: String(port) } });
  return { ...process, port, url: `http://127.0.0.1:${port}` };
}

/** Starts the floor: a pass-through proxy. */
export async function startPassThrough(upstream) {
  const port = await freePort();
  const process = await start(own('pass-through.mjs'), {
    core: cores.server,
    env: { PORT: String(port), UPSTREAM: upstream.url, ...upstream.trust },
  });
  return { ...process, port, kind: 'sse', target: { port, path: '/v1/chat/completions' } };
}

/** Starts a bare Socket.IO relay. */
export async function startRelay(upstream) {
  const port = await freePort();
  const process = await start(own('relay.mjs'), {
    core: cores.server,
    env: { PORT: String(port), UPSTREAM: upstream.url },
  });
  return { ...process, port, kind: 'chat', target: { port } };
}

/** Starts the product as in production, with Postgres, Redis, quotas, validation and logs. */
export async function startProduct(harness, databaseUrl, upstream, { env = {}, flags = [], core = cores.server } = {}) {
  const port = await freePort();
  const process = await start([globalThis.process.execPath, ...flags, join(root, 'backend/dist/bundle/main.js')], {
    core,
    log: join(harness.folder, 'product.log'),
    readyWhen: () => isReady(port),
    env: {
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL: '20',
      REDIS_URL: harness.redisUrl,
      DATA_DIR: join(harness.folder, 'files'),
      APP_SECRET,
      ADMIN_PASSWORD: 'the admin of the bench',
      OPENROUTER_BASE_URL: `${upstream.url}/v1`,
      LOG_LEVEL: 'info',
      ...upstream.trust,
      ...env,
    },
  });
  return { ...process, port, kind: 'chat', target: { port } };
}

/** Node options and environment that make a server answer requests for its event loop's times on a port. */
export const eventLoopProbe = (port) => ({
  flags: ['--import', join(root, 'bench/servers/event-loop.mjs')],
  env: { EVENT_LOOP_PORT: String(port) },
});

/** Node options and environment that make a server count its calls of functions. */
export const callCounts = (port) => ({
  flags: ['--import', join(root, 'bench/servers/call-counts.mjs')],
  env: { CALL_COUNTS_PORT: String(port) },
});

async function isReady(port) {
  for (let tries = 0; tries < 1200; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health/ready`).catch(() => null);
    if (answer?.ok) return;
    await sleep(50);
  }
  throw new Error('The product did not become ready');
}
