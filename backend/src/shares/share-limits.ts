import { Injectable } from '@nestjs/common';
import { type RateLimit, RateLimits } from '../platform/rate-limits/rate-limits.js';
import { countsOf } from '../identity/caller-counts.js';
import type { Identity } from '../identity/identity.js';

const MINUTE = 60;

/** New links per account: each copies a conversation with its files. */
const CREATIONS: RateLimit = { name: 'shares', points: 60, window: 60 * MINUTE };

/** Unknown tokens per address. A token has 256 bits, so this bounds the noise of guessing, not its chance. */
const MISSES: RateLimit = { name: 'share-misses', points: 30, window: 10 * MINUTE };

/** Snapshots read per address. */
const READS: RateLimit = { name: 'share-reads', points: 300, window: 10 * MINUTE };

/** Copies of snapshots per owner, and for guests per address too. */
const CONTINUATIONS: RateLimit = { name: 'share-continuations', points: 30, window: 60 * MINUTE };

@Injectable()
export class ShareLimits {
  constructor(private readonly limits: RateLimits) {}

  /** Counts a new link. @throws AppError `rate_limited` */
  async consumeCreation({ owner }: Identity): Promise<void> {
    await this.limits.consume(CREATIONS, owner);
  }

  /** Counts a read of a snapshot. @throws AppError `rate_limited` */
  async consumeRead({ address }: Identity): Promise<void> {
    await this.limits.consume(READS, { address });
  }

  /** Counts a copy. @throws AppError `rate_limited` */
  async consumeContinuation(identity: Identity): Promise<void> {
    await this.limits.consumeAll(countsOf(identity, CONTINUATIONS));
  }

  /** Refuses an address that has sent too many unknown tokens. @throws AppError `rate_limited` */
  async checkMisses({ address }: Identity): Promise<void> {
    await this.limits.check(MISSES, { address });
  }

  async countMiss({ address }: Identity): Promise<void> {
    await this.limits.count(MISSES, { address });
  }
}
