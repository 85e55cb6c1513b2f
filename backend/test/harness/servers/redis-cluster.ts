import { rm } from 'node:fs/promises';
import { Command } from 'ioredis';
import { freePort } from '../free-port.js';
import type { Certificate } from './certificate.js';
import { RedisServer } from './redis-server.js';
import { waitUntil } from '../wait-until.js';

const SLOTS = 16_384;
const PRIMARIES = 3;

/** How long a node may be silent before its replica takes over, ms. */
const NODE_TIMEOUT_MS = 2_000;

/** A cluster of three primaries with one replica each, as real processes. */
export class TestCluster {
  private constructor(private readonly servers: RedisServer[]) {}

  /** @param certificate with one the nodes accept TLS alone */
  static async start(certificate: Certificate | null = null): Promise<TestCluster> {
    const servers: RedisServer[] = [];
    for (let index = 0; index < 2 * PRIMARIES; index += 1) {
      servers.push(
        await RedisServer.create(
          {
            'cluster-enabled': 'yes',
            'cluster-port': String(await freePort()),
            'cluster-node-timeout': String(NODE_TIMEOUT_MS),
            'repl-diskless-sync-delay': '0',
          },
          certificate,
        ),
      );
    }
    const cluster = new TestCluster(servers);
    await cluster.startAll();
    await cluster.form();
    return cluster;
  }

  /** Value of REDIS_URL: two of the nodes, which name the others. */
  get url(): string {
    const [first, second] = this.servers;
    return `${first!.url},${second!.address}?cluster=1`;
  }

  get nodes(): readonly RedisServer[] {
    return this.servers;
  }

  async startAll(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.start()));
  }

  async killAll(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.kill()));
  }

  async stop(): Promise<void> {
    await this.killAll();
    for (const { folder } of this.servers) await rm(folder, { recursive: true, force: true });
  }

  /** Slot of a key or a channel. */
  slotOf(key: string): number {
    return new Command('get', [key]).getSlot();
  }

  /** The primary of a key's slot, as `witness` sees it. */
  async primaryOf(key: string, witness = this.servers.at(-1)!): Promise<RedisServer> {
    const slot = this.slotOf(key);
    const range = (await this.slots(witness)).find(({ first, last }) => first <= slot && slot <= last);
    return this.servers.find(({ port }) => port === range?.port)!;
  }

  /** The servers that serve slots. */
  async primaries(witness = this.servers.at(-1)!): Promise<RedisServer[]> {
    const ranges = await this.slots(witness);
    return this.servers.filter(({ port }) => ranges.some((range) => range.port === port));
  }

  /** Waits until a live node sees all slots served, none of them by `dead`. */
  async failedOver(dead: RedisServer): Promise<void> {
    const witness = this.servers.find((server) => server !== dead)!;
    await waitUntil('the failover', async () => {
      const ranges = await this.slots(witness);
      return (await this.isOk(witness)) && ranges.every(({ port }) => port !== dead.port);
    });
  }

  /** Waits until every server sees a complete cluster. */
  async complete(): Promise<void> {
    await waitUntil('the cluster', async () =>
      (await Promise.all(this.servers.map((server) => this.isOk(server)))).every(Boolean),
    );
  }

  /** Waits until every live server has stopped serving the cluster, because slots have no primary. */
  async isDown(live: readonly RedisServer[]): Promise<void> {
    await waitUntil('the loss', async () => {
      const infos = await Promise.all(live.map((server) => server.call('CLUSTER', 'INFO')));
      return infos.every((info) => String(info).includes('cluster_state:fail'));
    });
  }

  /** Moves a slot with its keys to another primary, as a rebalancing does. */
  async migrate(slot: number, from: RedisServer, to: RedisServer): Promise<void> {
    const [fromId, toId] = await Promise.all([from.call('CLUSTER', 'MYID'), to.call('CLUSTER', 'MYID')]);
    await to.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', String(fromId));
    await from.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', String(toId));
    for (;;) {
      const keys = (await from.call('CLUSTER', 'GETKEYSINSLOT', slot, 100)) as string[];
      if (keys.length === 0) break;
      await from.call('MIGRATE', '127.0.0.1', to.port, '', 0, 5_000, 'KEYS', ...keys);
    }
    await to.call('CLUSTER', 'SETSLOT', slot, 'NODE', String(toId));
    await from.call('CLUSTER', 'SETSLOT', slot, 'NODE', String(toId));
  }

  /** Number of commands that were refused because their keys lie in several slots. */
  async crossSlotErrors(): Promise<number> {
    const infos = await Promise.all(this.servers.map((server) => server.call('INFO', 'errorstats')));
    return infos.reduce<number>(
      (sum, info) => sum + Number(/errorstat_CROSSSLOT:count=(\d+)/.exec(String(info))?.[1] ?? 0),
      0,
    );
  }

  private async form(): Promise<void> {
    const primaries = this.servers.slice(0, PRIMARIES);
    const ids = await Promise.all(this.servers.map((server) => server.call('CLUSTER', 'MYID')));
    for (const [index, primary] of primaries.entries()) {
      const first = Math.floor((index * SLOTS) / PRIMARIES);
      const last = Math.floor(((index + 1) * SLOTS) / PRIMARIES) - 1;
      await primary.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
      await primary.call('CLUSTER', 'ADDSLOTSRANGE', first, last);
    }
    const busPorts = await Promise.all(this.servers.map((server) => server.call('CONFIG', 'GET', 'cluster-port')));
    for (const [index, { port }] of this.servers.entries()) {
      if (index > 0) await primaries[0]!.call('CLUSTER', 'MEET', '127.0.0.1', port, (busPorts[index] as string[])[1]!);
    }
    for (const [index, replica] of this.servers.slice(PRIMARIES).entries()) {
      await waitUntil('the replica', () =>
        replica.call('CLUSTER', 'REPLICATE', String(ids[index])).then(
          () => true,
          () => false,
        ),
      );
    }
    await this.complete();
    await waitUntil('the replicas', async () => {
      const ranges = await this.slots(this.servers[0]!);
      return ranges.length === PRIMARIES && ranges.every(({ replicas }) => replicas === 1);
    });
  }

  private async isOk(server: RedisServer): Promise<boolean> {
    const info = await server.call('CLUSTER', 'INFO').catch(() => '');
    return /cluster_state:ok/.test(String(info)) && /cluster_slots_ok:16384/.test(String(info));
  }

  private async slots(
    witness: RedisServer,
  ): Promise<{ first: number; last: number; port: number; replicas: number }[]> {
    const ranges = (await witness.call('CLUSTER', 'SLOTS')) as [number, number, ...[string, number][]][];
    return ranges.map(([first, last, ...holders]) => ({
      first,
      last,
      port: holders[0]![1],
      replicas: holders.length - 1,
    }));
  }
}
