import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { OrphanFinalizer } from '../generation/ports/orphan-finalizer.js';
import { ApprovalStore } from '../generation/store/approval-store.js';

/** Generations that one pass ends; the next pass continues. */
const BATCH = 200;

/** Ends generations whose calls had no decision in time. Several nodes may do this: the finalizer's compare-and-set decides. */
@Injectable()
export class ApprovalExpiry implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly approvals: ApprovalStore,
    private readonly finalizer: OrphanFinalizer,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.endExpired(), this.timings.nodeReap);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async endExpired(): Promise<void> {
    try {
      for (const id of await this.approvals.expired(this.timings.approval, BATCH)) {
        await this.finalizer.endWaiting(id, 'expired');
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'approval expiry failed; retrying with the next pass');
    }
  }
}
