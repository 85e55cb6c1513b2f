import type { DataSource } from 'typeorm';

/** Any number that no other user of the database takes: 'tany' in ASCII. */
const MIGRATION_LOCK = 0x74616e79;

/**
 * Brings the database up to date. Processes that start together wait for one another; the lock lives in a transaction
 * of its own, so it works behind a transaction pooler too.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  await dataSource.transaction(async (manager) => {
    await manager.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await dataSource.runMigrations({ transaction: 'each' });
  });
}
