import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from '../observability/logging.js';

export const REDIS = Symbol('REDIS');

/** Timeout of a command; callers then answer 503 or fall back to Postgres. */
const COMMAND_TIMEOUT_MS = 2_000;

const OPTIONS: RedisOptions = {
  enableOfflineQueue: false,
  commandTimeout: COMMAND_TIMEOUT_MS,
  maxRetriesPerRequest: 1,
  retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
};

/**
 * Options of connections for subscriptions and blocking reads. Without the ready check: a subscription queued during a
 * reconnect is sent before it, and Redis then refuses the check's INFO command with an error that would end the process.
 */
const SUBSCRIBING: RedisOptions = {
  commandTimeout: undefined,
  maxRetriesPerRequest: null,
  enableOfflineQueue: true,
  enableReadyCheck: false,
};

/**
 * Opens a connection that fails fast while Redis is unavailable and reconnects by itself.
 * @param options.blocking no command timeout, for subscriptions and blocking reads
 * @throws the error of the first attempt
 */
export async function connectRedis(url: string, logger: Logger, options: { blocking?: boolean } = {}): Promise<Redis> {
  const redis = new Redis(url, {
    ...OPTIONS,
    ...(options.blocking ? SUBSCRIBING : {}),
    lazyConnect: true,
  });
  if (options.blocking) handleUnawaitedReplies(redis);
  let isOpen = false;
  let lastError: Error | null = null;
  redis.on('error', (error: Error) => {
    if (isOpen && lastError === null) logger.warn({ err: error }, 'redis connection lost; reconnecting');
    lastError = error;
  });
  redis.on('ready', () => {
    if (isOpen && lastError !== null) logger.info('redis connection restored');
    lastError = null;
  });
  try {
    await redis.connect();
  } catch (error) {
    // ioredis would keep reconnecting; its own rejection names no cause, the error event does.
    redis.disconnect();
    throw (lastError as Error | null) ?? error;
  }
  isOpen = true;
  return redis;
}

/**
 * Handles the rejections of commands that no caller awaits: ioredis resubscribes after a reconnect, and Socket.IO's
 * adapter joins and leaves rooms. A close rejects such commands with "Connection is closed.", and an unhandled rejection
 * ends the process. A caller that awaits a command still gets the error.
 */
function handleUnawaitedReplies(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    command.promise.catch(() => undefined);
    return send(command, stream);
  };
}

/** Warns at the start about an eviction policy that loses data. */
export async function warnAboutRedis(redis: Redis, logger: Logger): Promise<void> {
  const answer: unknown = await redis.config('GET', 'maxmemory-policy').catch(() => null);
  const policy: unknown = Array.isArray(answer) ? answer[1] : null;
  if (policy !== null && policy !== 'noeviction') {
    logger.warn({ policy }, 'redis may evict sessions and generation logs: set maxmemory-policy to noeviction');
  }
}
