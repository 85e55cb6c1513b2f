import { Injectable } from '@nestjs/common';
import { type Count, type RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.js';
import type { Identity } from '../../identity/identity.js';

/** Window in seconds. */
const UPLOADS: RateLimit = { name: 'uploads', points: 60, window: 60 * 60 };

/** Rate limit of uploads per owner, and for guests per address too. */
@Injectable()
export class UploadRateLimit {
  constructor(private readonly limits: RateLimits) {}

  /** Counts one upload. @throws AppError `rate_limited` */
  async consume({ owner, userId, address }: Identity): Promise<void> {
    await this.limits.consumeAll([
      [UPLOADS, owner],
      ...(userId === null ? [[UPLOADS, { address }] satisfies Count] : []),
    ]);
  }
}
