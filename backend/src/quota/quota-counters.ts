import type { Redis, Result } from 'ioredis';
import type { Owner } from '../platform/session/identity.js';

/** A committed state of one account. */
export interface CounterState {
  /** Charged and held together. */
  used: number;
  version: number;
}

/**
 * The fast copy of what Postgres has committed. It refuses the exhausted and answers reads; it never admits anybody
 * by itself, so losing it loses nothing.
 */
export interface QuotaCounters {
  /** @returns null when it has to be read from Postgres */
  read(owner: Owner, period: string): Promise<number | null>;
  /** A state with an older version than the kept one is dropped. */
  store(owner: Owner, period: string, state: CounterState): Promise<void>;
}

/** How long a copy may stand in for Postgres, should an update to it get lost, in ms. */
const LIFETIME = 60_000;

/** Owners remembered by one process; the oldest go first. */
const CAPACITY = 50_000;

export class InProcessQuotaCounters implements QuotaCounters {
  private readonly states = new Map<string, CounterState & { until: number }>();

  async read(owner: Owner, period: string): Promise<number | null> {
    const state = this.states.get(`${owner} ${period}`);
    return state === undefined || state.until < Date.now() ? null : state.used;
  }

  async store(owner: Owner, period: string, state: CounterState): Promise<void> {
    const key = `${owner} ${period}`;
    const known = this.states.get(key);
    if (known !== undefined && known.version > state.version) return;
    this.states.delete(key);
    this.states.set(key, { ...state, until: Date.now() + LIFETIME });
    if (this.states.size > CAPACITY) this.states.delete(this.states.keys().next().value!);
  }
}

/** Value `version:used`; one call compares and sets. With `XX` only where a copy is there, as in Redis' own SET. */
const STORE_IF_NEWER = `
local known = redis.call('GET', KEYS[1])
if not known and ARGV[4] == 'XX' then return 0 end
if known and tonumber(string.match(known, '^%d+')) > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. ':' .. ARGV[2], 'PX', ARGV[3])
return 1`;

type Condition = 'XX' | '';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    storeIfNewer(
      key: string,
      version: number,
      used: number,
      lifetime: number,
      condition: Condition,
    ): Result<number, Context>;
  }
}

export class RedisQuotaCounters implements QuotaCounters {
  /** What Redis was not there to hear, the newest of each account: its copies would stay behind. */
  private readonly unheard = new Map<string, CounterState>();

  constructor(private readonly redis: Redis) {
    redis.defineCommand('storeIfNewer', { numberOfKeys: 1, lua: STORE_IF_NEWER });
    redis.on('ready', () => void this.tellAgain());
  }

  async read(owner: Owner, period: string): Promise<number | null> {
    // Redis away: Postgres answers, and quotas hold all the same.
    const value = await this.redis.get(this.key(owner, period)).catch(() => null);
    return value === null ? null : Number(value.slice(value.indexOf(':') + 1));
  }

  async store(owner: Owner, period: string, state: CounterState): Promise<void> {
    await this.tell(this.key(owner, period), state, '');
  }

  private async tell(key: string, state: CounterState, condition: Condition): Promise<void> {
    try {
      await this.redis.storeIfNewer(key, state.version, state.used, LIFETIME, condition);
    } catch {
      this.remember(key, state);
    }
  }

  private remember(key: string, state: CounterState): void {
    const known = this.unheard.get(key);
    if (known !== undefined && known.version > state.version) return;
    this.unheard.set(key, state);
    if (this.unheard.size > CAPACITY) this.unheard.delete(this.unheard.keys().next().value!);
  }

  /** Only copies that are there: for one that is gone this may be old by now, and Postgres is asked anyway. */
  private async tellAgain(): Promise<void> {
    const unheard = [...this.unheard];
    this.unheard.clear();
    await Promise.all(unheard.map(([key, state]) => this.tell(key, state, 'XX')));
  }

  private key(owner: Owner, period: string): string {
    return `tanya:quota:{${owner}}:${period}`;
  }
}
