import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresNode } from '../../harness/servers/postgres-node.js';
import { PAIR_DATABASE, requireStandby, startPair, urlOfPair } from '../../harness/servers/postgres-pair.js';

/** Time from the death of a primary to the promotion of its standby, as a supervisor needs to detect it, ms. */
const DETECTION_MS = 1_000;

/** A Postgres primary and its synchronous standby, which change roles with each failover. */
export class FailoverPair {
  private constructor(
    private primary: PostgresNode,
    private standby: PostgresNode,
    /** DATABASE_URL of the servers. */
    readonly url: string,
  ) {}

  static async start(): Promise<FailoverPair> {
    const [primary, standby] = await startPair();
    return new FailoverPair(primary, standby, urlOfPair(primary, standby));
  }

  /** URL of the current primary. */
  get primaryUrl(): string {
    return this.primary.url(PAIR_DATABASE);
  }

  /** Kills the primary with all its processes, and promotes the standby. */
  async failOver(): Promise<void> {
    const killed = this.primary;
    this.primary = this.standby;
    this.standby = killed;
    await killed.kill();
    await sleep(DETECTION_MS);
    await this.primary.promote();
  }

  /** Makes a killed primary the synchronous standby of its successor. */
  async restore(): Promise<void> {
    if (this.standby.isRunning) return;
    await this.standby.rebuildFrom(this.primary);
    await this.standby.start({}, this.primary);
    await requireStandby(this.primary);
  }

  async stop(): Promise<void> {
    await this.primary.remove();
    await this.standby.remove();
  }
}
