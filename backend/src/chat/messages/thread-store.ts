import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Owner } from '../../platform/session/identity.js';
import { type ThreadRow } from './message-view.js';
import type { ThreadCursor } from '../threads/thread-cursor.js';

export interface OwnThread {
  id: number;
  activeLeafId: number | null;
  title: string;
}

const THREAD_COLUMNS = `t.id, t.title, t.user_id, t.model_id, t.created_at, t.updated_at,
  exists (select 1 from generation g where g.thread_id = t.id and g.status = 'streaming') as streaming`;

/**
 * Titles are looked through one by one, the newest so many: an index over parts of them would have to be written at every
 * send, which moves its thread. What older threads say is still found by their messages.
 */
const TITLES_SEARCHED = 2_000;

/** Of each recent thread so many messages are looked at, the newest. */
const RECENT_MESSAGES = 100;

/** Where a row stands in the list, for the cursor of the next page. */
const POSITION = `to_char(t.updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as cursor`;

/** Two statements each: one for both cases is planned to walk through all that comes before the cursor. */
const olderThan = (before: ThreadCursor | null, first: number): string =>
  before === null ? '' : `and (t.updated_at, t.id) < ($${first}::timestamptz, $${first + 1}::bigint)`;

const cursorValues = (before: ThreadCursor | null): unknown[] => (before === null ? [] : [before.updatedAt, before.id]);

/**
 * A word that is in very many of one's own messages is in enough of the newest threads, twice as many as are asked for:
 * looking at these takes the same time however much there is, where the index would have to hand out all that it knows.
 */
const searchRecent = (before: ThreadCursor | null): string => `
  select ${THREAD_COLUMNS}, ${POSITION}
  from (
    select t.* from thread t where t.user_id = $1 ${olderThan(before, 5)}
    order by t.updated_at desc, t.id desc limit 2 * $4::int
  ) t
  where t.title ilike '%' || $3 || '%' or exists (
    select 1 from (select search from message where thread_id = t.id order by id desc limit ${RECENT_MESSAGES}) m
    where m.search @@ plainto_tsquery('simple', $2))
  order by t.updated_at desc, t.id desc limit $4::int + 1`;

/**
 * The planner takes each word for one of two hundred messages and would rather walk back through everybody's until it has
 * enough. Of a word that is in very many of one's own, the index hands out a sample of about this size.
 */
const BY_INDEX = 'set local enable_seqscan = off; set local gin_fuzzy_search_limit = 20000';

/** The newest messages are of the newest threads; a later page can't know how far down its own begin. */
const searchAll = (before: ThreadCursor | null): string => `
  with words as (select plainto_tsquery('simple', $2) as query), hits as (
    select distinct thread_id as id from (
      select m.thread_id from message m, words
      where m.user_id = $1 and m.search @@ words.query ${before === null ? 'order by m.id + 0 desc limit 1000' : ''}
    ) found
    union
    select id from (
      select t.id, t.title from thread t where t.user_id = $1 ${olderThan(before, 5)}
      order by t.updated_at desc, t.id desc limit ${TITLES_SEARCHED}
    ) recent where title ilike '%' || $3 || '%'
  )
  select ${THREAD_COLUMNS}, ${POSITION} from thread t join hits on hits.id = t.id
  where t.user_id = $1 ${olderThan(before, 5)} order by t.updated_at desc, t.id desc limit $4::int + 1`;

interface PageWanted {
  limit: number;
  before: ThreadCursor | null;
}

/** One page of threads, and the `before` of the next one. */
export interface ThreadPage {
  rows: ThreadRow[];
  nextCursor: ThreadCursor | null;
}

type ListedRow = ThreadRow & { cursor: string };

/** @param rows one more than asked for where there are more */
function pageOf(rows: ListedRow[], limit: number): ThreadPage {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, nextCursor: rows.length > limit && last ? { updatedAt: last.cursor, id: last.id } : null };
}

/** SQL of threads; whose they are is part of every question. */
@Injectable()
export class ThreadStore {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async find(owner: Owner, id: number): Promise<OwnThread | null> {
    const rows = await this.dataSource.query<OwnThread[]>(
      `select id, title, active_leaf_id as "activeLeafId" from thread
       where id = $1 and owner = $2 and (expires_at is null or expires_at > now())`,
      [id, owner],
    );
    return rows[0] ?? null;
  }

