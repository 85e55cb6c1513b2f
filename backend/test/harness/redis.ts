import { rm } from 'node:fs/promises';
import { Redis } from 'ioredis';
import { freePort } from './free-port.js';
import { RedisServer } from './servers/redis-server.js';
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
  const server = await RedisServer.create(
    cluster ? { 'cluster-enabled': 'yes', 'cluster-port': String(await freePort()) } : undefined,
  );
  const start = async (): Promise<void> => {
    await server.start();
    if (cluster) await assignAllSlots(server.url);
  };
  await start();
  const stop = async (): Promise<void> => {
    await server.kill();
    await rm(server.folder, { recursive: true, force: true });
  };
  return { url: server.url, kill: () => server.kill(), start, stop };
}

async function assignAllSlots(url: string): Promise<void> {
  const client = new Redis(url);
  // A restarted server keeps its slots, and refuses to get them again.
  await client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383).catch(() => undefined);
  await waitUntil('the cluster', async () => String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok'));
  client.disconnect();
}
