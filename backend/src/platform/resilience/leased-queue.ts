import type { Logger } from '../observability/logging.js';
import type { BackgroundWork } from './background-work.js';

interface LeasedQueueOptions<Claim> {
  /** For the log: `<name> failed`. */
  name: string;
  /** Rows that a node works at together. */
  concurrency: number;
  /** After this time without a renewal another node may claim a row, ms. */
  leaseMs: number;
  /** Between two looks for rows of which no `wake` told, ms. */
  lookMs: number;
  /** Claims the next row for this long; null when none waits. */
  claimNext(leaseSeconds: number): Promise<Claim | null>;
  /** Moves the moment from which another node may claim the row. */
  postpone(claim: Claim, seconds: number): Promise<void>;
  /** Works at a claimed row, and says in it what came of it. */
  work(claim: Claim): Promise<void>;
  /** Called after the work, when the row is no longer held. */
  onWorked(claim: Claim): Promise<void>;
  /** Whether no row may be claimed now. */
  isPaused?(): boolean;
}

/**
 * Works at the rows of a queue in Postgres one after another. A node holds a row by a lease that it renews, and any node
 * continues with the rows of one that has ended.
 */
export class LeasedQueue<Claim> {
  private readonly held = new Set<Claim>();
  private working = 0;
  private isStopped = false;

  constructor(
    private readonly options: LeasedQueueOptions<Claim>,
    private readonly logger: Logger,
    background: BackgroundWork,
  ) {
    const { name, leaseMs, lookMs } = options;
    background.repeat(name, lookMs, () => this.wake());
    background.repeat(`lease of ${name}`, leaseMs / 4, async () => {
      await Promise.all(this.postponeHeld(leaseMs / 1000));
    });
  }

  /** The rows that this node works at. */
  get claims(): Claim[] {
    return [...this.held];
  }

  /** Looks for a row that waits, as far as this node has room. */
  wake(): void {
    if (this.working === this.options.concurrency || this.mayNotClaim()) return;
    this.working += 1;
    void this.workAtAll().finally(() => (this.working -= 1));
  }

  /** The next node, or this one after its restart, begins at once with the rows that this one holds. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.allSettled(this.postponeHeld(0));
  }

  private async workAtAll(): Promise<void> {
    try {
      while (!this.mayNotClaim()) {
        const claim = await this.options.claimNext(this.options.leaseMs / 1000);
        if (claim === null) return;
        if (this.isStopped) return await this.options.postpone(claim, 0);
        // Where one row waits, more may.
        this.wake();
        this.held.add(claim);
        try {
          await this.options.work(claim);
        } finally {
          this.held.delete(claim);
          await this.options.onWorked(claim);
        }
      }
    } catch (error) {
      this.logger.warn({ err: error }, `${this.options.name} failed; retrying at the next interval`);
    }
  }

  private mayNotClaim(): boolean {
    return this.isStopped || (this.options.isPaused?.() ?? false);
  }

  private postponeHeld(seconds: number): Promise<void>[] {
    return this.claims.map((claim) => this.options.postpone(claim, seconds));
  }
}
