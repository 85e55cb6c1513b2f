import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import pg from 'pg';
import { DataSource } from 'typeorm';
import * as entities from './app.entities.js';
import { upgrade } from './app.upgrade.js';
import { NEWEST_HEARTBEAT } from './chat/nodes/node.entity.js';
import type { Env } from './config/env.js';
import { describePostgres, postgresUrls } from './config/postgres-url.js';
import { describeRedis, parseRedisUrl } from './config/redis-url.js';
import type { Timings } from './config/timings.js';
import { serverVersion } from './config/version.js';
import { LocalBus, RedisBus } from './platform/bus/bus.js';
import { dataSourceOptions, replicaOptions, tryPostgres } from './platform/database/data-source.js';
import { DatabaseOwner } from './platform/database/database-owner.js';
import { startEmbeddedPostgres } from './platform/database/embedded-postgres.js';
import { ReadReplica } from './platform/database/read-replica.js';
import { createLogger, type Logger } from './platform/observability/logging.js';
import { type Tracing, NoTracing } from './platform/observability/tracing.js';
import { prepareDataDir } from './platform/system/data-dir.js';
import { PrimaryWatch } from './platform/database/primary-watch.js';
import { connectWithRetry, type RetryOptions } from './platform/resilience/connect-with-retry.js';
import type { Resources } from './platform/platform.module.js';
import { warnAboutRedis } from './platform/redis/redis-checks.js';
import { connectRedis, connectShardedSubscriber, connectSubscriber } from './platform/redis/redis.js';
import { traceCommands } from './platform/redis/traced-commands.js';
import { memoryShortage } from './platform/sandbox/container-memory.js';
import { sealMovedSecrets } from './platform/secrets/moved-secrets.js';
import { SecretBinding } from './platform/secrets/secret-binding.js';
import { SecretBox, storedSecret } from './platform/secrets/secret-box.js';
import type { TracingEnv } from './config/tracing-env.js';

/** Opens tracing. The SDK is loaded only when a collector is configured. */
async function openTracing(
  env: TracingEnv | null,
  nodeId: string,
  logger: Logger,
  exportIntervalMs: number,
): Promise<Tracing> {
  if (env === null) return new NoTracing();
  const { OtelTracing } = await import('./platform/observability/otel-tracing.js');
  return new OtelTracing(env, nodeId, logger, exportIntervalMs);
}

type Closer = () => Promise<unknown>;

/** The replica is not awaited: while it is away, the primary serves its reads. */
function openReplica(env: Env, dataSource: DataSource, logger: Logger, closers: Closer[]): ReadReplica {
  const { databaseReplicaUrl: url, databasePool } = env;
  if (url === null) return new ReadReplica(dataSource, null, logger, NEWEST_HEARTBEAT);
  const pool = new pg.Pool(replicaOptions(url, databasePool));
  pool.on('error', (error) => logger.warn({ err: error }, 'postgres replica connection lost'));
  closers.push(() => pool.end());
  return new ReadReplica(dataSource, pool, logger, NEWEST_HEARTBEAT);
}

/**
 * Waits for Postgres.
 * @returns the watch over several servers, null for one
 */
async function openServers(url: string, retry: RetryOptions, closers: Closer[]): Promise<PrimaryWatch | null> {
  if (postgresUrls(url).length === 1) {
    await connectWithRetry(describePostgres(url), () => tryPostgres(url), retry);
    return null;
  }
  const primary = new PrimaryWatch(url, retry.logger);
  closers.push(async () => primary.stop());
  await connectWithRetry(describePostgres(url), () => primary.find(), retry);
  primary.start();
  return primary;
}

