import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from './logging.js';

export const REDIS = Symbol('REDIS');

/** A command that Redis doesn't answer fails instead of waiting for ever: callers then say 503 or go to Postgres. */
const COMMAND_TIMEOUT = 2_000;

const OPTIONS: RedisOptions = {
  enableOfflineQueue: false,
  commandTimeout: COMMAND_TIMEOUT,
  maxRetriesPerRequest: 1,
  retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
};

/**
 * A connection that fails fast while Redis is away and comes back by itself.
 * @param blocking for connections that wait on purpose (subscriptions, blocking reads): no command timeout
 */
export async function connectRedis(url: string, logger: Logger, options: { blocking?: boolean } = {}): Promise<Redis> {
  const redis = new Redis(url, {
    ...OPTIONS,
    ...(options.blocking ? { commandTimeout: undefined, maxRetriesPerRequest: null, enableOfflineQueue: true } : {}),
    lazyConnect: true,
  });
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) logger.warn({ err: error }, 'redis is away');
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.info('redis is back');
    away = false;
  });
  await redis.connect();
  return redis;
}

/** Says at the start what would bite later. */
export async function warnAboutRedis(redis: Redis, logger: Logger): Promise<void> {
  const answer: unknown = await redis.config('GET', 'maxmemory-policy').catch(() => null);
  const policy: unknown = Array.isArray(answer) ? answer[1] : null;
  if (policy !== null && policy !== 'noeviction') {
    logger.warn({ policy }, 'redis may evict sessions and generation logs: set maxmemory-policy to noeviction');
  }
}
