import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DataSource } from 'typeorm';
import { built, withClient } from './installation.mjs';
import { beginCopying, copyIn, countRows, emptyTables, setSequences } from './tables.mjs';

const NEWER = 'This backup was made by a newer version: restore it with that one.';

/** Migrations have no timeout: an index of a large table takes minutes. */
const UNLIMITED = { statementTimeoutMs: 0 };

/** Checks everything that can be known before the database changes. @throws when the backup cannot be loaded */
export async function assertLoadable(folder, manifest) {
  if (manifest.format !== 1) throw new Error(NEWER);
  await migrationsOf(manifest);
  const damaged = [];
  for (const { name, digest } of manifest.tables) {
    const path = join('tables', `${name}.gz`);
    if ((await digestOf(join(folder, path), createGunzip())) !== digest) damaged.push(path);
  }
  for (const { id, digest } of manifest.files) {
    const path = join('files', id);
    if ((await digestOf(join(folder, path))) !== digest) damaged.push(path);
  }
  if (damaged.length > 0) throw new Error(`${damaged.length} file(s) are damaged, the first is ${damaged[0]}.`);
}

/** @returns the SHA-256 of a file; null when it is missing or cannot be unpacked */
async function digestOf(path, ...transforms) {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), ...transforms, hash);
    return hash.digest('hex');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code?.startsWith('Z_')) return null;
    throw error;
  }
}

/**
 * Loads a backup that `assertLoadable` accepts into an empty database: under the migrations of its time. The caller then
 * loads the files and calls `runLaterMigrations`: a later migration that fails can be repeated at the next start.
 */
export async function loadDatabase(url, folder, manifest) {
  const { dataSourceOptions } = await built('platform/database/data-source.js');
  const entities = await built('app.entities.js');
  const earlier = await migrationsOf(manifest);
  await migrate(new DataSource({ ...dataSourceOptions(url, entities, UNLIMITED), migrations: earlier }));
  await withClient(url, async (client) => {
    await beginCopying(client);
    // Migrations insert rows that the backup contains in their current state.
    await emptyTables(client, manifest.tables);
    for (const table of manifest.tables) await copyIn(client, table, join(folder, 'tables', `${table.name}.gz`));
    await setSequences(client, manifest.sequences);
    for (const table of manifest.tables) {
      if ((await countRows(client, table)) !== table.rows) throw new Error(`${table.name} differs from the backup.`);
    }
    await client.query('commit');
  });
}

/** Runs the migrations that are later than the backup. */
export async function runLaterMigrations(url) {
  const { dataSourceOptions } = await built('platform/database/data-source.js');
  const entities = await built('app.entities.js');
  await migrate(new DataSource(dataSourceOptions(url, entities, UNLIMITED)));
}

/** The migrations of the backup's time. @throws when this version lacks one of them */
async function migrationsOf(manifest) {
  const { migrations: all } = await built('platform/database/migrations/index.js');
  // They are not always the first ones: a later version may add one with an earlier time.
  const earlier = all.filter((migration) => manifest.migrations.includes(new migration().name ?? migration.name));
  if (earlier.length < manifest.migrations.length) throw new Error(NEWER);
  return earlier;
}

async function migrate(dataSource) {
  await dataSource.initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}

/** Stores the files of the backup. The store moves the file it is given, so it gets a copy. */
export async function loadFiles(store, folder, manifest) {
  const { filesFolder } = await built('files/store/open-file-store.js');
  const { readEnv, processEnv } = await built('config/env.js');
  const storeFolder = filesFolder(readEnv(processEnv()));
  await mkdir(storeFolder, { recursive: true });
  // On the disk of the store, which moves a file in by renaming it, or sends it to S3 and leaves it.
  const staged = join(storeFolder, '.restore');
  try {
    for (const { id } of manifest.files) {
      await copyFile(join(folder, 'files', id), staged);
      await store.put(id, staged);
    }
  } finally {
    await rm(staged, { force: true });
  }
}
