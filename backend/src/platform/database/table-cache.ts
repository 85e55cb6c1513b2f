import type { Logger } from '../observability/logging.js';

/** Reload interval. A change whose bus message was lost takes effect after this at the latest. */
const RELOAD_MS = 30_000;

export class TableCache<T> {
  private current: T | undefined;
  private last: Promise<void> = Promise.resolve();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly read: () => Promise<T>,
    logger: Logger,
  ) {
    this.timer = setInterval(() => {
      this.reload().catch((error: unknown) =>
        logger.warn({ err: error }, 'table cache reload failed; serving the previous value'),
      );
    }, RELOAD_MS).unref();
  }

  /** Value of the last reload. @throws Error before the first one */
  get value(): T {
    if (this.current === undefined) throw new Error('table cache read before its first reload');
    return this.current;
  }

  /** Reads the table again. Reloads run one after the other, so that an older result never replaces a newer one. */
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
