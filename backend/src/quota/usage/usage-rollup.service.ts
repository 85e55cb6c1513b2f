import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { LOCK_ROLLUP, ROLL_UP } from './rollup-sql.js';

const BATCH = 10_000;

/** Moves settled usage records into the daily rollup. Every node does; a table lock serializes them. */
@Injectable()
export class UsageRollup {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(TIMINGS) timings: Timings,
    background: BackgroundWork,
  ) {
    background.repeat('usage rollup', timings.usageRollup, () => this.rollUp());
  }

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
