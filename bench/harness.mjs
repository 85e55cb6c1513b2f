import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { redisServer } from '../scripts/testing/redis.mjs';
import { freePort, root, start } from './child.mjs';

export const built = (path) => import(pathToFileURL(join(root, 'backend/dist', path)).href);

/**
 * Starts a durable Postgres and a durable Redis in a folder of their own. `database(name)` creates a migrated database;
 * `storagePids` are the processes whose processor time is counted.
 */
export async function openHarness() {
  const folder = mkdtempSync(join(tmpdir(), 'tanya-bench-'));
  const { startEmbeddedPostgres } = await built('platform/database/embedded-postgres.js');
  const postgres = await startEmbeddedPostgres(join(folder, 'data'));
  const redisPort = await freePort();
  const redisUrl = `redis://127.0.0.1:${redisPort}`;
  const redis = await start(
    [redisServer(), '--port', String(redisPort), '--save', '', '--appendonly', 'yes', '--dir', folder],
    { log: join(folder, 'redis.log'), readyWhen: () => waitForPing(redisUrl) },
  );
  const databases = new Map();
  const harness = {
    folder,
    redisUrl,
    storagePids: [await postmaster(postgres.url), redis.pid],
    async database(name) {
      if (!databases.has(name)) databases.set(name, await createDatabase(postgres.url, name));
      return databases.get(name);
    },
    async query(url, text, values) {
      const client = new pg.Client(url);
      await client.connect();
      try {
        return (await client.query(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    async close() {
      await redis.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return harness;
}

async function waitForPing(url) {
  for (let tries = 0; tries < 600; tries += 1) {
    const client = new Redis(url, { lazyConnect: true, retryStrategy: null });
    client.on('error', () => undefined);
    const answer = await client.connect().then(
      () => client.ping(),
      () => null,
    );
    client.disconnect();
    if (answer !== null) return;
    await sleep(50);
  }
  throw new Error('Redis did not start');
}

/** Process id of the postmaster. */
async function postmaster(url) {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const pid = Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'utf8'))[1]);
  await client.end();
  return pid;
}

async function createDatabase(serverUrl, name) {
  const admin = new pg.Client(serverUrl);
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = new URL(serverUrl);
  url.pathname = name;
  const { DataSource } = await import('typeorm');
  const { dataSourceOptions } = await built('platform/database/data-source.js');
  const { migrate } = await built('platform/database/migrate.js');
  const entities = await built('app.entities.js');
  const dataSource = new DataSource(dataSourceOptions(url.href, entities));
  await dataSource.initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  return url.href;
}
