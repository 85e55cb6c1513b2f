import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { AppError } from '../errors/app-error.js';
import type { Refusals } from './refusals.js';

/** So many of one thing in a window. */
export interface RateLimit {
  name: string;
  points: number;
  /** Seconds. */
  window: number;
  /** Without Redis it outlives the process, at the cost of a statement. */
  lasts?: boolean;
}

/** A limit, and whose. */
export type Count = [RateLimit, key: string];

/** ms. What is given back as a window ends could be credited to the next one. */
const ENDING = 1_000;

/**
 * Counts what one account or address does, in Redis for all processes or in this one. While Redis or Postgres is away the
 * count goes on in each process alone, so a limit is never off.
 */
export class RateLimits {
  private readonly limiters = new Map<string, RateLimiterAbstract>();

  constructor(
    private readonly redis: Redis | null,
    private readonly postgres: Pool,
    private readonly refusals: Refusals,
  ) {}

  /** Uses a point; what is refused uses none. @throws AppError `rate_limited` with the seconds to wait */
  async consume(limit: RateLimit, key: string): Promise<void> {
    const state = await this.limiter(limit).consume(key);
    if (state.consumedPoints <= limit.points) return;
    if (state.msBeforeNext > ENDING) await this.reward(limit, key);
    throw this.refusal(limit, state);
  }

  /**
   * Uses a point of each or of none. One after the other, so that who is refused by a limit of their own never takes
   * from one that others share. @throws AppError `rate_limited`
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

  /** Refuses when the window is used up, without using any of it. @throws AppError `rate_limited` */
  async check(limit: RateLimit, key: string): Promise<void> {
    const state = await this.limiter(limit).get(key);
    if (state !== null && state.consumedPoints >= limit.points) throw this.refusal(limit, state);
  }

  /** Uses a point without refusing. */
  async count(limit: RateLimit, key: string): Promise<void> {
    await this.limiter(limit).penalty(key);
  }

  /** How many points of the window are used. */
  async used(limit: RateLimit, key: string): Promise<number> {
    return (await this.limiter(limit).get(key))?.consumedPoints ?? 0;
  }

  /** Gives back a point of each, for what turned out not to count. */
  async rewardAll(counts: Count[]): Promise<void> {
    for (const [limit, key] of counts) await this.reward(limit, key);
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

  /** It counts, and how many are too many is asked here: what was used stays used when a setting changes that. */
  private create({ name, window, lasts = false }: RateLimit): RateLimiterAbstract {
    const options = { keyPrefix: `tanya:limit:${name}`, points: Number.MAX_SAFE_INTEGER, duration: window };
    const memory = new RateLimiterMemory(options);
    const stored = { ...options, insuranceLimiter: memory };
    if (this.redis !== null) return new RateLimiterRedis({ ...stored, storeClient: this.redis });
    if (!lasts) return memory;
    const table = { tableName: 'rate_limit', tableCreated: true };
    return new RateLimiterPostgres({ ...stored, ...table, storeClient: this.postgres, storeType: 'pool' });
  }
}
