import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { DatabaseOwner } from '../../src/platform/database/database-owner.js';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { migrations } from '../../src/platform/database/migrations/index.js';
import { createEmptyDatabase, type TestDatabase } from '../harness/postgres.js';

const run = promisify(execFile);
const command = join(import.meta.dirname, '../../dist/migrate.js');
const last = migrations.at(-1)!.name;

describe('node backend/dist/migrate.js', () => {
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    folder = await mkdtemp(join(tmpdir(), 'tanya-migrate-'));
  });

  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const migrate = (env: Record<string, string>) =>
    run(process.execPath, [command], { env: { PATH: process.env.PATH, DATA_DIR: folder, ...env }, cwd: folder });

  const production = () => ({
    DATABASE_URL: database.url,
    APP_SECRET: 'q8Zr1-vT5_kM3xW9-bN7cY2-eH4uJ6sDfLg',
    PUBLIC_URL: 'http://127.0.0.1',
  });

  test('migrates an empty database once, also when two start together', async () => {
    const outputs = (await Promise.all([migrate(production()), migrate(production())])).map(({ stdout }) => stdout);
    expect(outputs.filter((output) => output.startsWith('Applied: ') && output.includes(last))).toHaveLength(1);
    expect(outputs.filter((output) => output.includes('No migration is pending.'))).toHaveLength(1);
    const client = new pg.Client(database.url);
    await client.connect();
    const { rows } = await client.query<{ count: string }>('select count(*) from migrations');
    await client.end();
    expect(Number(rows[0]!.count)).toBe(migrations.length);
  });

  test('leaves the embedded database alone while a server runs on it', async () => {
    const postgres = await startEmbeddedPostgres(folder);
    const server = new DatabaseOwner(postgres.url, null, pino({ enabled: false }), () => undefined);
    await server.acquire();
    const refused = await migrate({}).catch((error: unknown) => error);
    const problem = expect.stringContaining('Another Tanya process uses this database: stop it') as unknown;
    expect(refused).toMatchObject({ code: 1, stderr: problem });
    await server.release();
    expect((await migrate({})).stdout).toContain('Applied: ');
    await postgres.stop();
  });

  test('exits with 1 and names the problems of the environment', async () => {
    const failure = await migrate({ DATABASE_URL: database.url }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining('APP_SECRET is required') as unknown });
  });
});
