// Printed whole: backend/test/release/__snapshots__/statements.test.ts.snap
import type { Owner } from '../../identity/identity.js';
import { type Statement, statement } from '../../platform/database/named-parameters.js';
import { openStatusIn, waitingThreads } from '../generation/store/generation-sql.js';
import type { ThreadCursor } from './thread-cursor.js';

/*
 * Statements that list and search the threads of an account. A later page begins after the cursor: `:updatedAt` and `:id`.
 */

/** A first page and a later page are separate statements: a plan for both would scan every row before the cursor. */
export interface Pages<Parameters> {
  first: Statement<Parameters>;
  later: Statement<Parameters & ThreadCursor>;
}

const pages = <Own>(textOf: (isFirstPage: boolean) => string): Pages<Own & { limit: number }> => ({
  first: statement(textOf(true)),
  later: statement(textOf(false)),
});

interface Words {
  words: string;
  /** Pattern of a title that contains them. */
  title: string;
}

const COLUMNS = `t.id, t.title, t.user_id, t.model_id, t.created_at, t.updated_at, t.is_pinned, t.is_archived, t.tools,
  t.use_instructions, t.project_id, t.is_temporary, t.expires_at, ${openStatusIn('t.id')} as open_status,
  exists (select from thread_summary s where s.thread_id = t.id and s.text is not null) as has_summary`;

const positionOf = (time: string): string =>
  `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as cursor`;

const POSITION = positionOf('t.updated_at');

/**
 * Titles are scanned in the newest threads only. A trigram index would be written at every send, because a send updates
 * its thread's row. Older threads are found by their messages.
 */
const MAX_TITLES = 2_000;

/** The scan of recent threads reads this number of each thread's newest messages. */
const MAX_RECENT_MESSAGES = 100;

const before = (time: string, isFirstPage: boolean): string =>
  isFirstPage ? '' : `and (${time}, t.id) < (:updatedAt::timestamptz, :id::bigint)`;

const olderThan = (isFirstPage: boolean): string => before('t.updated_at', isFirstPage);

const and = (condition: string | null): string => (condition === null ? '' : `and ${condition}`);

/** $1 thread, $2 owner. */
export const findThread = `select ${COLUMNS} from thread t
  where t.id = $1 and t.owner = $2 and (t.expires_at is null or t.expires_at > now())`;

const IS_ARCHIVED = 't.is_archived';

/** The threads of `:userId` that are not archived, pinned ones first, at most `:limit`. */
export const listThreads = pages<{ userId: number }>(
  (isFirstPage) => `
  select ${COLUMNS}, ${POSITION}
  from thread t where t.user_id = :userId and not t.is_archived and not t.is_temporary
  ${isFirstPage ? '' : 'and (t.is_pinned, t.updated_at, t.id) < (:isPinned::boolean, :updatedAt::timestamptz, :id::bigint)'}
  order by t.is_pinned desc, t.updated_at desc, t.id desc limit :limit`,
);

/** The threads of `:userId` in the project `:projectId` that are not archived, at most `:limit`. */
export const listOfProject = pages<{ userId: number; projectId: number }>(
  (isFirstPage) => `
  select ${COLUMNS}, ${POSITION}
  from thread t where t.user_id = :userId and t.project_id = :projectId and not t.is_archived and not t.is_temporary ${olderThan(isFirstPage)}
  order by t.updated_at desc, t.id desc limit :limit`,
);

/** The archived threads of `:userId`, at most `:limit`. */
export const listArchived = pages<{ userId: number }>(
  (isFirstPage) => `
  select ${COLUMNS}, ${POSITION}
  from thread t where t.user_id = :userId and ${IS_ARCHIVED} and not t.is_temporary ${olderThan(isFirstPage)}
  order by t.updated_at desc, t.id desc limit :limit`,
);

/** The threads in which an answer waits, archived ones too. */
export const listWaiting = pages<{ owner: Owner }>(
  (isFirstPage) => `
  select ${COLUMNS}, ${POSITION}
  from thread t where t.owner = :owner and not t.is_temporary and t.id in (${waitingThreads(':owner')}) ${olderThan(isFirstPage)}
  order by t.updated_at desc, t.id desc limit :limit`,
);

/** Only for a thread in the trash: the cursor of the next page needs it. */
const TRASH_POSITION = positionOf('t.expires_at');

/** The threads that can be restored, the last deleted first. `:trash` is the owner of the trash. */
export const listTrash = pages<{ trash: string }>(
  (isFirstPage) => `
  select ${COLUMNS}, ${TRASH_POSITION}
  from thread t where t.owner = :trash and not t.is_temporary and t.expires_at > now() ${before('t.expires_at', isFirstPage)}
  order by t.expires_at desc, t.id desc limit :limit`,
);

