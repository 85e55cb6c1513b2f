import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';
import { waitUntil } from './wait-until.js';

export interface TestRedis {
  url: string;
  /** Kills the server, as a crash would; its data is lost. */
  kill(): Promise<void>;
  /** Starts the server again, empty, at the same address. */
  start(): Promise<void>;
  /** Kills the server and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts a redis-server for one test file. Pub/sub ignores database numbers, so a shared server would leak events
 * between files.
 * @param options.cluster runs a cluster of one server, which rejects commands over keys of different slots
 */
export async function startRedis({ cluster = false } = {}): Promise<TestRedis> {
  const folder = join(required('TANYA_TEST_FOLDER'), 'redis', randomUUID());
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const clusterPort = cluster ? await freePort() : null;
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | null = null;
  const kill = async (): Promise<void> => {
    if (server === null) return;
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill('SIGKILL');
    server = null;
    await ended;
  };
  const start = async (): Promise<void> => {
    server ??= launch(port, folder, clusterPort);
    await waitForPing(url);
    if (cluster) await assignAllSlots(url);
  };
  await start();
  const stop = async (): Promise<void> => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  };
  return { url, kill, start, stop };
}

function launch(port: number, folder: string, clusterPort: number | null): ChildProcess {
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    pidfile: join(folder, 'pid'),
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
    ...(clusterPort === null ? {} : { 'cluster-enabled': 'yes', 'cluster-port': String(clusterPort) }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn(required('TANYA_TEST_REDIS_SERVER'), flags, { stdio: 'ignore' });
  server.unref();
  return server;
}

async function assignAllSlots(url: string): Promise<void> {
  const client = new Redis(url);
  // A restarted server keeps its slots, and refuses to get them again.
  await client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383).catch(() => undefined);
  await waitUntil('the cluster', async () => String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok'));
  client.disconnect();
}

async function waitForPing(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null });
  client.on('error', () => undefined);
  await waitUntil('redis-server', () =>
    client.connect().then(
      () => true,
      () => false,
    ),
  );
  client.disconnect();
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the integration project, whose global set-up provides it`);
  return value;
}
