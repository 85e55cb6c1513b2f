import type { Pool } from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { AppError } from '../errors/app-error.js';
import type { RedisClient } from '../redis/redis-client.js';
import type { Refusals } from './refusals.js';

/** Maximum number of points per key in a fixed window. */
export interface RateLimit {
  name: string;
  points: number;
  /** Seconds. */
  window: number;
  /** Stored in Postgres when there is no Redis, at the cost of one statement per call. */
  isDurable?: boolean;
}

/** A limit and the key that it counts. */
export type Count = [RateLimit, key: string];

/** A point returned in the last moment of a window could be credited to the next window, ms. */
const WINDOW_END_MS = 1_000;

/**
 * Rate limits per account or address, counted in Redis for all nodes, else in this process. While the store is
 * unavailable each process counts in memory, so that a limit is never off.
 */
export class RateLimits {
  private readonly limiters = new Map<string, RateLimiterAbstract>();

  constructor(
    private readonly redis: RedisClient | null,
    private readonly postgres: Pool,
    private readonly refusals: Refusals,
  ) {}

  /** Uses a point; a refused call uses none. @throws AppError `rate_limited` with the seconds until the window ends */
  async consume(limit: RateLimit, key: string): Promise<void> {
    const refused = await this.consumed(limit, key);
    if (refused !== null) throw this.refusal(limit, refused);
  }

  /** Uses a point; false when none is left. For calls whose response must not depend on the limit. */
  async tryConsume(limit: RateLimit, key: string): Promise<boolean> {
    const refused = await this.consumed(limit, key);
    if (refused !== null) this.refusals.count(limit.name);
    return refused === null;
  }

  /**
   * Uses a point of each limit or of none. Limits are consumed in order: list the client's own limits before shared ones,
   * so that a refused client uses no shared points.
   * @throws AppError `rate_limited`
   */
  async consumeAll(counts: Count[]): Promise<void> {
    for (const [at, [limit, key]] of counts.entries()) {
      try {
        await this.consume(limit, key);
      } catch (error) {
        await this.rewardAll(counts.slice(0, at));
        throw error;
      }
    }
  }

  /** Refuses when no points are left, without using one. @throws AppError `rate_limited` */
  async check(limit: RateLimit, key: string): Promise<void> {
    const state = await this.limiter(limit).get(key);
    if (state !== null && state.consumedPoints >= limit.points) throw this.refusal(limit, state);
  }

  /** Uses a point without refusing. */
  async count(limit: RateLimit, key: string): Promise<void> {
    await this.limiter(limit).penalty(key);
  }

  /** Points used in the current window. */
  async used(limit: RateLimit, key: string): Promise<number> {
    return (await this.limiter(limit).get(key))?.consumedPoints ?? 0;
  }

  /** Returns a point to each limit, for calls that turn out not to count. */
  async rewardAll(counts: Count[]): Promise<void> {
    for (const [limit, key] of counts) await this.reward(limit, key);
  }

  /** Uses a point. Returns the window's state without one left, else null. */
  private async consumed(limit: RateLimit, key: string): Promise<RateLimiterRes | null> {
    const state = await this.limiter(limit).consume(key);
    if (state.consumedPoints <= limit.points) return null;
    if (state.msBeforeNext > WINDOW_END_MS) await this.reward(limit, key);
    return state;
  }

  private async reward(limit: RateLimit, key: string): Promise<void> {
    await this.limiter(limit).reward(key);
  }

  private refusal(limit: RateLimit, { msBeforeNext }: RateLimiterRes): AppError {
    this.refusals.count(limit.name);
    return new AppError('rate_limited', { retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)) });
  }

  private limiter(limit: RateLimit): RateLimiterAbstract {
    let limiter = this.limiters.get(limit.name);
    if (limiter === undefined) {
      limiter = this.create(limit);
      this.limiters.set(limit.name, limiter);
    }
    return limiter;
  }

  /** The library only counts; comparing here keeps used points when a setting changes the maximum. */
  private create({ name, window, isDurable = false }: RateLimit): RateLimiterAbstract {
    const options = { keyPrefix: `tanya:limit:${name}`, points: Number.MAX_SAFE_INTEGER, duration: window };
    const memory = new RateLimiterMemory(options);
    const stored = { ...options, insuranceLimiter: memory };
    if (this.redis !== null) return new RateLimiterRedis({ ...stored, storeClient: this.redis });
    if (!isDurable) return memory;
    const table = { tableName: 'rate_limit', tableCreated: true };
    return new RateLimiterPostgres({ ...stored, ...table, storeClient: this.postgres, storeType: 'pool' });
  }
}
