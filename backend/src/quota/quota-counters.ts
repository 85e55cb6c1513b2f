import type { Result } from 'ioredis';
import type { Owner } from '../identity/identity.js';
import type { RedisClient } from '../platform/redis/redis-client.js';

export interface CounterState {
  used: number;
  version: number;
}

export const QUOTA_COUNTERS = Symbol('QUOTA_COUNTERS');

/**
 * Cache of the committed quota accounts. It answers reads and refuses owners that have reached their limit. Postgres
 * alone admits, so a lost cache costs queries, never messages.
 */
export interface QuotaCounters {
  /** @returns null when the account is not cached */
  read(owner: Owner, period: string): Promise<number | null>;
  /** Caches a state; an older version than the cached one is dropped. */
  store(owner: Owner, period: string, state: CounterState): Promise<void>;
}

/** Bounds how long a counter stays wrong after a lost update. */
const TTL_MS = 60_000;

/** Accounts cached by one process; the oldest entries are evicted. */
const CAPACITY = 50_000;

/** Delay before failed writes are retried while the connection is open, ms: one primary of a cluster may be away. */
const RETRY_DELAY_MS = 1_000;

export class InProcessQuotaCounters implements QuotaCounters {
  private readonly states = new Map<string, CounterState & { expiresAt: number }>();

  async read(owner: Owner, period: string): Promise<number | null> {
    const state = this.states.get(`${owner} ${period}`);
    return state === undefined || state.expiresAt < Date.now() ? null : state.used;
  }

  async store(owner: Owner, period: string, state: CounterState): Promise<void> {
    const key = `${owner} ${period}`;
    const cached = this.states.get(key);
    if (cached !== undefined && cached.version > state.version) return;
    this.states.delete(key);
    this.states.set(key, { ...state, expiresAt: Date.now() + TTL_MS });
    if (this.states.size > CAPACITY) this.states.delete(this.states.keys().next().value!);
  }
}

/** Compare-and-set of the value `version:used`. The condition `XX` updates an existing key only, as in Redis' own SET. */
const STORE_IF_NEWER = `
local cached = redis.call('GET', KEYS[1])
if not cached and ARGV[4] == 'XX' then return 0 end
if cached and tonumber(string.match(cached, '^%d+')) > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. ':' .. ARGV[2], 'PX', ARGV[3])
return 1`;

type Condition = 'XX' | '';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    storeIfNewer(
      key: string,
      version: number,
      used: number,
      ttlMs: number,
      condition: Condition,
    ): Result<number, Context>;
  }
}

export class RedisQuotaCounters implements QuotaCounters {
  /** The newest failed write of each account; retried later, because Redis may still hold the older state. */
  private readonly failedWrites = new Map<string, CounterState>();
  private retryTimer: NodeJS.Timeout | null = null;

  constructor(private readonly redis: RedisClient) {
    redis.defineCommand('storeIfNewer', { numberOfKeys: 1, lua: STORE_IF_NEWER });
    redis.on('ready', () => void this.retryFailedWrites());
  }

  async read(owner: Owner, period: string): Promise<number | null> {
    // Without Redis the caller reads Postgres, so quotas hold during an outage.
    const value = await this.redis.get(this.key(owner, period)).catch(() => null);
    return value === null ? null : Number(value.slice(value.indexOf(':') + 1));
  }

  async store(owner: Owner, period: string, state: CounterState): Promise<void> {
    await this.write(this.key(owner, period), state, '');
  }

  private async write(key: string, state: CounterState, condition: Condition): Promise<void> {
    try {
      await this.redis.storeIfNewer(key, state.version, state.used, TTL_MS, condition);
    } catch {
      this.queueRetry(key, state);
    }
  }

  private queueRetry(key: string, state: CounterState): void {
    const queued = this.failedWrites.get(key);
    if (queued !== undefined && queued.version > state.version) return;
    this.failedWrites.set(key, state);
    if (this.failedWrites.size > CAPACITY) this.failedWrites.delete(this.failedWrites.keys().next().value!);
    this.retryTimer ??= setTimeout(() => {
      this.retryTimer = null;
      // Without a connection the event `ready` follows.
      if (this.redis.status === 'ready') void this.retryFailedWrites();
    }, RETRY_DELAY_MS).unref();
  }

  /** Updates existing keys only: the queued state may be outdated by now, and a missing key is read from Postgres. */
  private async retryFailedWrites(): Promise<void> {
    const writes = [...this.failedWrites];
    this.failedWrites.clear();
    await Promise.all(writes.map(([key, state]) => this.write(key, state, 'XX')));
  }

  private key(owner: Owner, period: string): string {
    return `tanya:quota:{${owner}}:${period}`;
  }
}
