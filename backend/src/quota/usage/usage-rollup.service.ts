import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { LOCK_ROLLUP, ROLL_UP } from './rollup-sql.js';

/** Records of one transaction. */
const BATCH = 10_000;

/** Moves settled usage records into the daily rollup. Every node does; a table lock serializes them. */
@Injectable()
export class UsageRollup implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.rollUp().catch((error: unknown) =>
        this.logger.warn({ err: error }, 'usage rollup failed; reports read the records until the next pass'),
      );
    }, this.timings.usageRollup).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Empties the queue of settled records. */
  async rollUp(): Promise<void> {
    for (;;) {
      const taken = await this.dataSource.transaction(async (manager) => {
        await manager.query(LOCK_ROLLUP);
        const [row] = await manager.query<[{ taken: number }]>(ROLL_UP, [BATCH]);
        return row.taken;
      });
      if (taken < BATCH) return;
    }
  }
}
