import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TestDatabase } from './postgres.js';

/** Works on a connection of its own, beside the server's. */
export async function asAdmin<T>(database: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Until a server waits for a row, seen on another connection, since a transaction sees one state of the server's activity. */
export function untilSomebodyWaits(database: TestDatabase, andThen = 'pid'): Promise<void> {
  return asAdmin(database, async (observer) => {
    const waiting = `select ${andThen} from pg_stat_activity
      where datname = current_database() and application_name = 'tanya' and wait_event_type = 'Lock'`;
    while (!(await observer.query(waiting)).rowCount) await sleep(20);
  });
}
