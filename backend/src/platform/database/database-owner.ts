import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../observability/logging.js';
import { Connection } from './prepared-connection.js';
import type { PrimaryWatch } from './primary-watch.js';

/** Advisory lock key: 'tanO' in ASCII. */
export const OWNER_LOCK = 0x74616e4f;

/** The session that has the lock. $1 its key. */
const HOLDER = `select pid from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1::oid and objsubid = 1
  and database = (select oid from pg_database where datname = current_database()) and granted`;

/**
 * Ends a session after 20 s whose machine has gone, or whose connection has broken: by default Postgres keeps it, and its
 * lock, for two hours.
 */
const KEEPALIVES = 'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/** Postgres needs up to 20 s to notice that the session of a predecessor, or of this process, is dead. */
const LOCK_TIMEOUT_MS = 30_000;
const RETRY_MS = 250;

/** Timeout of a connection and of a statement. */
const TIMEOUT_MS = 10_000;

/** Interval of attempts to take the lock again after its connection was lost. */
const REACQUIRE_MS = 1_000;

/**
 * Exclusive lock on the database for a process without Redis, whose counters, logs and rooms are in process memory.
 * It is a session-level advisory lock on a dedicated connection, which is reopened when Postgres restarts.
 */
export class DatabaseOwner {
  private client: Connection | null = null;
  /** Process ids of its sessions that took the lock, or may have taken it before their answer was lost. */
  private readonly sessions = new Set<number>();
  /** Another process took the lock while the connection was lost. */
  private isTaken = false;
  private released = false;

  constructor(
    private readonly url: string,
    private readonly primary: PrimaryWatch | null,
    private readonly logger: Logger,
    /** Called when another process took the lock while the connection was lost, or the database is gone. */
    private readonly onLost: () => void,
    /** Whether the database will not come back, as an embedded one whose process has ended. */
    private readonly isGone: () => boolean = () => false,
  ) {}

  /** @throws Error when another process still holds the lock after `timeoutMs` */
  async acquire(timeoutMs = LOCK_TIMEOUT_MS): Promise<void> {
    if (await this.lockWithin(timeoutMs)) return;
    throw new Error(
      'Another Tanya process uses this database: stop it, set REDIS_URL to run several, or give each its own DATA_DIR.',
    );
  }

  async release(): Promise<void> {
    this.released = true;
    // Postgres notices the end of a session later.
    await this.client?.query('select pg_advisory_unlock($1)', [OWNER_LOCK]).catch(() => undefined);
    await this.client?.end().catch(() => undefined);
  }

  private async lockWithin(timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    for (let attempts = 0; !(await this.tryLock()); attempts += 1) {
      if (this.released || this.isTaken || performance.now() >= deadline) return false;
      if (attempts === 0) this.logger.warn('database in use by another process; waiting for its end');
      await sleep(RETRY_MS);
    }
    return true;
  }

  private async tryLock(): Promise<boolean> {
    const client = new Connection({
      connectionString: this.url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      // This process notices the end of its session too.
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      application_name: 'tanya owner',
      primary: this.primary,
    });
    client.on('error', () => this.reacquire(client));
    await client.connect();
    await client.query(KEEPALIVES);
    const session = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { pid } = session.rows[0]!;
    this.sessions.add(pid);
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [OWNER_LOCK]);
    if (rows[0]?.locked && !this.released) {
      this.sessions.clear();
      this.sessions.add(pid);
      this.client = client;
      return true;
    }
    this.sessions.delete(pid);
    // Only the end of its own dead session is worth a wait: another process serves already.
    if (this.sessions.size > 0) {
      const holders = await client.query<{ pid: number }>(HOLDER, [OWNER_LOCK]);
      this.isTaken = holders.rows.some((holder) => !this.sessions.has(holder.pid));
    }
    await client.end();
    return false;
  }

  private reacquire(lost: Connection): void {
    if (this.released || this.client !== lost) return;
    this.client = null;
    const again = (): void => {
      if (this.released) return;
      this.lockWithin(LOCK_TIMEOUT_MS).then(
        (locked) => locked || this.giveUp('database lock lost to another process; stopping'),
        () => {
          if (this.isGone()) this.giveUp('embedded postgres has ended; stopping');
          else setTimeout(again, REACQUIRE_MS).unref();
        },
      );
    };
    setTimeout(again, REACQUIRE_MS).unref();
  }

  private giveUp(reason: string): void {
    if (this.released) return;
    this.logger.fatal(reason);
    this.onLost();
  }
}
