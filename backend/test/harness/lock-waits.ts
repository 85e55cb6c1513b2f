import pg from 'pg';
import type { TestDatabase } from './postgres.js';
import { waitUntil } from './wait-until.js';

/** Runs `work` on a connection of its own, apart from the server's pool. */
export async function withConnection<T>(database: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Waits until a backend of the server waits for a row lock. It observes from a connection of its own, because a
 * transaction sees one snapshot of pg_stat_activity.
 * @param select selected for each waiting backend, such as `pg_terminate_backend(pid)`
 */
export function waitForLockWait(database: TestDatabase, select = 'pid'): Promise<void> {
  const waiting = `select ${select} from pg_stat_activity
    where datname = current_database() and application_name = 'tanya' and wait_event_type = 'Lock'`;
  return withConnection(database, (observer) =>
    waitUntil('a backend that waits for a lock', async () => (await observer.query(waiting)).rowCount !== 0),
  );
}
