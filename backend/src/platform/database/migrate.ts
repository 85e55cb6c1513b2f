import type { DataSource, EntityManager } from 'typeorm';

/** Advisory lock key: 'tany' in ASCII. */
const MIGRATION_LOCK = 0x74616e79;

/**
 * Runs `work` in one process at a time. The lock is held by a transaction, so it works behind a transaction pooler too.
 * @param work gets the manager of that transaction, which sees what migrations inside `work` have committed
 */
export function withMigrationLock<T>(dataSource: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  return dataSource.transaction(async (manager) => {
    await manager.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    return work(manager);
  });
}

const TIME_DIGITS = 13;

export async function isSchemaNewer(dataSource: DataSource, manager: EntityManager): Promise<boolean> {
  const [table] = await manager.query<[{ exists: boolean }]>(`select to_regclass('migrations') is not null as exists`);
  if (!table.exists) return false;
  const [row] = await manager.query<[{ latest: number | null }]>('select max("timestamp") as latest from migrations');
  const own = dataSource.migrations.map(({ name }) => Number(name!.slice(-TIME_DIGITS)));
  return (row.latest ?? 0) > Math.max(...own);
}

/** Runs the pending migrations, each in a transaction of its own. @returns the names of those that this call has run */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const applied = await dataSource.runMigrations({ transaction: 'each' });
  return applied.map(({ name }) => name);
}
