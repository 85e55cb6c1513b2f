import './require-node.mjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareOrExit, root } from './build-steps.mjs';
import { schemaDifference, withScratchDatabase } from './scratch-database.mjs';

/**
 * `npm run migration:generate -- some-name` writes a migration from the schema of the migrations to that of the entities.
 * Read and improve it, then list it in migrations/all.ts.
 */
const [, , command, name] = process.argv;
if (command !== 'generate' || !/^[a-z][a-z0-9-]*$/.test(name ?? '')) {
  console.error('Usage: npm run migration:generate -- name-in-kebab-case');
  process.exit(2);
}

await prepareOrExit(['packages', 'server']);
const difference = await withScratchDatabase(async (dataSource) => {
  await dataSource.runMigrations({ transaction: 'each' });
  return schemaDifference(dataSource);
});
if (difference.up.length === 0) {
  console.log('No migration needed: migrations and entities agree.');
} else {
  const timestamp = Date.now();
  const file = join('backend/src/platform/database/migrations', `${timestamp}-${name}.ts`);
  writeFileSync(join(root, file), source(timestamp, difference));
  console.log(`Wrote ${file}. Read it, then list it in migrations/all.ts.`);
}

function source(timestamp, { up }) {
  const className = `${name.replaceAll(/(^|-)(.)/g, (match, dash, letter) => letter.toUpperCase())}${timestamp}`;
  const statements = up.map(({ query }) => `    await runner.query(${JSON.stringify(query)});`);
  return `import type { QueryRunner } from 'typeorm';

export class ${className} {
  readonly name = '${className}';

  async up(runner: QueryRunner): Promise<void> {
${statements.join('\n')}
  }
}
`;
}
