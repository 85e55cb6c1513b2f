import type { Logger } from '../observability/logging.js';
import { Connection } from './prepared-connection.js';
import type { PrimaryWatch } from './primary-watch.js';

/** Advisory lock key: 'tanO' in ASCII. */
const OWNER_LOCK = 0x74616e4f;

/** Postgres needs a moment to notice that a killed predecessor's connection is closed. */
const LOCK_TIMEOUT_MS = 5_000;
const RETRY_MS = 250;

/** Interval of attempts to take the lock again after its connection was lost. */
const REACQUIRE_MS = 1_000;

/**
 * Exclusive lock on the database for a process without Redis, whose counters, logs and rooms are in process memory.
 * It is a session-level advisory lock on a dedicated connection, which is reopened when Postgres restarts.
 */
export class DatabaseOwner {
  private client: Connection | null = null;
  private released = false;

  constructor(
    private readonly url: string,
    private readonly primary: PrimaryWatch | null,
    private readonly logger: Logger,
    /** Called when another process took the lock while the connection was lost. */
    private readonly onLost: () => void,
  ) {}

  /** @throws Error when another process still holds the lock after 5 s */
  async acquire(): Promise<void> {
    for (
      const deadline = Date.now() + LOCK_TIMEOUT_MS;
      ;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    ) {
      if (await this.tryLock()) return;
      if (Date.now() > deadline) {
        throw new Error(
          'Another Tanya process uses this database. Set REDIS_URL to run several, or give each its own DATA_DIR.',
        );
      }
    }
  }

  async release(): Promise<void> {
    this.released = true;
    await this.client?.end().catch(() => undefined);
  }

  private async tryLock(): Promise<boolean> {
    const client = new Connection({
      connectionString: this.url,
      keepAlive: true,
      application_name: 'tanya owner',
      primary: this.primary,
    });
    client.on('error', () => this.reacquire(client));
    await client.connect();
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [OWNER_LOCK]);
    if (rows[0]?.locked) {
      this.client = client;
      return true;
    }
    await client.end();
    return false;
  }

  private reacquire(lost: Connection): void {
    if (this.released || this.client !== lost) return;
    this.client = null;
    const again = (): void => {
      if (this.released) return;
      this.tryLock().then(
        (locked) => {
          if (locked) return;
          this.logger.fatal('database lock lost to another process; stopping');
          this.onLost();
        },
        () => setTimeout(again, REACQUIRE_MS).unref(),
      );
    };
    setTimeout(again, REACQUIRE_MS).unref();
  }
}
