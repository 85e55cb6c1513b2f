import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './build-steps.mjs';

/** Runs `work` with a TypeORM data source over an empty, temporary Postgres and the entities of the built backend. */
export async function withScratchDatabase(work) {
  const { DataSource } = await import('typeorm');
  const { dataSourceOptions } = await built('platform/database/data-source.js');
  const entities = await built('app.entities.js');
  return withScratchPostgres(async (url) => {
    const dataSource = new DataSource(dataSourceOptions(url, entities));
    try {
      await dataSource.initialize();
      return await work(dataSource);
    } finally {
      if (dataSource.isInitialized) await dataSource.destroy();
    }
  });
}

/** Runs `work` with the URL of an empty, temporary Postgres. */
export async function withScratchPostgres(work) {
  const { startEmbeddedPostgres } = await built('platform/database/embedded-postgres.js');
  const folder = await mkdtemp(join(tmpdir(), 'tanya-scratch-'));
  const postgres = await startEmbeddedPostgres(folder);
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns the statements that change the schema to that of the entities, and those that undo the change */
export async function schemaDifference(dataSource) {
  const { upQueries, downQueries } = await dataSource.driver.createSchemaBuilder().log();
  return { up: upQueries, down: downQueries };
}

function built(path) {
  return import(pathToFileURL(join(root, 'backend/dist', path)).href);
}