async function openDatabase(env: Env, retry: RetryOptions, tracing: Tracing, closers: Closer[]): Promise<DataSource> {
  const { logger } = retry;
  let url = env.databaseUrl;
  let primary: PrimaryWatch | null = null;
  let isGone = (): boolean => false;
  if (url === null) {
    const postgres = await startEmbeddedPostgres(env.dataDir);
    closers.push(() => postgres.stop());
    isGone = () => !postgres.isRunning();
    url = postgres.url;
  } else {
    primary = await openServers(url, retry, closers);
    [url] = postgresUrls(url) as [string];
  }
  if (env.redisUrl === null) {
    const owner = new DatabaseOwner(url, primary, logger, () => process.kill(process.pid, 'SIGTERM'), isGone);
    await owner.acquire();
    closers.push(() => owner.release());
  }
  const options = { pool: env.databasePool, primary, tracing };
  const dataSource = new DataSource(dataSourceOptions(url, entities, options));
  await dataSource.initialize();
  closers.push(async () => dataSource.isInitialized && dataSource.destroy());
  const { master } = dataSource.driver as unknown as { master: NodeJS.EventEmitter };
  // The pool replaces a broken idle connection; an unhandled error event would end the process.
  master.on('error', (error) => logger.warn({ err: error }, 'idle postgres connection lost; the pool opens another'));
  return dataSource;
}

async function openSecrets(
  env: Env,
  { nodeBeat }: Timings,
  dataSource: DataSource,
  logger: Logger,
  closers: Closer[],
): Promise<SecretBox> {
  const secrets = new SecretBox(env.appSecret ?? storedSecret(env.dataDir));
  await sealMovedSecrets(dataSource, secrets);
  const binding = new SecretBinding(dataSource, secrets, logger, nodeBeat);
  closers.push(() => binding.stop());
  await binding.start();
  return secrets;
}

/**
 * Opens Postgres, Redis and the data folder; `close` closes them in reverse order. Postgres and Redis may still be
 * starting: connections are retried until `timings.startTimeout`.
 * @param signal aborts the retries
 */
export async function openResources(env: Env, timings: Timings, signal?: AbortSignal): Promise<Resources> {
  const logger = createLogger(env.logLevel);
  const retry = { timeoutMs: timings.startTimeout, signal, logger };
  const closers: Closer[] = [];
  const nodeId = randomUUID();
  const version = serverVersion();
  const close = async () => {
    for (const closer of closers.reverse().splice(0)) {
      await closer().catch((error: unknown) =>
        logger.warn({ err: error }, 'resource close failed; continuing with the next'),
      );
    }
  };
  try {
    const shortage = memoryShortage(env.webConcurrency);
    if (shortage !== null) logger.warn(shortage, 'memory limit below what this server and its children may take (MB)');
    await prepareDataDir(env.dataDir);
    const tracing = await openTracing(env.tracing, nodeId, logger, timings.traceExport);
    // Closed last: it exports the spans of the other closers too.
    closers.push(() => tracing.close());
    const dataSource = await openDatabase(env, retry, tracing, closers);
    const node = { id: nodeId, hostname: hostname() };
    // Without Redis this process owns the database.
    const isAlone = env.redisUrl === null;
    await upgrade(dataSource, { version, timings, logger, isAlone, node, signal });
    const replica = openReplica(env, dataSource, logger, closers);
    const secrets = await openSecrets(env, timings, dataSource, logger, closers);
    if (env.redisUrl === null) {
      const bus = new LocalBus(logger);
      return {
        env,
        timings,
        logger,
        tracing,
        secrets,
        dataSource,
        replica,
        redis: null,
        bus,
        nodeId,
        version,
        fanOut: null,
        close,
      };
    }
    const address = parseRedisUrl(env.redisUrl);
    const closeLater = <T extends { disconnect(): void }>(connection: T): T => {
      closers.push(async () => connection.disconnect());
      return connection;
    };
    const open = () => connectRedis(address, logger);
    const redis = closeLater(await connectWithRetry(describeRedis(address), open, retry));
    traceCommands(redis, tracing);
    await warnAboutRedis(redis, logger);
    const bus = new RedisBus(redis, closeLater(await connectSubscriber(address, logger, redis)), logger);
    await bus.listen();
    const publisher = closeLater(await open());
    const subscriber = closeLater(await connectShardedSubscriber(address, logger, publisher));
    const fanOut = { publisher, subscriber };
    return { env, timings, logger, tracing, secrets, dataSource, replica, redis, bus, nodeId, version, fanOut, close };
  } catch (error) {
    await close();
    throw error;
  }
}
