/*
 * SQL fragments of the table `generation`, for statements that touch several tables. A parameter is a placeholder such as
 * `$4` or a column reference.
 */

/** Whether a generation is running in a thread. */
export const isRunningIn = (threadId: string): string =>
  `exists (select 1 from generation g where g.thread_id = ${threadId} and g.status = 'streaming')`;

/** The quota account that a generation is charged to. */
export const accountOfGeneration = (id: string): string =>
  `select owner, period from generation where id = ${id}::uuid`;

/** The running generations, for a join with their nodes. */
export const RUNNING_GENERATIONS = `select id, node_id, created_at from generation where status = 'streaming'`;

/** The number of an owner's running generations, read when the expression is evaluated. */
export const runningGenerations = (owner: string): string => `running_generations(${owner})`;

/** Interrupts the calls of a generation that have not ended, those committed while the statement waited included. */
export const interruptToolCalls = (id: string): string => `interrupt_tool_calls(${id}::uuid)`;

/** Deletes the chunks of a generation, including those that were committed while the statement waited for its locks. */
export const deleteChunks = (id: string): string => `delete_generation_chunks(${id}::uuid)`;
