import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/app-error.js';
import type { Identity } from '../platform/identity.js';
import { type RateLimit, RateLimits } from '../platform/rate-limits.js';

/** An even pace, and bursts within it. Seconds. */
const SENDS: RateLimit = { name: 'sends', points: 120, window: 60 };
const SENDS_GUEST: RateLimit = { name: 'sends-guest', points: 30, window: 60 };
const SEND_BURST: RateLimit = { name: 'send-burst', points: 60, window: 10 };

const paceOf = (identity: Identity): RateLimit => (identity.userId === null ? SENDS_GUEST : SENDS);

/** What one send counts for: limits, and whose they are. */
const countsOf = (identity: Identity): [RateLimit, string][] => [
  [paceOf(identity), identity.owner],
  [SEND_BURST, identity.owner],
  ...(identity.userId === null ? [[SENDS, `address:${identity.address}`] satisfies [RateLimit, string]] : []),
];

/** How fast one may send. */
@Injectable()
export class SendPace {
  constructor(private readonly limits: RateLimits) {}

  /** Whether a send would be too fast, without counting one. @throws AppError `rate_limited` */
  async check(identity: Identity): Promise<void> {
    const limit = paceOf(identity);
    if ((await this.limits.used(limit, identity.owner)) >= limit.points)
      throw new AppError('rate_limited', { retryAfter: limit.window });
  }

  /** Counts a send. @throws AppError `rate_limited` */
  async count(identity: Identity): Promise<void> {
    await Promise.all(countsOf(identity).map(([limit, key]) => this.limits.consume(limit, key)));
  }

  /** Takes a send back that turned out not to count. */
  async giveBack(identity: Identity): Promise<void> {
    for (const [limit, key] of countsOf(identity)) await this.limits.reward(limit, key);
  }
}
