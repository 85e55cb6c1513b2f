import { rm } from 'node:fs/promises';
import type { Certificate } from './certificate.js';
import { RedisServer } from './redis-server.js';
import { waitUntil } from '../wait-until.js';

const NAME = 'main';
const SENTINELS = 3;

/** How long the primary may be silent before it is replaced, ms. */
const DOWN_AFTER_MS = 4_000;

/** A primary, its replica and three Sentinels, as real processes. */
export class TestSentinels {
  private constructor(
    private readonly servers: RedisServer[],
    private readonly sentinels: RedisServer[],
  ) {}

  /** @param certificate with one the servers accept TLS alone */
  static async start(certificate: Certificate | null = null): Promise<TestSentinels> {
    const primary = await RedisServer.create({ 'repl-diskless-sync-delay': '0' }, certificate);
    const replica = await RedisServer.create({ replicaof: `127.0.0.1 ${primary.port}` }, certificate);
    await Promise.all([primary.start(), replica.start()]);
    await waitUntil('the replica', () => isSynced(primary));
    const sentinels = await Promise.all(
      Array.from({ length: SENTINELS }, () =>
        RedisServer.createSentinel(
          [
            `sentinel monitor ${NAME} 127.0.0.1 ${primary.port} 2`,
            `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
            `sentinel failover-timeout ${NAME} 10000`,
            // By itself a Sentinel looks for replicas every 10 s.
            `sentinel known-replica ${NAME} 127.0.0.1 ${replica.port}`,
          ],
          certificate,
        ),
      ),
    );
    await Promise.all(sentinels.map((sentinel) => sentinel.start()));
    const started = new TestSentinels([primary, replica], sentinels);
    await waitUntil('the Sentinels', async () => (await Promise.all(sentinels.map(isReady))).every(Boolean));
    return started;
  }

  /** Value of REDIS_URL. */
  get url(): string {
    const [first, ...others] = this.sentinels;
    return `${[first!.url, ...others.map(({ address }) => address)].join(',')}?sentinel=${NAME}`;
  }

  /** The server that the Sentinels name. */
  async primary(): Promise<RedisServer> {
    const [, port] = (await this.sentinels[0]!.call('SENTINEL', 'get-master-addr-by-name', NAME)) as [string, string];
    return this.servers.find((server) => server.port === Number(port))!;
  }

  /** Waits until the replica has every write of the primary. */
  async synced(): Promise<void> {
    const primary = await this.primary();
    await waitUntil('the replica', () => isSynced(primary));
  }

  /** Waits until the Sentinels name another primary, which accepts writes. */
  async replaced(old: RedisServer): Promise<void> {
    await waitUntil('the failover', async () => {
      const primary = await this.primary();
      return primary !== old && /^role:master/m.test(String(await primary.call('INFO', 'replication')));
    });
  }

  async stop(): Promise<void> {
    const all = [...this.sentinels, ...this.servers];
    await Promise.all(all.map((server) => server.kill()));
    for (const { folder } of all) await rm(folder, { recursive: true, force: true });
  }
}

/** Whether the replica of a primary has all of its writes. */
async function isSynced(primary: RedisServer): Promise<boolean> {
  const info = String(await primary.call('INFO', 'replication'));
  const offset = /^master_repl_offset:(\d+)/m.exec(info)?.[1];
  return offset !== undefined && info.includes(`state=online,offset=${offset},`);
}

/** Whether a Sentinel has found the replica and the other Sentinels. */
async function isReady(sentinel: RedisServer): Promise<boolean> {
  const reply = (await sentinel.call('SENTINEL', 'MASTER', NAME).catch(() => [])) as string[];
  const fields = new Map(reply.flatMap((name, index) => (index % 2 === 0 ? [[name, reply[index + 1]!]] : [])));
  return fields.get('num-slaves') === '1' && fields.get('num-other-sentinels') === String(SENTINELS - 1);
}
