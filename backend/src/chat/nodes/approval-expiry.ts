import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { OrphanFinalizer } from '../generation/ports/orphan-finalizer.js';
import { ApprovalStore } from '../generation/store/approval-store.js';

/** Generations that one pass ends; the next pass continues. */
const BATCH = 200;

/** Ends generations whose calls had no decision in time. Several nodes may do this: the finalizer's compare-and-set decides. */
@Injectable()
export class ApprovalExpiry {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly approvals: ApprovalStore,
    private readonly finalizer: OrphanFinalizer,
    background: BackgroundWork,
  ) {
    background.repeat('approval expiry', timings.nodeReap, () => this.endExpired());
  }

  private async endExpired(): Promise<void> {
    for (const id of await this.approvals.expired(this.timings.approval, BATCH)) {
      await this.finalizer.endWaiting(id, 'expired');
    }
  }
}
