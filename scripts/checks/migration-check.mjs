import { join } from 'node:path';
import { root } from '../build-steps.mjs';
import { schemaDifference, withScratchDatabase } from '../scratch-database.mjs';
import { checkFunctions } from './functions.mjs';

/**
 * Runs all migrations on an empty database and compares the schema with the entities, its functions and triggers with their
 * files. @param args `-u` writes the files
 * @throws Error on any difference
 */
export async function checkMigrations(args) {
  await withScratchDatabase(async (dataSource) => {
    const all = await dataSource.runMigrations({ transaction: 'each' });
    if (all.length === 0) throw new Error('There are no migrations.');
    await assertNoDifference(dataSource);
    const functions = await checkFunctions(dataSource, join(root, 'backend/src'), args.includes('-u'));
    console.log(`${all.length} migration(s), no difference to the entities and to ${functions} functions and triggers`);
  });
}

async function assertNoDifference(dataSource) {
  const { up } = await schemaDifference(dataSource);
  if (up.length === 0) return;
  const statements = up.map(({ query }) => `  ${query}`).join('\n');
  throw new Error(`The entities differ from the database:\n${statements}`);
}
