import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import * as entities from '../../src/app.entities.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

const TEMPLATE = 'tanya_template';
const TEMPLATE_LOCK = 1;

/** Creates a migrated database for one test file. It is cloned from a template that is migrated once a run. */
export function createDatabase(): Promise<TestDatabase> {
  return create(async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureTemplate(admin);
    return TEMPLATE;
  });
}

/** Creates a database without tables. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create(() => Promise.resolve('template1'));
}

async function create(templateFor: (admin: pg.Client) => Promise<string>): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withAdminConnection(async (admin) => {
    await admin.query(`create database ${name} template ${await templateFor(admin)} strategy file_copy`);
  });
  const drop = (): Promise<void> =>
    withAdminConnection(async (admin) => {
      await admin.query(`drop database if exists ${name} with (force)`);
    });
  return { url: databaseUrl(name), drop };
}

async function ensureTemplate(admin: pg.Client): Promise<void> {
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [TEMPLATE]);
  if (rowCount) return;
  const unfinished = `${TEMPLATE}_unfinished`;
  await admin.query(`drop database if exists ${unfinished} with (force)`);
  await admin.query(`create database ${unfinished}`);
  const dataSource = new DataSource(dataSourceOptions(databaseUrl(unfinished), entities));
  await dataSource.initialize();
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
  await admin.query(`alter database ${unfinished} rename to ${TEMPLATE}`);
}

async function withAdminConnection(work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client(serverUrl());
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function databaseUrl(name: string): string {
  const url = new URL(serverUrl());
  url.pathname = name;
  return url.href;
}

function serverUrl(): string {
  const url = process.env.TANYA_TEST_POSTGRES_URL;
  if (!url) throw new Error('No test database: run the integration project, whose global set-up starts one');
  return url;
}
