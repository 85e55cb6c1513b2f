import type { Pool } from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors/app-error.js';
import { siteOf } from '../net/client-address.js';
import type { RedisClient } from '../redis/redis-client.js';
import type { Refusals } from './refusals.js';
import { StoredLimiter, StoreWatch } from './stored-limiter.js';

/** Maximum number of points per key in a fixed window. */
export interface RateLimit {
  name: string;
  points: number;
  /** Seconds. */
  window: number;
  /** Stored in Postgres when there is no Redis, at the cost of one statement per call. */
  isDurable?: boolean;
}

/** A client's address in the form of `limitAddress`, for limits of each account from an address with the account. */
export interface AddressKey {
  address: string;
  account?: string;
}

/** The key that a limit counts. Addresses are never passed as text: their sites would not be counted. */
export type Key = string | AddressKey;

export interface WindowState {
  limit: number;
  remaining: number;
  /** Seconds until the window ends; 0 before its first call. */
  resetsIn: number;
}

const stateOf = ({ points }: RateLimit, state: RateLimiterRes | null): WindowState => ({
  limit: points,
  remaining: Math.max(0, points - (state?.consumedPoints ?? 0)),
  resetsIn: Math.ceil(Math.max(0, state?.msBeforeNext ?? 0) / 1000),
});

export type Count = [RateLimit, key: Key];

/**
 * How many times the limit of an address all addresses of its IPv6 site (/48) have together. Own choice: enough for a
 * company or the phones of a provider, and a thousandth of what a site's 65,536 networks would have.
 */
export const SITE_FACTOR = 16;

/** A point returned in the last moment of a window could be credited to the next window, ms. */
const WINDOW_END_MS = 1_000;

/**
 * Rate limits per account or address, counted in Redis for all nodes, else in this process. While the store is
 * unavailable each process counts in memory, so that a limit is never off.
 */
export class RateLimits {
  private readonly limiters = new Map<string, Limiter>();
  private readonly watch = new StoreWatch();

  constructor(
    private readonly redis: RedisClient | null,
    private readonly postgres: Pool,
    private readonly refusals: Refusals,
  ) {}

  /** Uses a point; a refused call uses none. @throws AppError `rate_limited` with the seconds until the window ends */
  async consume(limit: RateLimit, key: Key): Promise<void> {
    await this.consumeAll([[limit, key]]);
  }

  /** Uses a point; false when none is left. For calls whose response must not depend on the limit. */
  async tryConsume(limit: RateLimit, key: string): Promise<boolean> {
    const refused = await this.consumed(limit, key);
    if (refused !== null) this.refusals.count(limit.name);
    return refused === null;
  }

  /** The same for a point of each limit; false when one has none left, and then none is used. */
  async tryConsumeAll(counts: Count[]): Promise<boolean> {
    try {
      await this.consumeAll(counts);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') return false;
      throw error;
    }
  }

  /**
   * Uses points of each limit or of none. Limits are consumed in order: list the client's own limits before shared ones,
   * so that a refused client uses no shared points.
   * @throws AppError `rate_limited`
   */
  async consumeAll(counts: Count[], points = 1): Promise<void> {
    const all = withSites(counts);
    for (const [at, [limit, key]] of all.entries()) {
      try {
        const refused = await this.consumed(limit, key, points);
        if (refused !== null) throw this.refusal(limit, refused);
      } catch (error) {
        await this.reward(all.slice(0, at), points);
        throw error;
      }
    }
  }

  /** Refuses when no points are left, without using one. @throws AppError `rate_limited` */
  async check(limit: RateLimit, key: Key): Promise<void> {
    await this.checkAll([[limit, key]]);
  }

  /** Refuses when a limit has fewer points left, without using any. @throws AppError `rate_limited` */
  async checkAll(counts: Count[], points = 1): Promise<void> {
    for (const [limit, key] of withSites(counts)) {
      const state = await this.limiter(limit).get(key);
      if ((state?.consumedPoints ?? 0) + points > limit.points) throw this.refusal(limit, state);
    }
  }

