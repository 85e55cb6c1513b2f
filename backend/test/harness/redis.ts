import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';

export interface TestRedis {
  url: string;
  /** Ends the server at once, as a crash would. Everything in it is lost. */
  kill(): Promise<void>;
  /** Starts it again, empty, at the same address. */
  start(): Promise<void>;
  /** Ends it for good. */
  stop(): Promise<void>;
}

/**
 * A redis-server of one's own: publish and subscribe know no database numbers, so sharing one would leak events.
 * @param options.cluster a cluster of this one server: it refuses, as several would, commands over keys in different slots
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
    await answers(url);
    if (cluster) await takeAllSlots(url);
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

async function takeAllSlots(url: string): Promise<void> {
  const client = new Redis(url);
  // Once it is started again it has them already.
  await client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383).catch(() => undefined);
  while (!String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) await sleep(25);
  client.disconnect();
}

async function answers(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null });
  client.on('error', () => undefined);
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      await client.connect();
      client.disconnect();
      return;
    } catch {
      await sleep(25);
    }
  }
  throw new Error('redis-server did not start');
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the integration project, whose global set-up provides it`);
  return value;
}
