import { execFile, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import {
  type Cluster,
  exitOf,
  prepareCluster,
  readPassword,
  runInCluster,
} from '../../../src/platform/database/embedded-postgres-cluster.js';
import { freePort } from '../free-port.js';
import { waitUntil } from '../wait-until.js';
import type { Certificate } from './certificate.js';

const run = promisify(execFile);

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  wal_level: 'replica',
  max_wal_senders: '5',
  wal_keep_size: '256MB',
  // A killed process leaves what it has written to the system; only a crash of the machine would lose it.
  fsync: 'off',
  timezone: 'UTC',
};

/** A Postgres process with data and a port of its own, as a primary or a standby. */
export class PostgresNode {
  private process: ChildProcess | null = null;

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly cluster: Cluster,
    readonly password: string,
  ) {}

  static async create(): Promise<PostgresNode> {
    const folder = join(process.env.TANYA_TEST_FOLDER ?? '/tmp', 'servers', randomUUID());
    await mkdir(folder, { recursive: true });
    const cluster = await prepareCluster(folder);
    return new PostgresNode(folder, await freePort(), cluster, await readPassword(cluster));
  }

  /** A second server with the data of this one, which must be stopped. */
  async copy(): Promise<PostgresNode> {
    const folder = join(this.folder, '..', randomUUID());
    await mkdir(folder, { recursive: true });
    await run('cp', ['-a', join(this.folder, 'postgres'), join(folder, 'postgres')]);
    return new PostgresNode(folder, await freePort(), await prepareCluster(folder), this.password);
  }

  get isRunning(): boolean {
    return this.process !== null;
  }

  url(database = 'postgres'): string {
    return `postgres://tanya:${this.password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Makes it accept TLS from the next start on. @returns the settings of that start */
  async useCertificate({ key, certificate }: Certificate): Promise<Record<string, string>> {
    const { data } = this.cluster;
    const files = [join(data, 'server.key'), join(data, 'server.crt')];
    await run('cp', [key, files[0]!]);
    await run('cp', [certificate, files[1]!]);
    // Postgres runs as a user of its own, and refuses a key that others can read.
    await run('chown', [`--reference=${join(data, 'PG_VERSION')}`, ...files]);
    await run('chmod', ['600', ...files]);
    return { ssl: 'on' };
  }

  /** Starts it as a primary, or as a standby of `primary`. */
  async start(settings: Record<string, string> = {}, primary: PostgresNode | null = null): Promise<void> {
    const signal = join(this.cluster.data, 'standby.signal');
    if (primary === null) await rm(signal, { force: true });
    else await writeFile(signal, '');
    const all = { ...SETTINGS, ...settings, ...(primary === null ? {} : { primary_conninfo: conninfo(primary) }) };
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.process = runInCluster(this.cluster, 'postgres', flags, { PGPORT: String(this.port) });
    this.process.unref();
    await writeFile(join(this.folder, 'pid'), String(this.process.pid));
    await waitUntil('Postgres', () =>
      this.query('select 1').then(
        () => true,
        () => false,
      ),
    );
  }

  /** Shuts down, with a checkpoint. */
  async stop(): Promise<void> {
    if (this.process === null) return;
    const exit = exitOf(this.process);
    this.process.kill('SIGINT');
    this.process = null;
    await exit;
  }

  /** Kills all its processes. */
  async kill(): Promise<void> {
    if (this.process === null) return;
    const exit = exitOf(this.process);
    const pid = this.process.pid!;
    for (const each of [pid, ...childrenOf(pid)]) tryKill(each, 'SIGKILL');
    this.process = null;
    await exit;
    await waitUntil('the end of Postgres', () => childrenOf(pid).length === 0);
    await rm(join(this.cluster.data, 'postmaster.pid'), { force: true });
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Replaces the data of this stopped server by a base backup of a primary that runs. */
  async rebuildFrom(primary: PostgresNode): Promise<void> {
    const { data } = this.cluster;
    await run('find', [data, '-mindepth', '1', '-delete']);
    const client = new pg.Client({ connectionString: primary.url() });
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query(`select pg_backup_start('standby', true)`);
      await copyData(primary.cluster.data, data);
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
      await writeFile(join(data, 'backup_label'), rows[0]!.labelfile);
      // Postgres runs as a user of its own and renames the file.
      await run('chown', [`--reference=${join(data, 'PG_VERSION')}`, join(data, 'backup_label')]);
    } finally {
      await client.end();
    }
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.query('select pg_promote(true, 30)');
  }

  /** Runs one statement on a connection of its own. */
  async query<T>(sql: string, database?: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: this.url(database), connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(sql)).rows as T[];
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}

/** Copies data without the WAL, which a standby requests from its primary. */
async function copyData(from: string, to: string): Promise<void> {
  const skipped = ['pg_wal', 'postmaster.pid', 'postmaster.opts'].flatMap((name) => ['!', '-name', name]);
  await run('find', [from, '-mindepth', '1', '-maxdepth', '1', ...skipped, '-exec', 'cp', '-a', '-t', to, '{}', '+']);
  const wal = join(to, 'pg_wal');
  await mkdir(wal);
  for (const tool of ['chown', 'chmod']) await run(tool, [`--reference=${join(from, 'pg_wal')}`, wal]);
}

const conninfo = ({ port, password }: PostgresNode): string =>
  `host=127.0.0.1 port=${port} user=tanya password=${password} application_name=standby`;

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already exited.
  }
}