  async isUsedUp(limit: RateLimit, key: Key): Promise<boolean> {
    for (const [each, text] of withSites([[limit, key]])) {
      if ((await this.used(each, text)) >= each.points) return true;
    }
    return false;
  }

  /** Uses points without refusing. */
  async count(limit: RateLimit, key: Key, points = 1): Promise<void> {
    for (const [each, text] of withSites([[limit, key]])) await this.limiter(each).penalty(text, points);
  }

  /** The state of a window, without using a point. */
  async state(limit: RateLimit, key: string): Promise<WindowState> {
    return stateOf(limit, await this.limiter(limit).get(key));
  }

  /** Uses a point and tells the state after it; a refused call uses none. */
  async consumeAndTell(limit: RateLimit, key: string): Promise<WindowState & { isRefused: boolean }> {
    const limiter = this.limiter(limit);
    const state = await limiter.consume(key);
    const isRefused = state.consumedPoints > limit.points;
    if (isRefused) this.refusals.count(limit.name);
    if (isRefused && state.msBeforeNext > WINDOW_END_MS) await limiter.reward(key);
    return { ...stateOf(limit, state), isRefused };
  }

  async used(limit: RateLimit, key: string): Promise<number> {
    return (await this.limiter(limit).get(key))?.consumedPoints ?? 0;
  }

  /** Returns points to each limit, for calls that turn out not to count. */
  async rewardAll(counts: Count[], points = 1): Promise<void> {
    await this.reward(withSites(counts), points);
  }

  /** Uses points. Returns the window's state when it had fewer left, else null. */
  private async consumed(limit: RateLimit, key: string, points = 1): Promise<RateLimiterRes | null> {
    const state = await this.limiter(limit).consume(key, points);
    if (state.consumedPoints <= limit.points) return null;
    if (state.msBeforeNext > WINDOW_END_MS) await this.limiter(limit).reward(key, points);
    return state;
  }

  private async reward(counts: TextCount[], points: number): Promise<void> {
    for (const [limit, key] of counts) await this.limiter(limit).reward(key, points);
  }

  private refusal(limit: RateLimit, state: RateLimiterRes | null): AppError {
    this.refusals.count(limit.name);
    return new AppError('rate_limited', { retryAfter: Math.max(1, stateOf(limit, state).resetsIn) });
  }

  private limiter(limit: RateLimit): Limiter {
    let limiter = this.limiters.get(limit.name);
    if (limiter === undefined) {
      limiter = this.create(limit);
      this.limiters.set(limit.name, limiter);
    }
    return limiter;
  }

  /** The library only counts; comparing here keeps used points when a setting changes the maximum. */
  private create({ name, window, isDurable = false }: RateLimit): Limiter {
    const options = { keyPrefix: `tanya:limit:${name}`, points: Number.MAX_SAFE_INTEGER, duration: window };
    const memory = new RateLimiterMemory(options);
    if (this.redis !== null)
      return new StoredLimiter(new RateLimiterRedis({ ...options, storeClient: this.redis }), memory, this.watch);
    if (!isDurable) return memory;
    const table = { tableName: 'rate_limit', tableCreated: true, storeClient: this.postgres, storeType: 'pool' };
    return new StoredLimiter(new RateLimiterPostgres({ ...options, ...table }), memory, this.watch);
  }
}

type Limiter = RateLimiterMemory | StoredLimiter;

type TextCount = [RateLimit, key: string];

/** The counts with keys as they are stored. An IPv6 address is followed by its site, under a name and limit of its own. */
function withSites(counts: Count[]): TextCount[] {
  return counts.flatMap(([limit, key]): TextCount[] => {
    if (typeof key === 'string') return [[limit, key]];
    const textOf = (network: string) => (key.account === undefined ? network : `${network} ${key.account}`);
    const site = siteOf(key.address);
    const ofAddress: TextCount = [limit, textOf(key.address)];
    if (site === null) return [ofAddress];
    return [ofAddress, [{ ...limit, name: `${limit.name}-site`, points: limit.points * SITE_FACTOR }, textOf(site)]];
  });
}
