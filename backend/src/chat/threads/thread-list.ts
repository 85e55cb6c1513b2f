import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Owner } from '../../identity/identity.js';
import { isRunningIn } from '../generation/store/generation-sql.js';
import type { ThreadCursor } from './thread-cursor.js';
import type { ThreadRow } from './thread-view.js';

const THREAD_COLUMNS = `t.id, t.title, t.user_id, t.model_id, t.created_at, t.updated_at,
  ${isRunningIn('t.id')} as streaming`;

/**
 * Titles are scanned in the newest threads only. A trigram index would be written at every send, because a send updates
 * its thread's row. Older threads are found by their messages.
 */
const MAX_TITLES = 2_000;

/** The scan of recent threads reads this number of each thread's newest messages. */
const MAX_RECENT_MESSAGES = 100;

/** The position of a row in the list, for the cursor of the next page. */
const POSITION = `to_char(t.updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as cursor`;

/** A first page and a later page are separate statements: a plan for both would scan every row before the cursor. */
const olderThan = (before: ThreadCursor | null, first: number): string =>
  before === null ? '' : `and (t.updated_at, t.id) < ($${first}::timestamptz, $${first + 1}::bigint)`;

const cursorValues = (before: ThreadCursor | null): unknown[] => (before === null ? [] : [before.updatedAt, before.id]);

/**
 * Scans the newest threads, twice the page size. A word that occurs in very many of the user's messages fills the page
 * from these at a constant cost, where the index would return every match.
 */
const searchRecent = (before: ThreadCursor | null): string => `
  select ${THREAD_COLUMNS}, ${POSITION}
  from (
    select t.* from thread t where t.user_id = $1 ${olderThan(before, 5)}
    order by t.updated_at desc, t.id desc limit 2 * $4::int
  ) t
  where t.title ilike '%' || $3 || '%' or exists (
    select 1 from (select search from message where thread_id = t.id order by id desc limit ${MAX_RECENT_MESSAGES}) m
    where m.search @@ plainto_tsquery('simple', $2))
  order by t.updated_at desc, t.id desc limit $4::int + 1`;

/**
 * Forces the search index: the planner assumes that each word matches one message in 200 and would scan the table. For a
 * word with very many matches the index returns a sample of about this size.
 */
const USE_INDEX = 'set local enable_seqscan = off; set local gin_fuzzy_search_limit = 20000';

/** Searches all messages by the index. The first page needs the newest matches only; a later page needs all. */
const searchAll = (before: ThreadCursor | null): string => `
  with words as (select plainto_tsquery('simple', $2) as query), hits as (
    select distinct thread_id as id from (
      select m.thread_id from message m, words
      where m.user_id = $1 and m.search @@ words.query ${before === null ? 'order by m.id + 0 desc limit 1000' : ''}
    ) found
    union
    select id from (
      select t.id, t.title from thread t where t.user_id = $1 ${olderThan(before, 5)}
      order by t.updated_at desc, t.id desc limit ${MAX_TITLES}
    ) recent where title ilike '%' || $3 || '%'
  )
  select ${THREAD_COLUMNS}, ${POSITION} from thread t join hits on hits.id = t.id
  where t.user_id = $1 ${olderThan(before, 5)} order by t.updated_at desc, t.id desc limit $4::int + 1`;

interface PageRequest {
  limit: number;
  before: ThreadCursor | null;
}

/** One page of threads, and the cursor of the next page; null on the last page. */
export interface ThreadPage {
  rows: ThreadRow[];
  nextCursor: ThreadCursor | null;
}

type ListedRow = ThreadRow & { cursor: string };

/** @param rows up to `limit + 1` rows; the extra row shows that another page follows */
function pageOf(rows: ListedRow[], limit: number): ThreadPage {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, nextCursor: rows.length > limit && last ? { updatedAt: last.cursor, id: last.id } : null };
}

/** Lists and searches threads with the status of their generations. */
@Injectable()
export class ThreadList {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The threads of an account, newest first. */
  async list(userId: number, { limit, before }: PageRequest): Promise<ThreadPage> {
    const rows = await this.dataSource.query<ListedRow[]>(
      `select ${THREAD_COLUMNS}, ${POSITION}
       from thread t where t.user_id = $1 ${olderThan(before, 3)} order by t.updated_at desc, t.id desc limit $2`,
      [userId, limit + 1, ...cursorValues(before)],
    );
    return pageOf(rows, limit);
  }

  /** The threads whose title contains the query or whose messages contain all its words, newest first. */
  async search(userId: number, query: string, { limit, before }: PageRequest): Promise<ThreadPage> {
    const values = [userId, query, query.replace(/[\\%_]/g, String.raw`\$&`), limit, ...cursorValues(before)];
    const recent = await this.dataSource.query<ListedRow[]>(searchRecent(before), values);
    if (recent.length > limit) return pageOf(recent, limit);
    return this.dataSource.transaction(async (manager) => {
      await manager.query(USE_INDEX);
      return pageOf(await manager.query<ListedRow[]>(searchAll(before), values), limit);
    });
  }

  async find(owner: Owner, id: number): Promise<ThreadRow | null> {
    const rows = await this.dataSource.query<ThreadRow[]>(
      `select ${THREAD_COLUMNS} from thread t where t.id = $1 and t.owner = $2`,
      [id, owner],
    );
    return rows[0] ?? null;
  }
}
