import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { redisServer } from '../../scripts/testing/redis.mjs';

const built = new URL('../dist/platform/database/embedded-postgres.js', import.meta.url);

/**
 * Starts one Postgres for all integration tests and finds redis-server. `postgres.ts` creates databases in the one and
 * `redis.ts` starts the other. It is plain JavaScript over the built backend, because Jest loads global setup without
 * its module system.
 */
export default async function globalSetup() {
  if (!existsSync(built)) throw new Error('Build the backend first, or run: node scripts/test.mjs integration');
  const { startEmbeddedPostgres } = await import(built.href);
  const folder = await mkdtemp(join(tmpdir(), 'tanya-test-'));
  const postgres = await startEmbeddedPostgres(folder);
  await configure(postgres.url);
  globalThis.tanyaTestHarness = { folder, postgres };
  process.env.TANYA_TEST_FOLDER = folder;
  process.env.TANYA_TEST_POSTGRES_URL = postgres.url;
  process.env.TANYA_TEST_REDIS_SERVER = redisServer();
}

/**
 * Turns off durability, and the statistics of autovacuum, which change the plans of statements. A password with one
 * iteration makes each of the thousands of connections cheaper.
 */
async function configure(url) {
  const client = new pg.Client(url);
  await client.connect();
  for (const setting of ['fsync', 'full_page_writes', 'autovacuum'])
    await client.query(`alter system set ${setting} = off`);
  await client.query('select pg_reload_conf()');
  await client.query('set scram_iterations = 1');
  await client.query(`alter role tanya password ${client.escapeLiteral(client.password)}`);
  await client.end();
}
