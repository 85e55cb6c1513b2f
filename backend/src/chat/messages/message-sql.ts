import { LIMITS } from '@tanya/contract';
import { MESSAGE_COLUMNS, messageColumns } from './message-view.js';

/*
 * SQL fragments of the tables `message` and `thread`, for statements that touch several tables: the admission and the end
 * of a generation each stay one statement. `:names` are parameters of the statement that uses the fragment.
 */

/** The search index covers the first characters of a message, so that one huge message cannot bloat it. */
export const INDEXED_CHARACTERS = 50_000;

/** @param text expression of the searchable text, see `searchText` */
export const searchVector = (text: string): string => `to_tsvector('simple', left(${text}, ${INDEXED_CHARACTERS}))`;

/**
 * Draws a message id before its row exists, so that thread, messages and generation can refer to one another. The name of
 * the sequence is resolved once for a prepared statement; `pg_get_serial_sequence` would search the catalog each time.
 */
export const NEXT_MESSAGE_ID = `nextval('message_id_seq')`;

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

/** Inserts a thread whose shown path ends at `ai_message_id` of the CTE `ids`. Returns its id and whether instructions apply. */
export const INSERT_THREAD = `insert into thread (owner, user_id, title, model_id, active_leaf_id, lifetime, expires_at, tools,
    use_instructions, is_temporary, titles_left, project_id)
  select :owner, :userId::int, :title, :modelId, ai_message_id, :lifetime::float8,
    now() + make_interval(secs => :lifetime::float8), :tools::text[], :useInstructions::boolean, :isTemporary::boolean,
    case when :isTemporary::boolean then 0 else ${TITLE_ATTEMPTS} end, :projectId::int
  from ids returning id, use_instructions, titles_left, is_temporary, project_id`;

/** Locks a thread of the owner that has not expired after the CTE `admitted`, so that concurrent sends append one after another. */
export const LOCK_THREAD = `select thread.id, thread.active_leaf_id, thread.use_instructions, thread.titles_left,
  thread.is_temporary, thread.project_id from thread, admitted
  where thread.id = :threadId::bigint and thread.owner = :owner
    and (thread.expires_at is null or thread.expires_at > now()) for update of thread`;

/** A message puts off the deletion of a guest's or a temporary thread. The trash keeps its own time. */
const PUT_OFF_EXPIRY = `expires_at = case when thread.owner like 'deleted:%' then thread.expires_at
    else now() + make_interval(secs => thread.lifetime) end`;

/** Moves the end of the thread's shown path to the new AI message of the CTE `target`. A new turn ends the archiving. */
const moveActiveLeaf = (model: string): string => `update thread set active_leaf_id = target.ai_message_id,
    is_archived = false, updated_at = now(), ${PUT_OFF_EXPIRY}${model}
  from target where thread.id = target.thread_id`;

export const MOVE_ACTIVE_LEAF = moveActiveLeaf('');

/** The thread uses the model of its last question from then on. */
export const MOVE_ACTIVE_LEAF_WITH_MODEL = moveActiveLeaf(', model_id = :modelId');

export const INSERT_USER_MESSAGE = `insert into message (id, thread_id, parent_id, user_id, content, is_user_message, search)
  select user_message_id, thread_id, parent_id, :userId::int, :content, true, ${searchVector(':searchText')}
  from target
  returning ${MESSAGE_COLUMNS.join(', ')}`;

/** Inserts the empty AI message below `user_message_id` of the CTE `target`. */
export const INSERT_AI_MESSAGE = `insert into message (id, thread_id, parent_id, user_id, content, is_user_message, status,
    model_id, generation_id, is_demo)
  select ai_message_id, thread_id, user_message_id, :userId::int, '', false, 'streaming', :modelId, :generationId::uuid,
    :isDemo::boolean
  from target
  returning ${MESSAGE_COLUMNS.join(', ')}`;

export const SELECT_USER_MESSAGE = `select ${messageColumns('message')}
  from message, locked
  where message.id = :userMessageId::bigint and message.thread_id = locked.id and is_user_message`;

/** Stores the final state of the AI message that the CTE `ended` names by `message_id`, with the model that answered. */
export const FINISH_MESSAGE = `update message m set content = :content, reasoning = :reasoning, parts = :partsJson::jsonb,
    status = :status, model_id = ended.model_id, context_tokens = :contextTokens::int, error = :errorJson::jsonb, notice = :notice, notices = :noticesJson::jsonb,
    search = ${searchVector(':searchText')}
  from ended where m.id = ended.message_id
  returning ${messageColumns('m')}`;

export const ENDED_MESSAGE = `select ${messageColumns('m')} from message m, ended where m.id = ended.message_id`;

/** Stores the state of the AI message that the CTE `suspended` names by `message_id`, while its calls wait. */
export const SUSPEND_MESSAGE = `update message m set status = 'waiting', content = :content, reasoning = :reasoning,
    parts = :parts::jsonb
  from suspended where m.id = suspended.message_id returning m.thread_id`;

export const PARTS_OF_MESSAGE = 'select parts from message where id = $1::bigint';

export const CHANGE_PART = `update message set parts = jsonb_set(parts, array[:index::text], :part::jsonb)
  where id = :messageId::bigint`;

/** Makes the AI message that the CTE `continued` names by `message_id` a running one again. */
export const CONTINUE_MESSAGE = `
  update message m set status = 'streaming' from continued where m.id = continued.message_id`;

/** Marks the thread of a CTE with the column `thread_id` as changed. Returns whether it is temporary. */
export const touchThread = (cte: string): string =>
  `update thread set updated_at = now(), ${PUT_OFF_EXPIRY}
  from ${cte} where thread.id = ${cte}.thread_id returning thread.is_temporary`;

/** The ids of the newest versions at the position of the CTE `ended_message`, oldest first. `offset 0` keeps their index in use. */
export const ENDED_SIBLINGS = `select json_agg(newest.id order by newest.id) from (
    select s.id from (select s.id from message s, ended_message e where s.parent_id = e.parent_id offset 0) s
    order by s.id desc limit ${LIMITS.versions}
  ) newest`;

/**
 * Query of one row: the size of a path of the owner from `:messageId`, or from the end of the shown one for null, over at most
 * `:limit` messages; zeros for a thread of another owner. @param further further columns
 */
export const pathSize = (further: string): string => `with recursive path as (
  select m.parent_id, length(m.content) as characters, 1 as depth, t.project_id from thread t
  join message m on m.thread_id = t.id and m.id = coalesce(:messageId::bigint, t.active_leaf_id)
  where t.id = :threadId::bigint and t.owner = :owner
  union all
  select m.parent_id, length(m.content), path.depth + 1, path.project_id from message m join path on m.id = path.parent_id
  where path.depth < :limit::int
) select coalesce(sum(characters), 0)::int as characters, count(*)::int as messages,
  max(project_id) as "projectId", ${further} from path`;
