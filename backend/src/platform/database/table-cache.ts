import type { Logger } from '../observability/logging.js';

/** An announcement may be lost: a change of another process is in force here after this at the latest, ms. */
const RELOAD = 30_000;

/** Something small of the database, kept in process so that reading it costs nothing. */
export class TableCache<T> {
  private current: T | undefined;
  private last: Promise<void> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly read: () => Promise<T>,
    logger: Logger,
  ) {
    this.timer = setInterval(() => {
      this.reload().catch((error: unknown) => logger.warn({ err: error }, 'what is kept in process stays as it was'));
    }, RELOAD).unref();
  }

  /** As of the last read; there has to have been one. */
  get value(): T {
    if (this.current === undefined) throw new Error('nothing was read yet');
    return this.current;
  }

  /** Reads again. One read after the other, so that an older answer never replaces a newer one. */
  reload(): Promise<void> {
    const next = this.last.then(async () => {
      this.current = await this.read();
    });
    this.last = next.catch(() => undefined);
    return next;
  }

  close(): void {
    clearInterval(this.timer);
  }
}
