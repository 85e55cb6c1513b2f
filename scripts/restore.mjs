import './require-node.mjs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareOrExit, root } from './build-steps.mjs';

/**
 * `npm run restore -- FOLDER` restores into the installation that the environment names. Its database must be empty;
 * `--replace` empties it. `--verify` restores into a temporary database, and reports whether the backup is complete and
 * whether this APP_SECRET opens its keys.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { verify: { type: 'boolean', default: false }, replace: { type: 'boolean', default: false } },
});
if (positionals.length !== 1) {
  console.error('Usage: npm run restore -- FOLDER [--verify] [--replace]');
  process.exit(2);
}
const folder = resolve(positionals[0]);
process.chdir(root);
await prepareOrExit(['packages', 'server']);

const { exitOutsideContainers, openInstallation, withClient } = await import('./dump/installation.mjs');
const { assertLoadable, loadDatabase, loadFiles, runLaterMigrations } = await import('./dump/load.mjs');
const { openedKeys, keysMessage } = await import('./dump/sealed-keys.mjs');
const { putInPlace } = await import('./dump/folder.mjs');
const { withScratchPostgres } = await import('./scratch-database.mjs');

await exitOutsideContainers('restore');
try {
  await putInPlace(folder);
  const manifest = JSON.parse(
    await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => {
      throw new Error(`${folder} is not a complete backup: manifest.json is missing.`);
    }),
  );
  await assertLoadable(folder, manifest);
  if (values.verify) await verify(manifest);
  else await restore(manifest);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function verify(manifest) {
  const installation = await openInstallation();
  await withScratchPostgres(async (url) => {
    await loadDatabase(url, folder, manifest);
    await runLaterMigrations(url);
    const keys = await withClient(url, (client) => openedKeys(client, installation.secrets));
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`The backup is whole: ${rows} rows and ${manifest.files.length} files, all verified.`);
    console.log(keysMessage(keys));
    if (keys.opened < keys.stored) process.exitCode = 1;
  }).finally(() => installation.close());
}

async function restore(manifest) {
  const installation = await openInstallation();
  try {
    await withClient(installation.url, assertEmpty);
    await loadDatabase(installation.url, folder, manifest);
    await loadFiles(installation.files, folder, manifest);
    await runLaterMigrations(installation.url);
    console.log(
      `Restored ${manifest.tables.length} tables and ${manifest.files.length} files. All users must sign in again.`,
    );
    console.log(keysMessage(await withClient(installation.url, (client) => openedKeys(client, installation.secrets))));
  } finally {
    await installation.close();
  }
}

async function assertEmpty(client) {
  const { rows: users } = await client.query(
    `select from pg_stat_activity where datname = current_database() and application_name like 'tanya%' and pid <> pg_backend_pid()`,
  );
  if (users.length > 0) throw new Error('The server still runs on this database: stop it first.');
  const { rows: tables } = await client.query(`select from pg_tables where schemaname = 'public'`);
  if (tables.length === 0) return;
  if (!values.replace) throw new Error('The database is not empty. Use --replace to remove its data.');
  await client.query('drop schema public cascade; create schema public');
}
