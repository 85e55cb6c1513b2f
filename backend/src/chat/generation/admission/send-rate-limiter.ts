import { Injectable } from '@nestjs/common';
import { countsOf } from '../../../identity/caller-counts.js';
import type { Asker } from '../../../identity/identity.js';
import { type Count, type RateLimit, RateLimits } from '../../../platform/rate-limits/rate-limits.js';

/** Sends per window; windows in seconds. */
const SENDS: RateLimit = { name: 'sends', points: 120, window: 60 };
const SENDS_GUEST: RateLimit = { name: 'sends-guest', points: 30, window: 60 };
const SEND_BURST: RateLimit = { name: 'send-burst', points: 60, window: 10 };

const limitOf = (asker: Asker): RateLimit => (asker.userId === null ? SENDS_GUEST : SENDS);

const sendCounts = (asker: Asker): Count[] => [[SEND_BURST, asker.owner], ...countsOf(asker, limitOf(asker), SENDS)];

/** Limits the rate of sends per owner, for guests also per address. */
@Injectable()
export class SendRateLimiter {
  constructor(private readonly limits: RateLimits) {}

  /** Checks every limit that a send counts against, without counting one. @throws AppError `rate_limited` */
  async checkAll(asker: Asker): Promise<void> {
    await this.limits.checkAll(sendCounts(asker));
  }

  /** Counts a send, at its admission or before work that precedes it. @throws AppError `rate_limited` */
  async count(asker: Asker): Promise<void> {
    await this.limits.consumeAll(sendCounts(asker));
  }

  async refund(asker: Asker): Promise<void> {
    await this.limits.rewardAll(sendCounts(asker));
  }
}
