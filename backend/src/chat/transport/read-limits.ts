import { Injectable } from '@nestjs/common';
import { countsOf } from '../../identity/caller-counts.js';
import type { Identity } from '../../identity/identity.js';
import { type RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.js';

const MINUTE = 60;

/** Searches per account; the page searches while the user types. */
const SEARCHES: RateLimit = { name: 'search', points: 120, window: MINUTE };

/** Pages of the list of threads per account. The page reads the first one again when a thread changes on another device. */
const LISTS: RateLimit = { name: 'thread-lists', points: 1_200, window: 10 * MINUTE };

/** Pages of messages per owner, each up to 2 MB: one a second for ten minutes, far more than a person reads. */
const PAGES: RateLimit = { name: 'message-pages', points: 600, window: 10 * MINUTE };

/** Pages of the guests of one address, as of a school behind one address. */
const GUEST_PAGES: RateLimit = { name: 'message-pages-address', points: 3_000, window: 10 * MINUTE };

/** Exports of a conversation per owner, and of the guests of one address. */
const EXPORTS: RateLimit = { name: 'thread-exports', points: 60, window: 60 * MINUTE };
const GUEST_EXPORTS: RateLimit = { name: 'thread-exports-address', points: 300, window: 60 * MINUTE };

/** Rate limits of reading threads. A guest could have many cookies and counts with the address too. */
@Injectable()
export class ReadLimits {
  constructor(private readonly limits: RateLimits) {}

  /** @throws AppError `rate_limited` */
  async countSearch({ owner }: Identity): Promise<void> {
    await this.limits.consume(SEARCHES, owner);
  }

  /** @param isSearch whether the list is restricted by words @throws AppError `rate_limited` */
  async countList({ owner }: Identity, isSearch: boolean): Promise<void> {
    await this.limits.consume(isSearch ? SEARCHES : LISTS, owner);
  }

  /** Counts a page of messages. @throws AppError `rate_limited` */
  async countPage(identity: Identity): Promise<void> {
    await this.limits.consumeAll(countsOf(identity, PAGES, GUEST_PAGES));
  }

  /** Counts an export of a conversation. @throws AppError `rate_limited` */
  async countExport(identity: Identity): Promise<void> {
    await this.limits.consumeAll(countsOf(identity, EXPORTS, GUEST_EXPORTS));
  }
}
