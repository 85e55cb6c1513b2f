import { Injectable } from '@nestjs/common';
import { countsOf } from '../identity/caller-counts.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import type { Asker } from '../identity/identity.js';

/**
 * Stops before any output that are free; the window is in seconds. The provider bills their prompts all the same. A person
 * who sent too early stops some times an hour, a program that sends prompts and leaves does it 120 times a minute.
 */
const FREE_STOPS: RateLimit = { name: 'free-stops', points: 20, window: 60 * 60, isDurable: true };

type Stopper = Pick<Asker, 'owner' | 'userId' | 'address'>;

/** Counts the stops of each owner that are free because nothing of the answer was shown, on all nodes together. */
@Injectable()
export class FreeStops {
  constructor(private readonly limits: RateLimits) {}

  /** Uses one. @returns false without one left: the stop is charged */
  async takeOne(stopper: Stopper): Promise<boolean> {
    return this.limits.tryConsumeAll(countsOf(stopper, FREE_STOPS));
  }

  async isLeft(stopper: Stopper): Promise<boolean> {
    const areUsedUp = await Promise.all(
      countsOf(stopper, FREE_STOPS).map(([limit, key]) => this.limits.isUsedUp(limit, key)),
    );
    return !areUsedUp.includes(true);
  }
}
