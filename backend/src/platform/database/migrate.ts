import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';

/** Advisory lock key: 'tany' in ASCII. */
const MIGRATION_LOCK = 0x74616e79;

/** Migrations of a large database may take long. */
const LOCK_TIMEOUT_MS = 10 * 60_000;
const RETRY_MS = 100;

/**
 * Runs `work` in one process at a time. The lock is held by a transaction, so it works behind a transaction pooler too.
 * Others ask for it again and again: a statement that waits for it would reach the timeout of statements.
 * @param work gets the manager of that transaction, which sees what migrations inside `work` have committed
 * @throws Error when another process still holds the lock after 10 min
 */
export async function withMigrationLock<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const done = await dataSource.transaction(async (manager) => {
      const [lock] = await manager.query<[{ taken: boolean }]>('select pg_try_advisory_xact_lock($1) as taken', [
        MIGRATION_LOCK,
      ]);
      if (!lock.taken) return null;
      // It is idle while the migrations run on another connection.
      await manager.query('set local idle_in_transaction_session_timeout = 0');
      return { result: await work(manager) };
    });
    if (done !== null) return done.result;
    if (performance.now() > deadline) throw new Error('Another process still migrates the database after 10 minutes.');
    await sleep(RETRY_MS, undefined, { signal });
  }
}

/** Whether a migration has run that this version lacks. */
export async function isSchemaNewer(dataSource: DataSource): Promise<boolean> {
  const [table] = await dataSource.query<[{ exists: boolean }]>(
    `select to_regclass('migrations') is not null as exists`,
  );
  if (!table.exists) return false;
  // Not by their times: a later version may add one with an earlier time.
  const [row] = await dataSource.query<[{ isNewer: boolean }]>(
    'select exists (select from migrations where name <> all($1)) as "isNewer"',
    [dataSource.migrations.map(({ name }) => name)],
  );
  return row.isNewer;
}

/** Runs the pending migrations, each in a transaction of its own. @returns the names of those that this call has run */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const applied = await dataSource.runMigrations({ transaction: 'each' });
  return applied.map(({ name }) => name);
}
