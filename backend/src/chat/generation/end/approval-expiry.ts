import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { BackgroundWork } from '../../../platform/resilience/background-work.js';
import { ApprovalStore } from '../store/approval-store.js';
import { OrphanReaper } from './orphan-reaper.js';

const BATCH = 200;

/** Ends generations whose calls had no decision in time. Several nodes may do this: a compare-and-set decides. */
@Injectable()
export class ApprovalExpiry {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly approvals: ApprovalStore,
    private readonly reaper: OrphanReaper,
    background: BackgroundWork,
  ) {
    background.repeat('approval expiry', timings.nodeReap, () => this.endExpired());
  }

  private async endExpired(): Promise<void> {
    for (const id of await this.approvals.expired(this.timings.approval, BATCH)) {
      await this.reaper.endWaiting(id, 'expired');
    }
  }
}
