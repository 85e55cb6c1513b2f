import { searchText } from '../../messages/message-content.js';
import {
  insertAiMessage,
  insertThread,
  insertUserMessage,
  lockThread,
  moveActiveLeaf,
  NEXT_MESSAGE_ID,
  selectUserMessage,
} from '../../messages/message-sql.js';

/** The position of a new generation's messages. */
export type MessageTarget =
  | { kind: 'new-thread'; title: string; content: string; expiresAt: Date | null }
  /** Without `parentId` the message follows the end of the shown path. */
  | { kind: 'reply'; threadId: number; content: string; parentId?: number | null }
  /** Another answer to an existing user message. */
  | { kind: 'regenerate'; threadId: number; userMessageId: number };

/*
 * Parameters that all statements share: $1 generation, $2 owner, $3 user, $4 client message id, $5 request hash, $6 model,
 * $7 cost, $8 period, $9 node, $10 maximum of concurrent generations of the owner. From $11 on each has its own.
 */

/** The CTE `room` has one row while the owner runs fewer generations than the maximum; without it nothing is inserted. */
const RUNNING = `running as (
  select count(*)::int as count from generation where owner = $2 and status = 'streaming'
), room as (
  select 1 from running where count < $10::int)`;

const IDS = `ids as (
  select ${NEXT_MESSAGE_ID} as user_message_id, ${NEXT_MESSAGE_ID} as ai_message_id from room)`;

const INSERT_GENERATION = `generation_row as (
  insert into generation (id, owner, user_id, client_message_id, request_hash, thread_id, user_message_id, message_id, model_id, cost, period, node_id)
  select $1::uuid, $2, $3::int, $4, $5, target.thread_id, target.user_message_id, target.ai_message_id, $6, $7::int, $8, $9::uuid
  from target)`;

const INSERT_AI_MESSAGE = `answer as (${insertAiMessage({ userId: '$3', modelId: '$6', generationId: '$1' })})`;

/** $11 content, $12 its searchable text. */
const INSERT_USER_MESSAGE = `question as (${insertUserMessage({ userId: '$3', content: '$11', searchText: '$12' })})`;

const RESULT = `select running.count as running, inserted.* from running left join (
  select target.thread_id, to_jsonb(question) as user_message, to_jsonb(answer) as ai_message from target, question, answer
) inserted on true`;

/** $13 title, $14 expiry of a guest's thread. */
const NEW_THREAD = `with ${RUNNING}, ${IDS}, thread_row as (
  ${insertThread({ owner: '$2', userId: '$3', title: '$13', modelId: '$6', expiresAt: '$14' })}
), target as (
  select thread_row.id as thread_id, null::bigint as parent_id, ids.* from thread_row, ids
), ${INSERT_USER_MESSAGE}, ${INSERT_AI_MESSAGE}, ${INSERT_GENERATION} ${RESULT}`;

/** $13 thread, $14 whether a parent is given, $15 that parent. */
const REPLY = `with ${RUNNING}, ${IDS}, locked as (
  ${lockThread({ threadId: '$13', owner: '$2' })}
), target as (
  select locked.id as thread_id, case when $14::boolean then $15::bigint else locked.active_leaf_id end as parent_id, ids.*
  from locked, ids
), moved as (${moveActiveLeaf({ modelId: '$6' })}), ${INSERT_USER_MESSAGE}, ${INSERT_AI_MESSAGE}, ${INSERT_GENERATION} ${RESULT}`;

/** $11 thread, $12 user message. */
const REGENERATE = `with ${RUNNING}, locked as (
  ${lockThread({ threadId: '$11', owner: '$2' })}
), question as (${selectUserMessage({ messageId: '$12' })}), target as (
  select locked.id as thread_id, question.id as user_message_id, ${NEXT_MESSAGE_ID} as ai_message_id
  from locked, question, room
), moved as (${moveActiveLeaf()}), ${INSERT_AI_MESSAGE}, ${INSERT_GENERATION} ${RESULT}`;

const DETACHED = `with ${RUNNING}, target as (
  select null::bigint as thread_id, null::bigint as user_message_id, null::bigint as ai_message_id from room
), ${INSERT_GENERATION} select running.count as running from running`;

/** @returns the statement of a target, and its parameters from $11 on */
export function admissionStatement(target: MessageTarget | null): [statement: string, parameters: unknown[]] {
  switch (target?.kind) {
    case undefined:
      return [DETACHED, []];
    case 'new-thread': {
      const { content, title, expiresAt } = target;
      return [NEW_THREAD, [content, searchText(content), title, expiresAt]];
    }
    case 'reply': {
      const { content, threadId, parentId } = target;
      return [REPLY, [content, searchText(content), threadId, parentId !== undefined, parentId ?? null]];
    }
    case 'regenerate':
      return [REGENERATE, [target.threadId, target.userMessageId]];
  }
}
