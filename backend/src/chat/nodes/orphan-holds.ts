import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { Statements } from '../../platform/database/statements.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { type QuotaAccount, QuotaService } from '../../quota/quota.service.js';
import { accountsHoldingMore, releaseHolds } from '../../quota/quota-sql.js';
import { generationExists, openCost } from '../generation/store/generation-sql.js';

/** Accounts of one pass; the next pass continues after the last one. */
const BATCH = 200;

/** Primary key of an account. */
interface AccountKey {
  owner: string;
  period: string;
}

const START: AccountKey = { owner: '', period: '' };

/** $1 owner and $2 period after which the batch begins. */
const HOLDING_TOO_MUCH = `${accountsHoldingMore(openCost)} and (a.owner, a.period) > ($1, $2)
order by a.owner, a.period limit ${BATCH}`;
const RELEASE = releaseHolds((generationId) => `not ${generationExists(generationId)}`);

/**
 * Releases holds whose generation was deleted: a node of the version before approvals deletes a thread without ending the
 * answer that waits in it. Several nodes may do this: the state of a usage record decides.
 */
@Injectable()
export class OrphanHolds implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  /** An account may hold too much without an orphaned record, so the first batch could be the same in each pass. */
  private last = START;

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
      const { owner: lastOwner, period: lastPeriod } = this.last;
      const accounts = await this.statements.run<AccountKey>(HOLDING_TOO_MUCH, [lastOwner, lastPeriod]);
      for (const { owner, period } of accounts) {
        this.last = { owner, period };
        const [account] = await this.statements.run<QuotaAccount>(RELEASE, [owner, period]);
        if (account === undefined) continue;
        await this.quotas.committed(account);
        this.logger.warn({ owner, period }, 'hold of a deleted generation released');
      }
      if (accounts.length < BATCH) this.last = START;
    } catch (error) {
      this.logger.warn({ err: error }, 'release of orphaned holds failed; retrying with the next pass');
    }
  }
}
