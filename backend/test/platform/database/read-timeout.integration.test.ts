import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions, replicaOptions } from '../../../src/platform/database/data-source.js';
import { withConnection } from '../../harness/lock-waits.js';
import { createEmptyDatabase, type TestDatabase } from '../../harness/postgres.js';
import { waitUntil } from '../../harness/wait-until.js';

const LOCK = 'select pg_advisory_xact_lock(1)';
const SHORT_TIMEOUT_MS = 300;
const LONG_TIMEOUT_MS = 60_000;

let database: TestDatabase;
let dataSource: DataSource;

beforeEach(async () => {
  database = await createEmptyDatabase();
  await withConnection(database, (client) => client.query('create table note (text text)'));
  dataSource = new DataSource(dataSourceOptions(database.url, [], { pool: 1, statementTimeoutMs: LONG_TIMEOUT_MS }));
  await dataSource.initialize();
});

afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Sets a short timeout for the statements of one connection; later connections of the pool have the long one. */
function shortenTimeout(connection: unknown): void {
  const { connectionParameters } = connection as { connectionParameters: { query_timeout: number } };
  connectionParameters.query_timeout = SHORT_TIMEOUT_MS;
}

/** Sets a short timeout for the idle connection of the pool. Its COMMIT before had the long one. */
async function shortenIdle(): Promise<void> {
  let connection: unknown;
  await dataSource.transaction(async (manager) => {
    connection = await manager.queryRunner!.connect();
  });
  shortenTimeout(connection);
}

/** Runs `work` while another connection holds the lock of LOCK. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  return withConnection(database, async (holder) => {
    await holder.query('begin');
    await holder.query(LOCK);
    const result = await work();
    await holder.query('commit');
    return result;
  });
}

/** Waits until no backend of the server runs a statement or waits for the lock. */
const waitForIdleBackends = (): Promise<void> =>
  withConnection(database, (observer) =>
    waitUntil('no active backend', async () => {
      const active = `select from pg_stat_activity where datname = current_database()
        and application_name like 'tanya%' and state = 'active'`;
      return (await observer.query(active)).rowCount === 0;
    }),
  );

const committedNotes = (): Promise<string[]> =>
  withConnection(database, async (client) => {
    const { rows } = await client.query<{ text: string }>('select text from note order by text');
    return rows.map(({ text }) => text);
  });

describe('a statement that exceeds the timeout', () => {
  it('does not leave its transaction open on a connection of the pool', async () => {
    await whileLocked(async () => {
      const writing = dataSource.transaction(async (manager) => {
        await manager.query("insert into note values ('refused')");
        shortenTimeout(await manager.queryRunner!.connect());
        await manager.query(LOCK);
      });
      await expect(writing).rejects.toThrow('Query read timeout');
    });
    await waitForIdleBackends();

    await dataSource.query("insert into note values ('acknowledged')");
    expect(await committedNotes()).toEqual(['acknowledged']);
    // A transaction that is refused takes only its own statements back.
    await dataSource.transaction(async () => Promise.reject(new Error('refused'))).catch(() => undefined);
    expect(await committedNotes()).toEqual(['acknowledged']);
  });

  it('does not return its busy connection to the pool', async () => {
    await shortenIdle();
    await whileLocked(async () => {
      await expect(dataSource.query(LOCK)).rejects.toThrow('Query read timeout');
      // The only connection of the pool is a new one; the next caller in the queue receives it.
      expect(await dataSource.query('select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

  it('fails, and not the statement of the next borrower', async () => {
    await shortenIdle();
    await whileLocked(async () => {
      const results = await Promise.allSettled([dataSource.query(LOCK), dataSource.query('select 1 as one')]);
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    });
  });

  it('closes its connection when it has a callback', async () => {
    const pool = new pg.Pool(replicaOptions(database.url, 1));
    try {
      await whileLocked(async () => {
        const client = await pool.connect();
        shortenTimeout(client);
        const error = await new Promise<Error | null>((resolve) => {
          client.query(LOCK, [], (failure: Error | null) => resolve(failure));
        });
        expect(error?.message).toBe('Query read timeout');
        client.release();
        expect(pool.totalCount).toBe(0);
        const busy = await pool.connect();
        shortenTimeout(busy);
        busy.release();
        await expect(pool.query(LOCK)).rejects.toThrow('Query read timeout');
        expect(pool.totalCount).toBe(0);
      });
    } finally {
      await pool.end();
    }
  });
});
