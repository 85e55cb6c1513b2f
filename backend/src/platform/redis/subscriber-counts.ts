import { Cluster, type Redis } from 'ioredis';
import { nodeNameOf, primaryOf, slotOf } from './cluster-nodes.js';
import type { RedisClient } from './redis-client.js';

/**
 * Number of subscribers of sharded channels, in the order of the channels. A cluster is asked with one command for each
 * primary that holds a channel.
 * @throws Error when a primary does not respond
 */
export async function countSubscribers(redis: RedisClient, channels: string[]): Promise<number[]> {
  if (!(redis instanceof Cluster)) return countAt(redis, channels);
  const servers = new Map(redis.nodes('master').map((node) => [nodeNameOf(node), node]));
  const channelsOf = new Map<string, string[]>();
  for (const channel of channels) {
    const primary = primaryOf(redis, slotOf(channel)) ?? '';
    const held = channelsOf.get(primary);
    if (held === undefined) channelsOf.set(primary, [channel]);
    else held.push(channel);
  }
  const counts = new Map<string, number>();
  await Promise.all(
    [...channelsOf].map(async ([primary, held]) => {
      const server = servers.get(primary);
      if (server === undefined) throw new Error('Redis Cluster unavailable: no primary for a channel');
      const numbers = await countAt(server, held);
      held.forEach((channel, index) => counts.set(channel, numbers[index]!));
    }),
  );
  return channels.map((channel) => counts.get(channel)!);
}

/** The reply alternates channel and count. */
async function countAt(server: Redis, channels: string[]): Promise<number[]> {
  const reply = (await server.call('PUBSUB', 'SHARDNUMSUB', ...channels)) as unknown[];
  return reply.filter((_, index) => index % 2 === 1).map(Number);
}
