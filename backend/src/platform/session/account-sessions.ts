import type { SessionData } from 'express-session';
import { Cluster } from 'ioredis';
import type { DataSource } from 'typeorm';
import type { RedisClient } from '../redis/redis-client.js';
import { BROWSER_SESSION, REDIS_SESSIONS, REMEMBERED_SESSION } from './session.js';

/** Sessions of an account at once: more than a person has browsers, and few enough that none can fill the store. */
export const MAX_SESSIONS = 50;

export interface NewSession {
  id: string;
  userId: number;
  /** Absolute end, ms since 1970; the oldest session ends first. */
  endsAt: number;
}

export interface StoredSession {
  id: string;
  data: SessionData;
  /** The last request of its browser, ms since 1970. */
  seenAt: number;
}

/** The sessions of an account in the session store, and the bound of their number. */
export abstract class AccountSessions {
  /** Counts a session after it was stored, and ends the oldest ones beyond the bound. @returns ids of those that ended */
  abstract add(session: NewSession): Promise<string[]>;

  /** Those that have not expired, of earlier epochs too. */
  abstract list(userId: number): Promise<StoredSession[]>;

  abstract delete(id: string): Promise<void>;

  /** Lets the sessions of an account last until `latest` at most, ms since 1970. */
  abstract shorten(userId: number, latest: number): Promise<void>;

  /** Counts sessions that were stored by a version without this bound. */
  async countEarlier(): Promise<void> {}
}

export const createAccountSessions = (dataSource: DataSource, redis: RedisClient | null): AccountSessions =>
  redis === null ? new PostgresAccountSessions(dataSource) : new RedisAccountSessions(redis);

/** $1 account, $2 bound. The expression must equal that of the index `session_account`. */
const END_OLDEST = `delete from session where sid in (
  select sid from session where (sess ->> 'userId') = $1 and expire > now()
  order by (sess ->> 'endsAt')::float8 desc offset $2)
returning sid`;

/** Each request moves the idle timeout, so its end tells when the last one was. */
const seenAt = (expiresAt: number, { cookie }: SessionData): number =>
  expiresAt - (cookie.originalMaxAge ?? BROWSER_SESSION);

/** $1 account. The column is in the time zone of Postgres. */
const OF_ACCOUNT = `select sid, sess, extract(epoch from expire::timestamptz)::float8 * 1000 as "expiresAt" from session
where (sess ->> 'userId') = $1 and expire > now()`;

/** $1 account, $2 ms since 1970. */
const SHORTEN = `update session set sess = jsonb_set(sess::jsonb, '{endsAt}', to_jsonb($2::float8))::json
where (sess ->> 'userId') = $1 and (sess ->> 'endsAt')::float8 > $2`;

interface SessionRow {
  sid: string;
  sess: SessionData;
  expiresAt: number;
}

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

  async list(userId: number): Promise<StoredSession[]> {
    const rows = await this.dataSource.query<SessionRow[]>(OF_ACCOUNT, [String(userId)]);
    return rows.map(({ sid, sess, expiresAt }) => ({ id: sid, data: sess, seenAt: seenAt(expiresAt, sess) }));
  }

  async delete(id: string): Promise<void> {
    await this.dataSource.query('delete from session where sid = $1', [id]);
  }

  async shorten(userId: number, latest: number): Promise<void> {
    await this.dataSource.query(SHORTEN, [String(userId), latest]);
  }
}

/** Key that exists once the sessions of earlier versions, which had no sets, have been counted. */
const ALL_COUNTED = 'tanya:account-sessions:counted';

/** Keys that one step of the scan looks at. */
const SCAN_KEYS = 1_000;

const setOf = (userId: number): string => `tanya:account-sessions:${userId}`;

/** A sorted set of session ids by their end for each account. Ids of sessions that are gone stay until the set is full. */
class RedisAccountSessions extends AccountSessions {
  constructor(private readonly redis: RedisClient) {
    super();
  }

  override async countEarlier(): Promise<void> {
    if ((await this.redis.exists(ALL_COUNTED)) === 1) return;
    const nodes = this.redis instanceof Cluster ? this.redis.nodes('master') : [this.redis];
    for (const node of nodes) {
      for await (const keys of node.scanStream({ match: `${REDIS_SESSIONS}*`, count: SCAN_KEYS }))
        await Promise.all((keys as string[]).map((key) => this.countStored(key)));
    }
    await this.redis.set(ALL_COUNTED, '1');
  }

  async add({ id, userId, endsAt }: NewSession): Promise<string[]> {
    const key = await this.count({ id, userId, endsAt });
    const oldestFirst = await this.redis.zrange(key, 0, -1);
    if (oldestFirst.length <= MAX_SESSIONS) return [];
    const stored = await Promise.all(oldestFirst.map((each) => this.redis.exists(REDIS_SESSIONS + each)));
    const gone = oldestFirst.filter((_, at) => stored[at] === 0);
    const ended = oldestFirst.filter((_, at) => stored[at] !== 0).slice(0, -MAX_SESSIONS);
    await Promise.all(ended.map((each) => this.redis.del(REDIS_SESSIONS + each)));
    await this.redis.zrem(key, ...gone, ...ended);
    return ended;
  }

  async list(userId: number): Promise<StoredSession[]> {
    const ids = await this.redis.zrange(setOf(userId), 0, -1);
    const found = await Promise.all(ids.map((id) => this.read(id)));
    return found.filter((session) => session !== null);
  }

  async delete(id: string): Promise<void> {
    await this.redis.del(REDIS_SESSIONS + id);
  }

  async shorten(userId: number, latest: number): Promise<void> {
    for (const { id, data } of await this.list(userId)) {
      if (data.endsAt <= latest) continue;
      // Not for one that has ended meanwhile.
      await this.redis.set(REDIS_SESSIONS + id, JSON.stringify({ ...data, endsAt: latest }), 'KEEPTTL', 'XX');
      await this.redis.zadd(setOf(userId), 'XX', latest, id);
    }
  }

  private async read(id: string): Promise<StoredSession | null> {
    const key = REDIS_SESSIONS + id;
    const [stored, left] = await Promise.all([this.redis.get(key), this.redis.pttl(key)]);
    if (stored === null) return null;
    const data = JSON.parse(stored) as SessionData;
    return { id, data, seenAt: seenAt(Date.now() + left, data) };
  }

  /** @returns the key of the account's set */
  private async count({ id, userId, endsAt }: NewSession): Promise<string> {
    const key = setOf(userId);
    await this.redis.zadd(key, endsAt, id);
    await this.redis.pexpire(key, REMEMBERED_SESSION);
    return key;
  }

  /** @param key of a session, which may have ended meanwhile */
  private async countStored(key: string): Promise<void> {
    const stored = await this.redis.get(key);
    if (stored === null) return;
    const { userId, endsAt = 0 } = JSON.parse(stored) as Partial<SessionData>;
    if (userId !== undefined) await this.count({ id: key.slice(REDIS_SESSIONS.length), userId, endsAt });
  }
}
