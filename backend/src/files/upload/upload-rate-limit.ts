import { Injectable } from '@nestjs/common';
import { type RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { countsOf } from '../../identity/caller-counts.js';
import type { Identity } from '../../identity/identity.js';

/** Window in seconds. */
const UPLOADS: RateLimit = { name: 'uploads', points: 60, window: 60 * 60 };

/** Rate limit of uploads per owner, and for guests per address too. */
@Injectable()
export class UploadRateLimit {
  constructor(private readonly limits: RateLimits) {}

  /** Counts one upload. @throws AppError `rate_limited` */
  async consume(identity: Pick<Identity, 'owner' | 'userId' | 'address'>): Promise<void> {
    await this.limits.consumeAll(countsOf(identity, UPLOADS));
  }
}
