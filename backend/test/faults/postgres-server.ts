import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { SmallDisk } from './small-disk.js';
import { TcpProxy } from './tcp-proxy.js';

/** Size of the disk of the database, MB. */
const DISK = 400;

/** One database, queried directly and not through the proxy that injects faults. */
export class Database {
  private pool: pg.Pool | null = null;

  constructor(
    /** URL for the servers, through the proxy. */
    readonly url: string,
    private readonly directUrl: () => string,
  ) {}

  async query<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
    this.pool ??= this.connect();
    return (await this.pool.query<T & pg.QueryResultRow>(sql, values)).rows;
  }

  /** Terminates the servers' backends, or one of them. */
  async terminate(backend: number | null = null): Promise<void> {
    await this.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'tanya' and datname = current_database() and pid = coalesce($1, pid)`,
      [backend],
    );
  }

  async disconnect(): Promise<void> {
    await this.pool?.end().catch(() => undefined);
    this.pool = null;
  }

  private connect(): pg.Pool {
    const pool = new pg.Pool({ connectionString: this.directUrl(), max: 4, connectionTimeoutMillis: 30_000 });
    pool.on('error', () => undefined);
    return pool;
  }
}

/** A Postgres behind a proxy, on a disk that can be filled where mounting is permitted. */
export class PostgresServer {
  private server: EmbeddedPostgres | null = null;
  /** The direct URL; its port changes with every start, which the proxy hides. */
  private directUrl = '';
  private readonly databases: Database[] = [];

  private constructor(
    private readonly folder: string,
    readonly proxy: TcpProxy,
    readonly disk: SmallDisk,
  ) {}

  static async start(folder: string): Promise<PostgresServer> {
    const disk = await SmallDisk.at(folder, DISK);
    let postgres: PostgresServer | null = null;
    const proxy = await TcpProxy.open(() => postgres?.ports ?? []);
    postgres = new PostgresServer(folder, proxy, disk);
    await postgres.up();
    return postgres;
  }

  /** Creates a database. */
  async createDatabase(name: string): Promise<Database> {
    const admin = new pg.Client(this.directUrl);
    await admin.connect();
    await admin.query(`create database ${name}`);
    await admin.end();
    const database = new Database(this.address(name, this.proxy.port), () => this.address(name));
    this.databases.push(database);
    return database;
  }

  async restart(downFor: number, immediately = false): Promise<void> {
    await this.down(immediately);
    await sleep(downFor);
    await this.up();
  }

  async down(immediately = false): Promise<void> {
    for (const database of this.databases) await database.disconnect();
    if (immediately) {
      const pid = this.postmaster();
      for (const each of [pid, ...childrenOf(pid)]) tryKill(each, 'SIGKILL');
    }
    await this.server?.stop();
    this.server = null;
  }

  async up(): Promise<void> {
    this.server ??= await startEmbeddedPostgres(this.folder).catch(() => startEmbeddedPostgres(this.folder));
    this.directUrl = this.server.url;
  }

  /** Sends SIGSTOP to every process of the server. */
  freeze(): void {
    const pid = this.postmaster();
    for (const each of [pid, ...childrenOf(pid)]) tryKill(each, 'SIGSTOP');
  }

  thaw(): void {
    const pid = this.postmaster();
    for (const each of [pid, ...childrenOf(pid)]) tryKill(each, 'SIGCONT');
  }

  async stop(): Promise<void> {
    await this.down();
    await this.proxy.close();
    this.disk.unmount();
  }

  private get ports(): number[] {
    return this.server === null ? [] : [Number(new URL(this.server.url).port)];
  }

  private address(database: string, port = Number(new URL(this.directUrl).port)): string {
    const url = new URL(this.directUrl);
    url.port = String(port);
    url.pathname = database;
    return url.href;
  }

  private postmaster(): number {
    return Number(readFileSync(join(this.folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  }
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already exited.
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      return /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${entry}/status`, 'utf8'))?.[1] === String(pid)
        ? [Number(entry)]
        : [];
    } catch {
      return [];
    }
  });
}
