import pg from 'pg';
import type { Logger } from '../observability/logging.js';

/** 'tanO' in ASCII. */
const OWNER_LOCK = 0x74616e4f;

/** A killed predecessor's connection needs a moment to be noticed by Postgres. */
const LOCK_TIMEOUT_MS = 5_000;
const STEP = 250;

/**
 * Without Redis one process owns the database, since its counters, logs and rooms are in this process alone.
 * The lock is a session's, held by a connection of its own that is opened again when Postgres restarts.
 */
export class DatabaseOwner {
  private client: pg.Client | null = null;
  private released = false;

  constructor(
    private readonly url: string,
    private readonly logger: Logger,
    /** Called when another process has taken the database meanwhile. */
    private readonly onLost: () => void,
  ) {}

  /** @throws when another process holds the database */
  async acquire(): Promise<void> {
    for (const deadline = Date.now() + LOCK_TIMEOUT_MS; ; await new Promise((resolve) => setTimeout(resolve, STEP))) {
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
    const client = new pg.Client({ connectionString: this.url, keepAlive: true, application_name: 'tanya owner' });
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

  private reacquire(lost: pg.Client): void {
    if (this.released || this.client !== lost) return;
    this.client = null;
    const again = (): void => {
      if (this.released) return;
      this.tryLock().then(
        (locked) => {
          if (locked) return;
          this.logger.fatal('another process took this database');
          this.onLost();
        },
        () => setTimeout(again, 1000).unref(),
      );
    };
    setTimeout(again, 1000).unref();
  }
}
