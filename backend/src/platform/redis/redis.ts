import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from '../observability/logging.js';

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
 * For subscriptions, which wait on purpose. A subscription that is asked for while the connection comes back is sent before
 * Redis was asked whether it is ready, and after it that question is an error that would end the process.
 */
const SUBSCRIBING: RedisOptions = {
  commandTimeout: undefined,
  maxRetriesPerRequest: null,
  enableOfflineQueue: true,
  enableReadyCheck: false,
};

/**
 * A connection that fails fast while Redis is away and comes back by itself. Opening it fails when Redis is away now.
 * @param blocking for connections that wait on purpose: no command timeout
 */
export async function connectRedis(url: string, logger: Logger, options: { blocking?: boolean } = {}): Promise<Redis> {
  const redis = new Redis(url, {
    ...OPTIONS,
    ...(options.blocking ? SUBSCRIBING : {}),
    lazyConnect: true,
  });
  let isOpen = false;
  let trouble: Error | null = null;
  redis.on('error', (error: Error) => {
    if (isOpen && trouble === null) logger.warn({ err: error }, 'redis is away');
    trouble = error;
  });
  redis.on('ready', () => {
    if (isOpen && trouble !== null) logger.info('redis is back');
    trouble = null;
  });
  try {
    await redis.connect();
  } catch (error) {
    // It would go on by itself; and what it says here is only that there is no connection, not why.
    redis.disconnect();
    throw (trouble as Error | null) ?? error;
  }
  isOpen = true;
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
