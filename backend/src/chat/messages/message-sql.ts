/*
 * SQL fragments of the tables `message` and `thread`, for statements that touch several tables: the admission and the end
 * of a generation each stay one statement. `:names` are parameters of the statement that uses the fragment.
 */

/** The search index covers the first characters of a message, so that one huge message cannot bloat it. */
export const INDEXED_CHARACTERS = 50_000;

/** @param text expression of the searchable text, see `searchText` */
export const searchVector = (text: string): string => `to_tsvector('simple', left(${text}, ${INDEXED_CHARACTERS}))`;

/** Expression of type boolean: whether a thread of an account is in the trash. Such a thread has no user. */
export const isInTrash = (threadId: string): string =>
  `exists (select 1 from thread where thread.id = ${threadId} and thread.user_id is null)`;

/** Expression of type boolean: whether a thread is temporary. */
export const isTemporary = (threadId: string): string =>
  `exists (select 1 from thread where thread.id = ${threadId} and thread.is_temporary)`;

/** Expression of type boolean: whether a thread has no row. A thread in the trash still has one. */
export const isDeleted = (threadId: string): string =>
  `not exists (select 1 from thread where thread.id = ${threadId})`;

/** Answers of a new thread after which a title is asked for, until there is one. */
export const TITLE_ATTEMPTS = 3;

/** A message puts off the deletion of a guest's or a temporary thread. The trash keeps its own time. */
export const PUT_OFF_EXPIRY = `expires_at = case when thread.owner like 'deleted:%' then thread.expires_at
    else now() + make_interval(secs => thread.lifetime) end`;

/** Marks the thread of a CTE with the column `thread_id` as changed. Returns whether it is temporary. */
export const touchThread = (cte: string): string =>
  `update thread set updated_at = now(), ${PUT_OFF_EXPIRY}
  from ${cte} where thread.id = ${cte}.thread_id returning thread.is_temporary`;
