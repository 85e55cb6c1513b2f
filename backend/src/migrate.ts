import { DataSource } from 'typeorm';
import { upgrade } from './app.upgrade.js';
import { type Env, EnvError, processEnv, readEnv } from './config/env.js';
import { describePostgres } from './config/postgres-url.js';
import { DEFAULT_TIMINGS } from './config/timings.js';
import { serverVersion } from './config/version.js';
import { dataSourceOptions } from './platform/database/data-source.js';
import { DatabaseOwner } from './platform/database/database-owner.js';
import { startEmbeddedPostgres } from './platform/database/embedded-postgres.js';
import { primaryUrl } from './platform/database/primary-url.js';
import { createLogger } from './platform/observability/logging.js';
import { connectWithRetry } from './platform/resilience/connect-with-retry.js';
import { prepareDataDir } from './platform/system/data-dir.js';

/** The lock of a migration takes one connection, the migration itself another. */
const POOL = 2;

/**
 * `node backend/dist/migrate.js` (`npm run migrate`) runs the pending migrations and exits. Like the start of a node, it
 * waits for the end of nodes of another version; unlike that, it sets no timeout of a statement: an index of a large
 * table may take minutes.
 */
async function run(env: Env): Promise<void> {
  const logger = createLogger(env.logLevel);
  const retry = { timeoutMs: DEFAULT_TIMINGS.startTimeout, logger };
  const findPrimary = (url: string) => connectWithRetry(describePostgres(url), () => primaryUrl(url), retry);
  await prepareDataDir(env.dataDir);
  const embedded = env.databaseUrl === null ? await startEmbeddedPostgres(env.dataDir) : null;
  // A server that runs on it has its schema in use.
  const owner = embedded && new DatabaseOwner(embedded.url, null, logger, () => undefined);
  try {
    await owner?.acquire(0);
    const url = embedded?.url ?? (await findPrimary(env.databaseUrl!));
    const dataSource = new DataSource(dataSourceOptions(url, [], { pool: POOL, statementTimeoutMs: 0 }));
    await dataSource.initialize();
    const applied = await upgrade(dataSource, {
      version: serverVersion(),
      timings: DEFAULT_TIMINGS,
      logger,
      isAlone: embedded !== null,
      node: null,
    }).finally(() => dataSource.destroy());
    console.log(applied.length === 0 ? 'No migration is pending.' : `Applied: ${applied.join(', ')}`);
  } finally {
    await owner?.release();
    await embedded?.stop();
  }
}

Promise.resolve()
  .then(() => run(readEnv(processEnv())))
  .then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error instanceof EnvError || !(error instanceof Error) ? String(error) : error.message);
      process.exit(1);
    },
  );
