import './require-node.mjs';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { prepareOrExit, root } from './build-steps.mjs';

/**
 * `npm run backup [-- FOLDER]` writes one snapshot of the database and its files to a new folder, also while the server
 * runs. The secret is not included: without APP_SECRET (or DATA_DIR/secret) the stored keys cannot be opened.
 */
const target = resolve(process.argv[2] ?? `backup-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`);
process.chdir(root);
await prepareOrExit(['packages', 'server']);

const { exitOutsideContainers, openInstallation, withClient } = await import('./dump/installation.mjs');
const { beginCopying, copyOut, countRows, sequencesOf, tablesOf } = await import('./dump/tables.mjs');
const { putInPlace, WHOLE } = await import('./dump/folder.mjs');
const { openedKeys, keysMessage } = await import('./dump/sealed-keys.mjs');

await exitOutsideContainers('backup');
const installation = await openInstallation();
// Beside what an earlier backup left here, which stays until this one is whole.
const part = join(target, '.part');
try {
  await putInPlace(target);
  await rm(part, { recursive: true, force: true });
  await mkdir(join(part, 'tables'), { recursive: true });
  await mkdir(join(part, 'files'));
  const { ids, keys, ...database } = await withClient(installation.url, dumpDatabase);
  // After the transaction: the copies may take long, and a server may end one that is idle.
  const manifest = { format: 1, madeAt: new Date().toISOString(), ...database, files: await dumpFiles(ids) };
  await writeFile(join(part, 'manifest.json'), JSON.stringify(manifest, null, 2));
  await rename(part, join(target, WHOLE));
  await putInPlace(target);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`${rows} rows of ${manifest.tables.length} tables and ${manifest.files.length} files are in ${target}`);
  console.log(keysMessage(keys));
  await record({ rows, files: manifest.files.length }).catch(({ message }) =>
    console.log(`The audit log does not tell of this backup: ${message}`),
  );
} catch (error) {
  await storeAlert().catch(() => undefined);
  throw error;
} finally {
  await rm(part, { recursive: true, force: true });
  await installation.close();
}

/** Administrators see when the last backup was made. A copy of the database that cannot be written is backed up too. */
function record(values) {
  return withClient(installation.url, (client) =>
    client.query(
      `insert into audit_entry (actor_id, actor_name, address, action, target_kind, target_id, after)
      values (-1, 'system', '', 'backup.create', 'backup', 0, $1)`,
      [JSON.stringify(values)],
    ),
  );
}

/** The server delivers it, if administrators are told of alerts. */
function storeAlert() {
  return withClient(installation.url, (client) =>
    client.query(`insert into alert (id, kind, occasion, due_at, is_mail_due)
      select gen_random_uuid(), 'backup_failed', 'backup_failed:' || now(), case when changed ->> 'alertWebhookUrl' is not null then now() end,
        changed ->> 'alertEmail' is not null
      from setting where changed ->> 'alertWebhookUrl' is not null or changed ->> 'alertEmail' is not null`),
  );
}

/** One snapshot: the tables, and the ids of the contents of files and of the pictures of their pages. */
async function dumpDatabase(client) {
  await beginCopying(client, 'transaction isolation level repeatable read read only');
  const { rows: migrations } = await client.query('select name from migrations order by id');
  const tables = [];
  for (const table of await tablesOf(client)) {
    const digest = await copyOut(client, table, join(part, 'tables', `${table.name}.gz`));
    tables.push({ ...table, rows: await countRows(client, table), digest });
  }
  const { rows: files } = await client.query(
    'select id from file union all select pictures_id from file where pictures_id is not null order by id',
  );
  const dumped = {
    migrations: migrations.map(({ name }) => name),
    tables,
    sequences: await sequencesOf(client),
    ids: files.map(({ id }) => id),
    keys: await openedKeys(client, installation.secrets),
  };
  await client.query('commit');
  return dumped;
}

/** One that was deleted since the snapshot is left out; its row is kept. */
async function dumpFiles(ids) {
  const files = [];
  for (const id of ids) {
    const bytes = await installation.files.read(id).catch((error) => {
      if (error.code !== 'not_found') throw error;
      console.log(`File ${id} was deleted during the backup; its row is kept.`);
      return null;
    });
    if (bytes === null) continue;
    const hash = createHash('sha256');
    const tap = new PassThrough();
    tap.on('data', (chunk) => hash.update(chunk));
    await pipeline(bytes, tap, createWriteStream(join(part, 'files', id)));
    files.push({ id, digest: hash.digest('hex') });
  }
  return files;
}
