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

export const accountOfGeneration = (id: string): string =>
  `select owner, period from generation where id = ${id}::uuid`;

/** The running generations, for a join with their nodes. */
export const RUNNING_GENERATIONS = `select id, node_id, created_at from generation where status = 'streaming'`;

/**
 * Inserts a chunk of the generation in the CTE `running`, unless `:seq` is null. A chunk whose commit was not confirmed is
 * sent again under the same `:seq`.
 */
export const INSERT_CHUNK = `insert into generation_chunk (generation_id, seq, text, reasoning, parts, is_whole)
  select running.id, :seq::int, :text::text, :reasoning::text, :parts::jsonb, :isWhole::boolean
  from running where :seq::int is not null
  on conflict do nothing`;

/** Expression of type boolean: whether `:owner` has a generation of the message `:clientMessageId`. */
export const IS_KNOWN_MESSAGE =
  'exists (select from generation where owner = :owner and client_message_id = :clientMessageId)';

export const runningGenerations = (owner: string): string => `running_generations(${owner})`;

/**
 * Ends the calls of a generation that have not ended, those committed while the statement waited included: as interrupted,
 * or as denied if the generation waited.
 */
export const endToolCalls = (id: string, hasWaited: string): string => `end_tool_calls(${id}::uuid, ${hasWaited})`;

/** Deletes the chunks of a generation, including those that were committed while the statement waited for its locks. */
export const deleteChunks = (id: string): string => `delete_generation_chunks(${id}::uuid)`;
