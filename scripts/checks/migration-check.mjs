import { schemaDifference, withScratchDatabase } from '../scratch-database.mjs';

/**
 * Runs all migrations on an empty database and compares the schema with the entities.
 * @throws Error on any difference
 */
export async function checkMigrations() {
  await withScratchDatabase(async (dataSource) => {
    const all = await dataSource.runMigrations({ transaction: 'each' });
    if (all.length === 0) throw new Error('There are no migrations.');
    await assertNoDifference(dataSource);
    console.log(`${all.length} migration(s), no difference to the entities`);
  });
}

async function assertNoDifference(dataSource) {
  const { up } = await schemaDifference(dataSource);
  if (up.length === 0) return;
  const statements = up.map(({ query }) => `  ${query}`).join('\n');
  throw new Error(`The entities differ from the database:\n${statements}`);
}
