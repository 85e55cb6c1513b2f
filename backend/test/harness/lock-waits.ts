import pg from 'pg';
import type { TestDatabase } from './postgres.js';
import { waitUntil } from './wait-until.js';

/** Runs `work` on a connection of its own, apart from the server's pool. */
export async function withConnection<T>(
  database: Pick<TestDatabase, 'url'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Backends of the server that wait for a lock. @param select selected for each of them, such as `pg_terminate_backend(pid)` */
const waiting = (select: string) => `select ${select} from pg_stat_activity
  where datname = current_database() and application_name = 'tanya' and wait_event_type = 'Lock'`;

/** Number of backends of the server that wait for a lock. */
export function lockWaits(database: Pick<TestDatabase, 'url'>): Promise<number> {
  return withConnection(database, async (observer) => (await observer.query(waiting('pid'))).rowCount ?? 0);
}

/**
 * Waits until a backend of the server waits for a row lock. It observes from a connection of its own, because a
 * transaction sees one snapshot of pg_stat_activity.
 * @param select selected for each waiting backend, such as `pg_terminate_backend(pid)`
 */
export function waitForLockWait(database: Pick<TestDatabase, 'url'>, select = 'pid'): Promise<void> {
  return withConnection(database, (observer) =>
    waitUntil('a backend that waits for a lock', async () => (await observer.query(waiting(select))).rowCount !== 0),
  );
}
