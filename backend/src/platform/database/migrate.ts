import type { DataSource } from 'typeorm';

/** Advisory lock key: 'tany' in ASCII. */
const MIGRATION_LOCK = 0x74616e79;

/**
 * Runs the pending migrations. An advisory lock serializes processes that start together; it is held by a transaction,
 * so it works behind a transaction pooler too.
 * @returns the names of the migrations that this call has run
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  return dataSource.transaction(async (manager) => {
    await manager.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    return applied.map(({ name }) => name);
  });
}
