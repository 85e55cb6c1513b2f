import { type Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress, RedisSentinelAddress } from '../../config/redis-url.js';
import type { Logger } from '../observability/logging.js';
import { connectAnyNode } from './cluster-nodes.js';
import { connectCluster } from './redis-cluster.js';
import { refuseNodeOfCluster } from './redis-checks.js';
import { COMMANDS, handleUnawaitedReplies, type RedisClient, SUBSCRIPTIONS } from './redis-client.js';
import { type ShardedSubscriber, ShardedSubscriptions } from './sharded-subscriptions.js';

export const REDIS = Symbol('REDIS');

/**
 * Opens a connection for commands. It fails fast while Redis is unavailable and reconnects by itself.
 * @throws the error of the first attempt
 */
export function connectRedis(address: RedisAddress, logger: Logger): Promise<RedisClient> {
  return address.kind === 'cluster' ? connectCluster(address, logger) : connectServer(address, logger);
}

/**
 * Opens a connection for subscriptions, without a command timeout. It reconnects and subscribes again by itself.
 * @param client in a cluster its list of nodes is used
 */
export function connectSubscriber(address: RedisAddress, logger: Logger, client: RedisClient): Promise<Redis> {
  if (address.kind === 'cluster') return connectAnyNode(client as Cluster, address);
  return connectServer(address, logger, SUBSCRIPTIONS);
}

/**
 * Opens a connection for sharded subscriptions.
 * @param client in a cluster its map of slots is used
 */
export async function connectShardedSubscriber(
  address: RedisAddress,
  logger: Logger,
  client: RedisClient,
): Promise<ShardedSubscriber> {
  if (address.kind === 'cluster') return new ShardedSubscriptions(client as Cluster, address);
  return connectServer(address, logger, SUBSCRIPTIONS);
}

/** Reply of a Sentinel that watches no primary of this name. */
const UNKNOWN_NAME = /invalid reply: null|No such master/;

/** Reply to a number that the server's `databases` does not allow. */
const UNKNOWN_DATABASE = /DB index is out of range/;

export interface RedisFanOut {
  publisher: RedisClient;
  subscriber: ShardedSubscriber;
}

async function connectServer(
  address: Exclude<RedisAddress, { kind: 'cluster' }>,
  logger: Logger,
  subscriptions: RedisOptions | null = null,
): Promise<Redis> {
  const settings: RedisOptions = { ...COMMANDS, ...subscriptions, lazyConnect: true };
  const redis =
    address.kind === 'server'
      ? new Redis(address.url, settings)
      : new Redis({ ...settings, ...sentinelOptions(address) });
  if (subscriptions !== null) handleUnawaitedReplies(redis);
  const opened = watchConnection(redis, logger);
  try {
    await opened(redis.connect());
    // ioredis selects it on each connect, and stays in database 0 if the server refuses.
    if (subscriptions === null && redis.options.db) await redis.select(redis.options.db);
    if (address.kind === 'server' && subscriptions === null) await refuseNodeOfCluster(redis);
  } catch (error) {
    // ioredis would keep reconnecting.
    redis.disconnect();
    if (!UNKNOWN_DATABASE.test(String(error))) throw error;
    throw new Error(`REDIS_URL names database ${redis.options.db}, which the server does not have`, { cause: error });
  }
  return redis;
}

function sentinelOptions(address: RedisSentinelAddress): RedisOptions {
  const { hosts, name, db, username, password, sentinelUsername, sentinelPassword, tls } = address;
  return {
    sentinels: hosts,
    name,
    db,
    username: username ?? undefined,
    password: password ?? undefined,
    sentinelUsername: sentinelUsername ?? undefined,
    sentinelPassword: sentinelPassword ?? undefined,
    ...(tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    // A primary that hangs keeps its connections open: the Sentinels announce that another one has replaced it.
    failoverDetector: true,
    sentinelRetryStrategy: COMMANDS.retryStrategy,
    sentinelReconnectStrategy: COMMANDS.retryStrategy,
    sentinelCommandTimeout: COMMANDS.commandTimeout,
  };
}

/**
 * Logs the loss and the return of a connection.
 * @returns waits for the first connection; rejects with its error event, which names the cause
 */
function watchConnection(redis: Redis, logger: Logger): (connecting: Promise<void>) => Promise<void> {
  let isOpen = false;
  let lastError: Error | null = null;
  let isUnknown = false;
  let failFirst: (error: Error) => void = () => undefined;
  redis.on('sentinelError', ({ message }: Error) => (isUnknown ||= UNKNOWN_NAME.test(message)));
  redis.on('error', (error: Error) => {
    if (isOpen && lastError === null) logger.warn({ err: error }, 'redis connection lost; reconnecting');
    lastError = error;
    failFirst(isUnknown ? new Error(`No Sentinel of REDIS_URL has a primary named ${redis.options.name}`) : error);
  });
  redis.on('ready', () => {
    if (isOpen && lastError !== null) logger.info('redis connection restored');
    lastError = null;
  });
  return async (connecting) => {
    // With Sentinels ioredis never rejects the connect: it asks them again and again.
    const failed = new Promise<never>((_, reject) => (failFirst = reject));
    try {
      await Promise.race([connecting, failed]);
    } catch (error) {
      // The error event names the cause, ioredis's own rejection does not.
      throw isUnknown ? error : (lastError ?? error);
    }
    isOpen = true;
    failFirst = () => undefined;
  };
}