/**
 * The words as a query whose last word may be the beginning of a word. The index is not searched with it: all words of all
 * users that begin so would be read.
 */
const BEGINNING = `(
  select case when numnode(query) = 0 then query else (query::text || ':*')::tsquery end as query
  from (select plainto_tsquery('simple', :words) as query) whole
) words`;

/**
 * Scans the newest threads, twice the page size. A word that occurs in very many of the user's messages fills the page
 * from these at a constant cost, where the index would return every match. `match_id` is the newest matching message,
 * `may_lack` says that a newer thread without a match has more messages than were read.
 *
 * `:title` is the pattern of a title, `:limit` the page size.
 */
const searchRecentThreads = (isFirstPage: boolean, condition: string | null): string => `
  select ${COLUMNS}, ${POSITION}, t.match_id, t.may_lack
  from (
    select t.*, found.id as match_id, is_found, bool_or(not is_found and exists (
        select from message where thread_id = t.id order by id desc offset ${MAX_RECENT_MESSAGES} limit 1
      )) over (order by t.updated_at desc, t.id desc rows unbounded preceding) as may_lack
    from (
      select t.* from thread t where t.user_id = :userId and not t.is_temporary ${and(condition)} ${olderThan(isFirstPage)}
      order by t.updated_at desc, t.id desc limit 2 * :limit::int
    ) t cross join ${BEGINNING} left join lateral (
      select m.id from (
        select id, search from message where thread_id = t.id order by id desc limit ${MAX_RECENT_MESSAGES}
      ) m where m.search @@ words.query limit 1
    ) found on true cross join lateral (
      select t.title ilike '%' || :title || '%' or found.id is not null as is_found
    ) verdict
  ) t
  where t.is_found
  order by t.updated_at desc, t.id desc limit :limit::int + 1`;

/**
 * Forces the search index: the planner assumes that each word matches one message in 200 and would scan the table. For a
 * word with very many matches the index returns a sample of about this size.
 */
export const USE_SEARCH_INDEX = 'set local enable_seqscan = off; set local gin_fuzzy_search_limit = 20000';

/**
 * Searches all messages by the index. All matches count: the ids of messages do not follow time, because an import writes
 * old messages with new ids. `offset 0` makes the planner look up each thread by its id; it would scan all threads of the
 * user otherwise. The parameters are those of `searchRecentThreads`; words match as a whole.
 */
const searchAllThreads = (isFirstPage: boolean, condition: string | null): string => `
  with words as (select plainto_tsquery('simple', :words) as query), hits as (
    select id, max(match_id) as match_id from (
      select m.thread_id as id, m.id as match_id from message m, words
      where m.user_id = :userId and m.search @@ words.query
      union all
      select id, null from (
        select t.id, t.title from thread t where t.user_id = :userId and not t.is_temporary ${and(condition)} ${olderThan(isFirstPage)}
        order by t.updated_at desc, t.id desc limit ${MAX_TITLES}
      ) recent where title ilike '%' || :title || '%'
    ) any_hits group by id
  )
  select ${COLUMNS}, ${POSITION}, hits.match_id
  from hits cross join lateral (select * from thread where id = hits.id offset 0) t
  where t.user_id = :userId and not t.is_temporary ${and(condition)} ${olderThan(isFirstPage)}
  order by t.updated_at desc, t.id desc limit :limit::int + 1`;

/** Searches the trash, which holds few threads because they expire soon. `:trash` is the owner of the trash; otherwise as `searchRecentThreads`. */
export const searchTrash = pages<Words & { trash: string }>(
  (isFirstPage) => `
  select ${COLUMNS}, ${TRASH_POSITION} from thread t, ${BEGINNING}
  where t.owner = :trash and not t.is_temporary and t.expires_at > now() ${before('t.expires_at', isFirstPage)} and (
    t.title ilike '%' || :title || '%'
    or exists (select 1 from message m where m.thread_id = t.id and m.search @@ words.query)
  )
  order by t.expires_at desc, t.id desc limit :limit::int + 1`,
);

/** The search in recent threads and the one in all of them, restricted to threads of a condition. */
const searches = (condition: string | null) => ({
  recent: pages<Words & { userId: number }>((isFirstPage) => searchRecentThreads(isFirstPage, condition)),
  all: pages<Words & { userId: number }>((isFirstPage) => searchAllThreads(isFirstPage, condition)),
});

export const searchThreads = {
  ofAnyState: searches(null),
  archived: searches(IS_ARCHIVED),
  waiting: searches(`t.id in (${waitingThreads(`'user:' || (:userId::int)::text`)})`),
};
