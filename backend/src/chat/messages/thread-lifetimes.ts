import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { RetentionService } from '../../retention/retention.service.js';
import { type Owner, ownerUserId } from '../../identity/identity.js';

/** How long threads last after their last message, in seconds; null for those of accounts, which only the retention ends. */
@Injectable()
export class ThreadLifetimes {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly retention: RetentionService,
  ) {}

  ofNew({ userId }: { userId: number | null }, isTemporary = false): number | null {
    if (isTemporary) return this.timings.temporaryThread / 1000;
    const { guest } = this.retention.get().inForce;
    return userId === null && guest !== null ? (guest * this.timings.guestThread) / 1000 : null;
  }

  /** Of a temporary thread that its owner keeps. */
  ofKept(owner: Owner): number | null {
    return this.ofNew({ userId: ownerUserId(owner) });
  }
}
