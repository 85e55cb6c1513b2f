import type { Cluster, Redis, RedisOptions } from 'ioredis';

/** Connection for commands: to one server, to the primary that Sentinels name, or to a cluster. */
export type RedisClient = Redis | Cluster;

/** Timeout of a command, ms; callers then answer 503 or fall back to Postgres. */
const COMMAND_TIMEOUT_MS = 2_000;

/** Options of connections for commands: fail fast while Redis is away, and reconnect with backoff. */
export const COMMANDS = {
  enableOfflineQueue: false,
  commandTimeout: COMMAND_TIMEOUT_MS,
  maxRetriesPerRequest: 1,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, 2_000),
  // A primary that a failover has demoted refuses writes: the connection looks for its successor and sends them again.
  reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 2 : false),
} satisfies RedisOptions;

/**
 * Options of connections for subscriptions and blocking reads, over COMMANDS. Without the ready check: a subscription
 * queued during a reconnect is sent before it, and Redis then refuses the check's INFO command with an error that would
 * end the process.
 */
export const SUBSCRIPTIONS: RedisOptions = {
  commandTimeout: undefined,
  maxRetriesPerRequest: null,
  enableOfflineQueue: true,
  enableReadyCheck: false,
};

/**
 * Handles the rejections of commands that no caller awaits: ioredis resubscribes after a reconnect, and Socket.IO's
 * adapter joins and leaves rooms. A close rejects such commands with "Connection is closed.", and an unhandled rejection
 * ends the process. A caller that awaits a command still gets the error.
 */
export function handleUnawaitedReplies(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    command.promise.catch(() => undefined);
    return send(command, stream);
  };
}
