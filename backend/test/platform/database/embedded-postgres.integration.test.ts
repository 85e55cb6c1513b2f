import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { DatabaseOwner } from '../../../src/platform/database/database-owner.js';
import { startEmbeddedPostgres } from '../../../src/platform/database/embedded-postgres.js';

const built = new URL('../../../dist/platform/database/embedded-postgres.js', import.meta.url).href;

const logger = pino({ enabled: false });

/** Timeout of a start in place of the default, ms. */
const START_MS = 6_000;

async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Starts Postgres in a folder from another process, which prints its URL and waits. */
async function startElsewhere(dataDir: string): Promise<{ process: ChildProcess; url: string }> {
  const code = `const { startEmbeddedPostgres } = await import(${JSON.stringify(built)});
    const { url } = await startEmbeddedPostgres(${JSON.stringify(dataDir)});
    console.log(url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { process: child, url: line.toString().trim() };
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('startEmbeddedPostgres', () => {
  /** A folder with the data of a server that was never used. */
  let unused: string;
  let dataDir: string;

  beforeAll(async () => {
    unused = await mkdtemp(join(tmpdir(), 'tanya-pg-'));
    await (await startEmbeddedPostgres(unused)).stop();
  });

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tanya-pg-'));
    await promisify(execFile)('cp', ['-a', join(unused, 'postgres'), dataDir]);
  });

  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  afterAll(() => rm(unused, { recursive: true, force: true }));

  it('keeps data over a restart, in UTF-8, behind a password in a private file', async () => {
    const first = await startEmbeddedPostgres(dataDir);
    await query(first.url, "create table note as select 'Grüße, 你好' as text");
    await first.stop();
    await expect(query(first.url, 'select 1')).rejects.toThrow();

    const second = await startEmbeddedPostgres(dataDir);
    expect(await query(second.url, 'select text from note')).toEqual([{ text: 'Grüße, 你好' }]);
    expect(await query(second.url, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
    const wrong = second.url.replace(/:[^:@]+@/, ':wrong@');
    await expect(query(wrong, 'select 1')).rejects.toThrow('password');
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
    await second.stop();
  });

  it('takes over the server of a killed process', async () => {
    const elsewhere = await startElsewhere(dataDir);
    await query(elsewhere.url, 'create table note (id int)');
    await end(elsewhere.process);
    expect(await query(elsewhere.url, 'select * from note')).toEqual([]);

    const postgres = await startEmbeddedPostgres(dataDir);
    expect(postgres.url).not.toBe(elsewhere.url);
    expect(await query(postgres.url, 'select * from note')).toEqual([]);
    await postgres.stop();
  });

  it('restarts after the process and Postgres were killed', async () => {
    const elsewhere = await startElsewhere(dataDir);
    await query(elsewhere.url, 'create table note as select 1 as id');
    const pid = Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    await end(elsewhere.process);

    const postgres = await startEmbeddedPostgres(dataDir);
    expect(await query(postgres.url, 'select id from note')).toEqual([{ id: 1 }]);
    await postgres.stop();
  });

  it('waits for a crash recovery that takes longer than a start', async () => {
    const data = join(dataDir, 'postgres/data');
    const pidOf = async () => Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
    const elsewhere = await startElsewhere(dataDir);
    await query(elsewhere.url, 'create table note as select generate_series(1, 200000) as id');
    process.kill(await pidOf(), 'SIGKILL');
    await end(elsewhere.process);
    // A pipe in place of a file that Postgres reads as it recovers: it waits for what is written to the pipe.
    const file = join(data, 'pg_logical/replorigin_checkpoint');
    const content = await readFile(file);
    await rm(file);
    await promisify(execFile)('mkfifo', ['--mode=644', file]);

    const starting = startEmbeddedPostgres(dataDir, START_MS);
    const pipe = await open(file, 'w');
    await rm(file);
    const pid = await pidOf();
    await sleep(1.2 * START_MS);
    await pipe.writeFile(content);
    await pipe.close();
    const postgres = await starting;
    expect(await pidOf()).toBe(pid);
    expect(await query(postgres.url, 'select count(*)::int as count from note')).toEqual([{ count: 200_000 }]);
    await postgres.stop();
  });

  it('joins the server of a running process and does not stop it', async () => {
    const elsewhere = await startElsewhere(dataDir);
    const joined = await startEmbeddedPostgres(dataDir);
    expect(joined.url).toBe(elsewhere.url);
    await joined.stop();
    expect(await query(elsewhere.url, 'select 1 as one')).toEqual([{ one: 1 }]);

    await end(elsewhere.process);
    await (await startEmbeddedPostgres(dataDir)).stop();
  });

  it('runs on while a server uses it whose command started it', async () => {
    const command = await startElsewhere(dataDir);
    const joined = await startEmbeddedPostgres(dataDir);
    const owner = new DatabaseOwner(joined.url, null, logger, () => undefined);
    await owner.acquire();
    await end(command.process);
    expect((await startEmbeddedPostgres(dataDir)).url).toBe(joined.url);
    await owner.release();
    await joined.stop();
    expect(joined.isRunning()).toBe(false);

    const started = await startEmbeddedPostgres(dataDir);
    const server = new DatabaseOwner(started.url, null, logger, () => undefined);
    await server.acquire();
    await started.stop();
    expect(await query(started.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.release();
    await started.stop();
    expect(started.isRunning()).toBe(false);
  });

  it('is missed by the server whose lock was in it, once its process has ended', async () => {
    const postgres = await startEmbeddedPostgres(dataDir);
    const lost = new Promise<void>((resolve) => {
      const owner = new DatabaseOwner(postgres.url, null, logger, resolve, () => !postgres.isRunning());
      void owner.acquire().then(async () => {
        process.kill(
          Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]),
          'SIGKILL',
        );
      });
    });
    await lost;
    expect(postgres.isRunning()).toBe(false);
  });

  it('logs neither refused statements nor their values', async () => {
    const postgres = await startEmbeddedPostgres(dataDir);
    await query(postgres.url, "create table note as select 'of a user' as text; create unique index on note (text)");
    await expect(query(postgres.url, "insert into note values ('of a user')")).rejects.toThrow('duplicate');
    await postgres.stop();
    const log = await readFile(join(dataDir, 'postgres/postgres.log'), 'utf8');
    expect(log).toContain('database system is ready');
    expect(log).not.toMatch(/of a user|duplicate/);
  });

  it('gives concurrent starts in an empty folder the same server', async () => {
    await rm(join(dataDir, 'postgres'), { recursive: true });
    const all = await Promise.all([1, 2, 3].map(() => startEmbeddedPostgres(dataDir)));
    expect(new Set(all.map(({ url }) => url)).size).toBe(1);
    for (const { stop } of all) await stop();
    await expect(query(all[0]?.url ?? '', 'select 1')).rejects.toThrow();
  });
});
