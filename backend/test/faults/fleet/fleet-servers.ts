import { Cluster } from 'ioredis';
import { TestCluster } from '../../harness/servers/redis-cluster.js';
import { Database } from '../postgres-server.js';
import { FailoverPair } from './failover-pair.js';

/** Servers of a fleet: a Redis Cluster of three primaries with replicas, and Postgres with a synchronous standby. */
export class FleetServers {
  readonly database: Database;

  private constructor(
    readonly redis: TestCluster,
    readonly postgres: FailoverPair,
  ) {
    this.database = new Database(postgres.url, () => postgres.primaryUrl);
  }

  static async start(): Promise<FleetServers> {
    const [redis, postgres] = await Promise.all([TestCluster.start(), FailoverPair.start()]);
    return new FleetServers(redis, postgres);
  }

  /** Values of keys, on whichever server they lie. */
  async redisValues(keys: string[]): Promise<(string | null)[]> {
    const client = new Cluster(this.redis.nodes.map(({ port }) => ({ host: '127.0.0.1', port })));
    try {
      return await Promise.all(keys.map((key) => client.get(key)));
    } finally {
      client.disconnect();
    }
  }

  /** Kills the primary of Postgres and promotes its standby. */
  async failPostgresOver(): Promise<void> {
    await this.database.disconnect();
    await this.postgres.failOver();
  }

  /** Starts what was killed, as a replica or standby of its successor. */
  async restore(): Promise<void> {
    await this.redis.startAll();
    await this.redis.complete();
    await this.postgres.restore();
  }

  async stop(): Promise<void> {
    await this.redis.stop();
    await this.postgres.stop();
  }
}
