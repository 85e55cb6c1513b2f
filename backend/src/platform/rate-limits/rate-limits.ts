import type { Pool } from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { AppError } from '../errors/app-error.js';
import type { RedisClient } from '../redis/redis-client.js';
import { type Counter, JointCounts } from './joint-counts.js';
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
  /** Counts of this process by the name of the limit, for the time without the store. */
  private readonly inMemory = new Map<string, RateLimiterAbstract>();
  private readonly joint: JointCounts | null;

  constructor(
    private readonly redis: RedisClient | null,
    private readonly postgres: Pool,
    private readonly refusals: Refusals,
  ) {
    this.joint = JointCounts.over(redis);
  }

  /** Uses a point; a refused call uses none. @throws AppError `rate_limited` with the seconds until the window ends */
  async consume(limit: RateLimit, key: string): Promise<void> {
    await this.consumeFrom(this.limiter(limit), limit, key);
  }

  /** Uses a point; false when none is left. For calls whose response must not depend on the limit. */
  async tryConsume(limit: RateLimit, key: string): Promise<boolean> {
    const refusedFor = await this.consumedFrom(this.limiter(limit), limit, key);
    if (refusedFor !== null) this.refusals.count(limit.name);
    return refusedFor === null;
  }

  /**
   * Uses a point of each limit or of none. The first exceeded limit refuses: list the client's own limits before shared
   * ones, so that a refused client uses no shared points.
   * @throws AppError `rate_limited`
   */
  async consumeAll(counts: Count[]): Promise<void> {
    if (this.joint === null) return this.consumeEach(counts, (limit) => this.limiter(limit));
    const refused = await this.joint.use(counts.map(counterOf)).catch(() => undefined);
    if (refused === undefined) return this.consumeEach(counts, (limit) => this.memoryOf(limit));
    if (refused !== null) throw this.refusal(counts[refused.index]![0], refused.msBeforeNext);
  }

  /** Refuses when no points are left, without using one. @throws AppError `rate_limited` */
  async check(limit: RateLimit, key: string): Promise<void> {
    const state = await this.limiter(limit).get(key);
    if (state !== null && state.consumedPoints >= limit.points) throw this.refusal(limit, state.msBeforeNext);
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

  private async consumeEach(counts: Count[], limiterOf: (limit: RateLimit) => RateLimiterAbstract): Promise<void> {
    for (const [at, [limit, key]] of counts.entries()) {
      try {
        await this.consumeFrom(limiterOf(limit), limit, key);
      } catch (error) {
        for (const [used, usedKey] of counts.slice(0, at)) await limiterOf(used).reward(usedKey);
        throw error;
      }
    }
  }

  private async consumeFrom(limiter: RateLimiterAbstract, limit: RateLimit, key: string): Promise<void> {
    const refusedFor = await this.consumedFrom(limiter, limit, key);
    if (refusedFor !== null) throw this.refusal(limit, refusedFor);
  }

  /** Uses a point. Returns the ms until the window ends when none is left, else null. */
  private async consumedFrom(limiter: RateLimiterAbstract, limit: RateLimit, key: string): Promise<number | null> {
    const { consumedPoints, msBeforeNext } = await limiter.consume(key);
    if (consumedPoints <= limit.points) return null;
    if (msBeforeNext > WINDOW_END_MS) await limiter.reward(key);
    return msBeforeNext;
  }

  private async reward(limit: RateLimit, key: string): Promise<void> {
    await this.limiter(limit).reward(key);
  }

  private refusal(limit: RateLimit, msBeforeNext: number): AppError {
    this.refusals.count(limit.name);
    return new AppError('rate_limited', { retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)) });
  }

  private limiter(limit: RateLimit): RateLimiterAbstract {
    return created(this.limiters, limit.name, () => this.create(limit));
  }

  private memoryOf(limit: RateLimit): RateLimiterAbstract {
    return created(this.inMemory, limit.name, () => new RateLimiterMemory(optionsOf(limit)));
  }

  private create(limit: RateLimit): RateLimiterAbstract {
    const memory = this.memoryOf(limit);
    const stored = { ...optionsOf(limit), insuranceLimiter: memory };
    if (this.redis !== null) return new RateLimiterRedis({ ...stored, storeClient: this.redis });
    if (!limit.isDurable) return memory;
    const table = { tableName: 'rate_limit', tableCreated: true };
    return new RateLimiterPostgres({ ...stored, ...table, storeClient: this.postgres, storeType: 'pool' });
  }
}

const prefixOf = ({ name }: RateLimit): string => `tanya:limit:${name}`;

/** The library only counts; comparing here keeps used points when a setting changes the maximum. */
const optionsOf = (limit: RateLimit) => ({
  keyPrefix: prefixOf(limit),
  points: Number.MAX_SAFE_INTEGER,
  duration: limit.window,
});

/** The Redis key of a count, the same as of the library. */
const counterOf = ([limit, key]: Count): Counter => ({
  key: `${prefixOf(limit)}:${key}`,
  points: limit.points,
  window: limit.window,
});

function created<T>(map: Map<string, T>, name: string, create: () => T): T {
  const known = map.get(name);
  if (known !== undefined) return known;
  const value = create();
  map.set(name, value);
  return value;
}