  /** The newest threads first. */
  async list(userId: number, { limit, before }: PageWanted): Promise<ThreadPage> {
    const rows = await this.dataSource.query<ListedRow[]>(
      `select ${THREAD_COLUMNS}, ${POSITION}
       from thread t where t.user_id = $1 ${olderThan(before, 3)} order by t.updated_at desc, t.id desc limit $2`,
      [userId, limit + 1, ...cursorValues(before)],
    );
    return pageOf(rows, limit);
  }

  /** Threads whose title or messages hold all the words, the newest first. */
  async search(userId: number, query: string, { limit, before }: PageWanted): Promise<ThreadPage> {
    const values = [userId, query, query.replace(/[\\%_]/g, String.raw`\$&`), limit, ...cursorValues(before)];
    const recent = await this.dataSource.query<ListedRow[]>(searchRecent(before), values);
    if (recent.length > limit) return pageOf(recent, limit);
    return this.dataSource.transaction(async (manager) => {
      await manager.query(BY_INDEX);
      return pageOf(await manager.query<ListedRow[]>(searchAll(before), values), limit);
    });
  }

  async one(owner: Owner, id: number): Promise<ThreadRow | null> {
    const rows = await this.dataSource.query<ThreadRow[]>(
      `select ${THREAD_COLUMNS} from thread t where t.id = $1 and t.owner = $2`,
      [id, owner],
    );
    return rows[0] ?? null;
  }

  async rename(owner: Owner, id: number, title: string): Promise<boolean> {
    const [, count] = await this.dataSource.query<[unknown, number]>(
      'update thread set title = $3, is_renamed = true where id = $1 and owner = $2',
      [id, owner, title],
    );
    return count > 0;
  }

  /** A title of the model's; somebody's own name for the thread stays. */
  async suggestTitle(id: number, title: string): Promise<boolean> {
    const [, count] = await this.dataSource.query<[unknown, number]>(
      'update thread set title = $2 where id = $1 and not is_renamed',
      [id, title],
    );
    return count > 0;
  }

  async setActiveLeaf(owner: Owner, id: number, leafId: number): Promise<void> {
    await this.dataSource.query('update thread set active_leaf_id = $3 where id = $1 and owner = $2', [
      id,
      owner,
      leafId,
    ]);
  }

  /**
   * Removes a thread in which nothing is being written. Its row is locked before that is looked at: a send waits for the
   * same lock, and what it would hold could never be settled once its rows are gone.
   */
  async delete(owner: Owner, id: number): Promise<'deleted' | 'busy' | 'absent'> {
    return this.dataSource.transaction(async (manager) => {
      const found = await manager.query<unknown[]>('select 1 from thread where id = $1 and owner = $2 for update', [
        id,
        owner,
      ]);
      if (found.length === 0) return 'absent';
      const running = await manager.query<unknown[]>(
        `select 1 from generation where thread_id = $1 and status = 'streaming'`,
        [id],
      );
      if (running.length > 0) return 'busy';
      await manager.query('delete from thread where id = $1', [id]);
      return 'deleted';
    });
  }

  /** Guests' threads whose day is over. */
  expired(limit: number): Promise<{ id: number; owner: Owner }[]> {
    return this.dataSource.query<{ id: number; owner: Owner }[]>(
      'select id, owner from thread where expires_at < now() order by expires_at limit $1',
      [limit],
    );
  }

  async userMessage(threadId: number, id: number): Promise<{ parentId: number | null } | null> {
    const rows = await this.dataSource.query<{ parentId: number | null }[]>(
      'select parent_id as "parentId" from message where id = $1 and thread_id = $2 and is_user_message',
      [id, threadId],
    );
    return rows[0] ?? null;
  }

  /** An AI message of one's own, and what it answered. */
  async answer(owner: Owner, id: number): Promise<{ threadId: number; userMessageId: number; modelId: string } | null> {
    const rows = await this.dataSource.query<{ threadId: number; userMessageId: number; modelId: string }[]>(
      `select m.thread_id as "threadId", m.parent_id as "userMessageId", m.model_id as "modelId"
       from message m join thread t on t.id = m.thread_id
       where m.id = $1 and t.owner = $2 and not m.is_user_message and m.parent_id is not null`,
      [id, owner],
    );
    return rows[0] ?? null;
  }
}
