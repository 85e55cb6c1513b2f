import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { type Owner, ownerUserId } from '../../identity/identity.js';

/** How long threads last after their last message, in seconds; null for those of accounts, which only the retention ends. */
@Injectable()
export class ThreadLifetimes {
  constructor(@Inject(TIMINGS) private readonly timings: Timings) {}

  ofNew({ userId }: { userId: number | null }, isTemporary = false): number | null {
    if (isTemporary) return this.timings.temporaryThread / 1000;
    return userId === null ? this.timings.guestThread / 1000 : null;
  }

  /** Of a temporary thread that its owner keeps. */
  ofKept(owner: Owner): number | null {
    return this.ofNew({ userId: ownerUserId(owner) });
  }
}
