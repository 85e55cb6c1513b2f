import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import { userOwner } from '../../identity/identity.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { eraseUserValues } from '../user-audit.js';
import { UserEntity } from '../user.entity.js';

/** A hash that no password matches. Together with a suspension it marks an account whose deletion has begun. */
export const NO_PASSWORD = '';

/**
 * Deletes the data of accounts whose deletion has begun. The hooks delete large tables in batches first, so that the
 * deletion of the account's row, with all that refers to it, stays below the timeout of a statement. A sweep on every node
 * completes interrupted deletions, which their owners cannot repeat.
 */
@Injectable()
export class AccountDeletion implements OnModuleDestroy {
  private isStopping = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(TIMINGS) timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly hooks: AccountLifecycleHooks,
    background: BackgroundWork,
  ) {
    background.repeat('sweep of account deletions', timings.accountSweep, () => this.sweep());
  }

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /**
   * Deletes all data of a marked account. After a failure it can be repeated, and the sweep does. The deletion of the row runs
   * the trigger `user_usage_anonymized` (`quota/functions.sql`).
   */
  async finish(userId: number): Promise<void> {
    await this.hooks.beforeDelete(userOwner(userId));
    await this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.delete(UserEntity, { id: userId, passwordHash: NO_PASSWORD });
      if (affected) await eraseUserValues(manager, userId);
    });
  }

  /** Completes interrupted deletions. A deletion that another node is completing may run twice at once. */
  async sweep(): Promise<void> {
    const marked = await this.dataSource.manager.find(UserEntity, {
      select: { id: true },
      where: { isSuspended: true, passwordHash: NO_PASSWORD },
      order: { id: 'ASC' },
    });
    for (const { id } of marked) {
      if (this.isStopping) return;
      await this.finish(id).catch((error: unknown) =>
        this.logger.warn({ err: error, userId: id }, 'deletion of an account failed; retrying with the next sweep'),
      );
    }
  }
}
