import { Injectable } from '@nestjs/common';
import type { Identity } from '../../platform/session/identity.js';
import { type Count, type RateLimit, RateLimits } from '../../platform/redis/rate-limits.js';

/** An even pace, and bursts within it. Seconds. */
const SENDS: RateLimit = { name: 'sends', points: 120, window: 60 };
const SENDS_GUEST: RateLimit = { name: 'sends-guest', points: 30, window: 60 };
const SEND_BURST: RateLimit = { name: 'send-burst', points: 60, window: 10 };

const paceOf = (identity: Identity): RateLimit => (identity.userId === null ? SENDS_GUEST : SENDS);

/** What one send counts for. */
const countsOf = (identity: Identity): Count[] => [
  [paceOf(identity), identity.owner],
  [SEND_BURST, identity.owner],
  ...(identity.userId === null ? [[SENDS, `address:${identity.address}`] satisfies Count] : []),
];

/** How fast one may send. */
@Injectable()
export class SendRateLimiter {
  constructor(private readonly limits: RateLimits) {}

  /** Whether a send would be too fast, without counting one. @throws AppError `rate_limited` */
  async check(identity: Identity): Promise<void> {
    await this.limits.check(paceOf(identity), identity.owner);
  }

  /** Counts a send that is not too fast. @throws AppError `rate_limited` */
  async count(identity: Identity): Promise<void> {
    await this.limits.consumeAll(countsOf(identity));
  }

  /** Takes a send back that turned out not to count. */
  async giveBack(identity: Identity): Promise<void> {
    await this.limits.rewardAll(countsOf(identity));
  }
}
