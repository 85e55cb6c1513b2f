/*
 * SQL fragments of the table `generation`, for statements that touch several tables. An argument is a column, or a
 * parameter such as `:owner`.
 */

/** The status of the generation of a thread that is not final; null without one. A thread has at most one. */
export const openStatusIn = (threadId: string): string =>
  `(select g.status from generation g where g.thread_id = ${threadId} and g.status in ('streaming', 'waiting'))`;

/** The threads of an owner in which an answer waits for approvals. */
export const waitingThreads = (owner: string): string =>
  `select g.thread_id from generation g where g.owner = ${owner} and g.status = 'waiting'`;

/** The running generations, for a join with their nodes. */
export const RUNNING_GENERATIONS = `select id, node_id, coalesce(waiting_since, created_at) as running_since
  from generation where status = 'streaming'`;
