import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { built } from './installation.mjs';
import { copyIn, copyOut, emptyTables, setSequences } from './tables.mjs';

/** Migrations have no timeout: an index of a large table takes minutes. */
const UNLIMITED = { statementTimeoutMs: 0 };

/**
 * Loads a backup into an empty database: under the migrations of its time, with a digest check of every table. The caller
 * then loads the files and calls `runLaterMigrations`: a later migration that fails can be repeated at the next start.
 */
export async function loadDatabase(url, folder, manifest) {
  const { dataSourceOptions } = await built('platform/database/data-source.js');
  const entities = await built('app.entities.js');
  const { migrations: all } = await built('platform/database/migrations/index.js');
  const earlier = migrationsOf(manifest, all);
  await migrate(new DataSource({ ...dataSourceOptions(url, entities, UNLIMITED), migrations: earlier }));
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('begin');
    // Migrations insert rows that the backup contains in their current state.
    await emptyTables(client, manifest.tables);
    for (const table of manifest.tables) await copyIn(client, table, join(folder, 'tables', `${table.name}.gz`));
    await setSequences(client, manifest.sequences);
    for (const table of manifest.tables) {
      if ((await copyOut(client, table)) !== table.digest) throw new Error(`${table.name} differs from the backup.`);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** Runs the migrations that are later than the backup. */
export async function runLaterMigrations(url) {
  const { dataSourceOptions } = await built('platform/database/data-source.js');
  const entities = await built('app.entities.js');
  await migrate(new DataSource(dataSourceOptions(url, entities, UNLIMITED)));
}

/** The migrations of the backup's time. @throws when this version lacks one of them */
function migrationsOf(manifest, all) {
  const known = all.map((migration) => new migration().name ?? migration.name);
  const isOurs = manifest.migrations.every((name, index) => known[index] === name);
  if (!isOurs) throw new Error('This backup was made by a newer version: restore it with that one.');
  return all.slice(0, manifest.migrations.length);
}

async function migrate(dataSource) {
  await dataSource.initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}

/** @returns ids of files whose bytes are missing or differ from their digest */
export async function damagedFiles(folder, manifest) {
  const damaged = [];
  for (const { id, digest } of manifest.files) {
    const hash = createHash('sha256');
    try {
      for await (const chunk of createReadStream(join(folder, 'files', id))) hash.update(chunk);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    if (hash.digest('hex') !== digest) damaged.push(id);
  }
  return damaged;
}

/** Stores the files of the backup. The store moves the file it is given, so it gets a copy. */
export async function loadFiles(store, folder, manifest) {
  const { filesFolder } = await built('files/store/open-file-store.js');
  const { readEnv, processEnv } = await built('config/env.js');
  const storeFolder = filesFolder(readEnv(processEnv()));
  await mkdir(storeFolder, { recursive: true });
  // On the disk of the store, which moves files in by renaming them.
  const staging = await mkdtemp(join(storeFolder, '.restore-'));
  try {
    for (const { id } of manifest.files) {
      await copyFile(join(folder, 'files', id), join(staging, id));
      await store.put(id, join(staging, id));
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
