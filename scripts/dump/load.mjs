import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { built } from './installation.mjs';
import { copyIn, copyOut, emptyTables, setSequences } from './tables.mjs';

/**
 * Fills an empty database with a backup: first as it was, under the migrations of its time, and looks whether every
 * table has the rows it had; then the migrations that came since.
 */
export async function loadDatabase(url, folder, manifest) {
  const { dataSourceOptions } = await built('platform/database/data-source.js');
  const { entities } = await built('app.entities.js');
  const { migrations: all } = await built('platform/database/migrations/index.js');
  const then = migrationsOf(manifest, all);
  await migrate(new DataSource({ ...dataSourceOptions(url, entities), migrations: then }));
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('begin');
    // Migrations bring rows of their own, which the backup has as they became.
    await emptyTables(client, manifest.tables);
    for (const table of manifest.tables) await copyIn(client, table, join(folder, 'tables', `${table.name}.gz`));
    await setSequences(client, manifest.sequences);
    for (const table of manifest.tables) {
      if ((await copyOut(client, table)) !== table.digest) throw new Error(`${table.name} is not what it was.`);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
  await migrate(new DataSource(dataSourceOptions(url, entities)));
}

/** The migrations of the backup's time. @throws when this version does not know them all */
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

/** Ids of files in the backup whose bytes are not what they were. */
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

/** Puts the bytes back; the store may take what it is given, so it gets a copy. */
export async function loadFiles(store, folder, manifest) {
  const { filesFolder } = await built('files/file-store.js');
  const { readEnv, processEnv } = await built('config/env.js');
  const own = filesFolder(readEnv(processEnv()));
  await mkdir(own, { recursive: true });
  // On the store's own disk, which takes files in by renaming them.
  const staging = await mkdtemp(join(own, '.restore-'));
  try {
    for (const { id } of manifest.files) {
      await copyFile(join(folder, 'files', id), join(staging, id));
      await store.put(id, join(staging, id));
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
