import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { AppError } from './app-error.js';
import type { Metrics } from './metrics.js';

/** So many of one thing in a window. */
export interface RateLimit {
  name: string;
  points: number;
  /** Seconds. */
  window: number;
  /** Without Redis it outlives the process, at the cost of a statement. */
  lasts?: boolean;
}

/**
 * Counts what one account or address does, in Redis for all processes or in this one. While Redis or Postgres is away the
 * count goes on in each process alone, so a limit is never off.
 */
export class RateLimits {
  private readonly limiters = new Map<string, RateLimiterAbstract>();

  constructor(
    private readonly redis: Redis | null,
    private readonly postgres: Pool,
    private readonly metrics: Metrics,
  ) {}

  /** @throws AppError `rate_limited` with the seconds to wait */
  async consume(limit: RateLimit, key: string, points = 1): Promise<void> {
    const result = await this.limiter(limit)
      .consume(key, points)
      .catch((refused: unknown) => refused);
    if (result instanceof Error) throw result;
    if ((result as RateLimiterRes).consumedPoints > limit.points) throw this.refusal(limit, result as RateLimiterRes);
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

  /** Gives points back, for what turned out not to count. */
  async reward(limit: RateLimit, key: string, points = 1): Promise<void> {
    await this.limiter(limit).reward(key, points);
  }

  private refusal(limit: RateLimit, { msBeforeNext }: RateLimiterRes): AppError {
    this.metrics.refused(limit.name);
    return new AppError('rate_limited', { retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)) });
  }

  private limiter(limit: RateLimit): RateLimiterAbstract {
    const id = `${limit.name}:${limit.points}:${limit.window}`;
    let limiter = this.limiters.get(id);
    if (limiter === undefined) {
      limiter = this.create(limit);
      this.limiters.set(id, limiter);
    }
    return limiter;
  }

  private create({ name, points, window, lasts = false }: RateLimit): RateLimiterAbstract {
    const options = { keyPrefix: `tanya:limit:${name}`, points, duration: window };
    const memory = new RateLimiterMemory(options);
    const stored = { ...options, insuranceLimiter: memory };
    if (this.redis !== null) return new RateLimiterRedis({ ...stored, storeClient: this.redis });
    if (!lasts) return memory;
    const table = { tableName: 'rate_limit', tableCreated: true };
    return new RateLimiterPostgres({ ...stored, ...table, storeClient: this.postgres, storeType: 'pool' });
  }
}
