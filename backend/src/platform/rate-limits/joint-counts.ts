import { Cluster, type Redis, type Result } from 'ioredis';
import type { RedisClient } from '../redis/redis-client.js';

/** A counter of a fixed window in Redis, in the format of `rate-limiter-flexible`: the used points, with an expiry. */
export interface Counter {
  key: string;
  /** Maximum of points. */
  points: number;
  /** Seconds. */
  window: number;
}

/** The first counter without points left. */
interface Refused {
  index: number;
  msBeforeNext: number;
}

/**
 * Uses a point of each counter, or of none. KEYS: the counters. ARGV, for each: maximum of points, window in s. Returns
 * the position of the first counter without points, 0 for none, and the rest of its window in ms.
 */
const USE_ALL = `
local function rest(i)
  local ms = redis.call('PTTL', KEYS[i])
  if ms >= 0 then return ms end
  redis.call('EXPIRE', KEYS[i], ARGV[2 * i])
  return 1000 * ARGV[2 * i]
end
for i, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or 0) >= tonumber(ARGV[2 * i - 1]) then return {i, rest(i)} end
end
for i, key in ipairs(KEYS) do
  redis.call('INCR', key)
  rest(i)
end
return {0, 0}`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    useAllCounters(keys: number, ...keysAndLimits: (string | number)[]): Result<[number, number], Context>;
  }
}

/**
 * Counts several limits in one command, beside the library, which takes a round trip for each. The keys are those of the
 * library, so that its other operations and nodes of the previous version count the same.
 */
export class JointCounts {
  private constructor(private readonly redis: Redis) {
    redis.defineCommand('useAllCounters', { lua: USE_ALL });
  }

  /** @returns null without Redis, and in a cluster, where the counters of a call lie in several slots */
  static over(redis: RedisClient | null): JointCounts | null {
    return redis === null || redis instanceof Cluster ? null : new JointCounts(redis);
  }

  /** Uses a point of each counter, or of none. @returns null when all had points @throws Error without Redis */
  async use(counters: readonly Counter[]): Promise<Refused | null> {
    const keys = counters.map(({ key }) => key);
    const limits = counters.flatMap(({ points, window }) => [points, window]);
    const [position, msBeforeNext] = await this.redis.useAllCounters(keys.length, ...keys, ...limits);
    return position === 0 ? null : { index: position - 1, msBeforeNext };
  }
}
