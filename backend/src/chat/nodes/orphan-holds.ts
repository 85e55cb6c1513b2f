import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { Statements } from '../../platform/database/statements.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { type QuotaAccount, QuotaService } from '../../quota/quota.service.js';
import { accountsHoldingMore, releaseHolds } from '../../quota/quota-sql.js';
import { generationExists, openCost } from '../generation/store/generation-sql.js';

/** Accounts of one pass; the next pass continues. */
const BATCH = 200;

const HOLDING_TOO_MUCH = `${accountsHoldingMore(openCost)} limit ${BATCH}`;
const RELEASE = releaseHolds((generationId) => `not ${generationExists(generationId)}`);

/**
 * Releases holds whose generation was deleted: a node of the version before approvals deletes a thread without ending the
 * answer that waits in it. Several nodes may do this: the state of a usage record decides.
 */
@Injectable()
export class OrphanHolds implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly statements: Statements,
    private readonly quotas: QuotaService,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.release(), this.timings.holdSweep);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async release(): Promise<void> {
    try {
      const accounts = await this.statements.run<Pick<QuotaAccount, 'owner' | 'period'>>(HOLDING_TOO_MUCH, []);
      for (const { owner, period } of accounts) {
        const [account] = await this.statements.run<QuotaAccount>(RELEASE, [owner, period]);
        if (account === undefined) continue;
        await this.quotas.committed(account);
        this.logger.warn({ owner, period }, 'hold of a deleted generation released');
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'release of orphaned holds failed; retrying with the next pass');
    }
  }
}
