import { schemaDifference, withScratchDatabase } from '../scratch-database.mjs';

/**
 * Runs all migrations on an empty database and compares the schema with the entities, then undoes and repeats the last
 * migration. Throws on any difference.
 */
export async function checkMigrations() {
  await withScratchDatabase(async (dataSource) => {
    const all = await dataSource.runMigrations({ transaction: 'each' });
    if (all.length === 0) throw new Error('There are no migrations.');
    await assertNoDifference(dataSource, `after ${all.length} migration(s)`);
    await dataSource.undoLastMigration({ transaction: 'each' });
    await dataSource.runMigrations({ transaction: 'each' });
    await assertNoDifference(dataSource, 'after undoing and repeating the last migration');
    console.log(`${all.length} migration(s), no difference to the entities`);
  });
}

async function assertNoDifference(dataSource, when) {
  const { up } = await schemaDifference(dataSource);
  if (up.length === 0) return;
  const statements = up.map(({ query }) => `  ${query}`).join('\n');
  throw new Error(`The entities differ from the database ${when}:\n${statements}`);
}
