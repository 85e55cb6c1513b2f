import { Injectable } from '@nestjs/common';
import { countsOf } from '../../../identity/caller-counts.js';
import type { Asker } from '../../../identity/identity.js';
import { type Count, type RateLimit, RateLimits } from '../../../platform/rate-limits/rate-limits.js';

/** Sends per window; windows in seconds. */
const SENDS: RateLimit = { name: 'sends', points: 120, window: 60 };
const SENDS_GUEST: RateLimit = { name: 'sends-guest', points: 30, window: 60 };
const SEND_BURST: RateLimit = { name: 'send-burst', points: 60, window: 10 };

const limitOf = (identity: Asker): RateLimit => (identity.userId === null ? SENDS_GUEST : SENDS);

const sendCounts = (identity: Asker): Count[] => [
  [SEND_BURST, identity.owner],
  ...countsOf(identity, limitOf(identity), SENDS),
];

/** Limits the rate of sends per owner, for guests also per address. */
@Injectable()
export class SendRateLimiter {
  constructor(private readonly limits: RateLimits) {}

  /** Checks the limit without counting a send. @throws AppError `rate_limited` */
  async check(identity: Asker): Promise<void> {
    await this.limits.check(limitOf(identity), identity.owner);
  }

  /** Checks every limit that a send counts against, without counting one. @throws AppError `rate_limited` */
  async checkAll(identity: Asker): Promise<void> {
    for (const [limit, key] of sendCounts(identity)) await this.limits.check(limit, key);
  }

  /** Counts a send. @throws AppError `rate_limited` */
  async count(identity: Asker): Promise<void> {
    await this.limits.consumeAll(sendCounts(identity));
  }

  async refund(identity: Asker): Promise<void> {
    await this.limits.rewardAll(sendCounts(identity));
  }
}
