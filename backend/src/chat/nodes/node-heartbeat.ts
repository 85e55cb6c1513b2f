import { hostname } from 'node:os';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { RESOURCES, type Resources } from '../../platform/platform.module.js';
import { GenerationEngine } from '../generation/run/generation-engine.js';

/** Rows of dead nodes are deleted after this time, in hours. */
const RETENTION_HOURS = 24;

/**
 * The heartbeat of this node in the table `node`. Only the database's clock counts, so nodes with skewed clocks agree on
 * which node is dead.
 */
@Injectable()
export class NodeHeartbeat implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  /** Since when Postgres has answered without a failure, epoch ms; null while it is unavailable. */
  private healthySince: number | null = null;
  private lastBeat: Promise<boolean> = Promise.resolve(false);
  private isStopped = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(RESOURCES) private readonly resources: Resources,
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly engine: GenerationEngine,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.beat();
    this.timer = setInterval(() => void this.beat(), this.timings.nodeBeat);
  }

  /** Beats until the last run of this node has ended, then removes the node. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.engine.drain();
    clearInterval(this.timer);
    // A heartbeat that is still on its way, or one of the reaper, would insert the deleted row again.
    this.isStopped = true;
    await this.lastBeat;
    await this.dataSource.query('delete from node where id = $1', [this.resources.nodeId]).catch(() => undefined);
  }

  /** Milliseconds for which Postgres has been available without a break. */
  get healthyFor(): number {
    return this.healthySince === null ? 0 : Date.now() - this.healthySince;
  }

  /** @returns whether Postgres took the heartbeat */
  beat(): Promise<boolean> {
    if (this.isStopped) return Promise.resolve(false);
    this.lastBeat = this.insertBeat();
    return this.lastBeat;
  }

  async isAlive(nodeId: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `select 1 from node where id = $1 and beat_at > now() - $2 * interval '1 ms'`,
      [nodeId, this.timings.nodeDead],
    );
    return rows.length > 0;
  }

  async deleteOldNodes(): Promise<void> {
    await this.dataSource.query(`delete from node where beat_at < now() - $1 * interval '1 hour'`, [RETENTION_HOURS]);
  }

  private async insertBeat(): Promise<boolean> {
    try {
      await this.dataSource.query(
        `insert into node (id, hostname) values ($1, $2) on conflict (id) do update set beat_at = now()`,
        [this.resources.nodeId, hostname()],
      );
      this.healthySince ??= Date.now();
      return true;
    } catch (error) {
      if (this.healthySince !== null) this.logger.warn({ err: error }, 'heartbeat failed; the reaper pauses');
      this.healthySince = null;
      return false;
    }
  }
}
