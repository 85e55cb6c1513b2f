import type { DataSource } from 'typeorm';
import type { RedisClient } from '../redis/redis-client.js';
import { REDIS_SESSIONS, REMEMBERED_SESSION } from './session.js';

/** Sessions of an account at once: more than a person has browsers, and few enough that none can fill the store. */
export const MAX_SESSIONS = 50;

/** A session that was just stored. */
export interface NewSession {
  id: string;
  userId: number;
  /** Absolute end, ms since 1970; the oldest session ends first. */
  endsAt: number;
}

/** Bounds how many sessions of an account the session store holds. */
export abstract class AccountSessions {
  /** Counts a session after it was stored, and ends the oldest ones beyond the bound. @returns ids of those that ended */
  abstract add(session: NewSession): Promise<string[]>;
}

export const createAccountSessions = (dataSource: DataSource, redis: RedisClient | null): AccountSessions =>
  redis === null ? new PostgresAccountSessions(dataSource) : new RedisAccountSessions(redis);

/** $1 account, $2 bound. The expression must equal that of the index `session_account`. */
const END_OLDEST = `delete from session where sid in (
  select sid from session where (sess ->> 'userId') = $1 and expire > now()
  order by (sess ->> 'endsAt')::float8 desc offset $2)
returning sid`;

class PostgresAccountSessions extends AccountSessions {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async add({ userId }: NewSession): Promise<string[]> {
    const [ended] = await this.dataSource.query<[{ sid: string }[], number]>(END_OLDEST, [
      String(userId),
      MAX_SESSIONS,
    ]);
    return ended.map(({ sid }) => sid);
  }
}

/** A sorted set of session ids by their end for each account. Ids of sessions that are gone stay until the set is full. */
class RedisAccountSessions extends AccountSessions {
  constructor(private readonly redis: RedisClient) {
    super();
  }

  async add({ id, userId, endsAt }: NewSession): Promise<string[]> {
    const key = `tanya:account-sessions:${userId}`;
    await this.redis.zadd(key, endsAt, id);
    await this.redis.pexpire(key, REMEMBERED_SESSION);
    const oldestFirst = await this.redis.zrange(key, 0, -1);
    if (oldestFirst.length <= MAX_SESSIONS) return [];
    const stored = await Promise.all(oldestFirst.map((each) => this.redis.exists(REDIS_SESSIONS + each)));
    const gone = oldestFirst.filter((_, at) => stored[at] === 0);
    const ended = oldestFirst.filter((_, at) => stored[at] !== 0).slice(0, -MAX_SESSIONS);
    await Promise.all(ended.map((each) => this.redis.del(REDIS_SESSIONS + each)));
    await this.redis.zrem(key, ...gone, ...ended);
    return ended;
  }
}
