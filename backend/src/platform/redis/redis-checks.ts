import { Cluster, type Redis } from 'ioredis';
import type { Logger } from '../observability/logging.js';
import { clusterState } from './redis-cluster.js';
import type { RedisClient } from './redis-client.js';

/** Keys of the check for a cluster: a node of several primaries has the slots of all of them in one of 65,000 cases. */
const PROBES = Array.from({ length: 16 }, (_, index) => `tanya:probe:${index}`);

/**
 * Refuses a node of a cluster that is addressed as a single server: it would answer the keys of its own slots alone.
 * A cluster behind a proxy, or of one node, answers all.
 */
export async function refuseNodeOfCluster(redis: Redis): Promise<void> {
  const replies = await Promise.allSettled(PROBES.map((key) => redis.exists(key)));
  const moved = replies.some((reply) => reply.status === 'rejected' && String(reply.reason).includes('MOVED'));
  if (moved) throw new Error('REDIS_URL names one node of a Redis Cluster: list its nodes and append ?cluster=1');
}

/** Warns at the start about an eviction policy that loses data. */
export async function warnAboutRedis(redis: RedisClient, logger: Logger): Promise<void> {
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  for (const server of servers) {
    const answer: unknown = await server.config('GET', 'maxmemory-policy').catch(() => null);
    const policy: unknown = Array.isArray(answer) ? answer[1] : null;
    if (policy === null || policy === 'noeviction') continue;
    logger.warn({ policy }, 'redis may evict sessions and generation logs: set maxmemory-policy to noeviction');
    return;
  }
}

export async function pingRedis(redis: RedisClient): Promise<void> {
  if (!(redis instanceof Cluster)) {
    await redis.ping();
    return;
  }
  const { state } = await clusterState(redis);
  if (state !== 'ok') throw new Error(`Redis Cluster unavailable: state ${state}`);
}
