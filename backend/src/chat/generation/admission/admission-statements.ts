import { refuse } from '../../../platform/database/statements.js';
import { keyRoom } from '../../../api-keys/api-key-sql.js';
import { instructionsOf } from '../../../preferences/preferences-sql.js';
import { holdBudgets } from '../../../quota/budgets/budget-sql.js';
import { holdQuota, recordHold } from '../../../quota/quota-sql.js';
import { isSuspended } from '../../../users/user-sql.js';
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
import { isKnownMessage, runningGenerations } from '../store/generation-sql.js';

/** The position of a new generation's messages. */
export type MessageTarget =
  | {
      kind: 'new-thread';
      title: string;
      content: string;
      expiresAt: Date | null;
      tools: string[];
      /** null follows the account. */
      useInstructions: boolean | null;
    }
  /** Without `parentId` the message follows the end of the shown path. */
  | { kind: 'reply'; threadId: number; content: string; parentId?: number | null }
  /** Another answer to an existing user message. */
  | { kind: 'regenerate'; threadId: number; userMessageId: number };

/** Reasons with which the statements refuse, see `refusalOf`. They store nothing then. */
export const KNOWN_MESSAGE = 'known_message';
export const TOO_MANY_RUNNING = 'too_many_running';
export const NO_THREAD = 'no_thread';
export const SUSPENDED = 'suspended';
export const KEY_ENDED = 'key_ended';
export const KEY_SPENT = 'key_spent';

/*
 * Each statement holds the quota and inserts the thread, the messages and the generation, all or nothing. Its row has the
 * account's new state, null when the quota is spent.
 *
 * Parameters that all statements share: $1 generation, $2 owner, $3 user, $4 client message id, $5 request hash, $6 model,
 * $7 cost, $8 quota period, $9 node, $10 maximum of concurrent generations of the owner, $11 limit of the quota, $12
 * reasoning effort, $13 plan, $14 channel, $15 API key. From $16 on each has its own; $16 is whether the demo answers,
 * except for a detached generation. The last one is the terms of the budgets, for a caller with a budget: without
 * them a statement locks no budget.
 */

/** Builds a statement; `terms` is the placeholder of the budgets' terms. */
type Statement = (terms?: string) => string;

/** Builds each statement once, with and without budgets. */
const built = (statement: Statement, terms: string) => ({ free: statement(), budgeted: statement(terms) });

/**
 * A repeated send is refused before it changes a row; of two at the same moment, a unique index refuses one.
 * The hold locks the owner's account, and the running generations are counted after it: their number cannot grow. A
 * suspension that is committed by then refuses; a later one finds the generation and interrupts it. A
 * thread is locked after `room`, because the end of a generation locks the account first too.
 */
const HOLD = `${holdQuota({
  owner: '$2',
  userId: '$3',
  cost: '$7',
  limit: '$11',
  quotaPeriod: '$8',
  condition: `case when ${isKnownMessage('$2', '$4')} then ${refuse(KNOWN_MESSAGE)} else true end`,
})}, running as materialized (
  select account.period, ${runningGenerations('account.owner')} as count from account
), room as materialized (
  select period from running where case when ${isSuspended('$3::int')} then ${refuse(SUSPENDED)}
    when count < $10::int then true else ${refuse(TOO_MANY_RUNNING)} end
)`;

/**
 * The usage record. Budgets are held after every other lock: the rows of the installation are shared by all owners, and
 * the end of a generation locks them last too.
 */
const record: Statement = (terms) => {
  const insert = recordHold({
    ...{ owner: '$2', userId: '$3', generationId: '$1', modelId: '$6', cost: '$7' },
    ...{ plan: '$13', channel: '$14', apiKeyId: '$15', budget: terms && 'budget' },
  });
  const hold = terms && holdBudgets({ userId: '$3', apiKeyId: '$15', terms, after: 'target' });
  return `${hold ? `budget as materialized (${hold}), ` : ''}held_record as (${insert})`;
};

const IDS = `ids as (
  select ${NEXT_MESSAGE_ID} as user_message_id, ${NEXT_MESSAGE_ID} as ai_message_id from room)`;

const INSERT_GENERATION = `generation_row as (
  insert into generation (id, owner, user_id, client_message_id, request_hash, thread_id, user_message_id, message_id, model_id, cost, period, node_id, reasoning_effort, api_key_id)
  select $1::uuid, $2, $3::int, $4, $5, target.thread_id, target.user_message_id, target.ai_message_id, $6, $7::int, room.period, $9::uuid, $12, $15::int
  from target, room)`;

const INSERT_AI_MESSAGE = `answer as (${insertAiMessage({ userId: '$3', modelId: '$6', generationId: '$1', isDemo: '$16' })})`;

/** $17 content, $18 its searchable text. */
const INSERT_USER_MESSAGE = `question as (${insertUserMessage({ userId: '$3', content: '$17', searchText: '$18' })})`;

/** A thread that was found, or not needed, has a row in the CTE `target` whenever the hold succeeded. */
const RESULT = `select account.*, inserted.*,
  case when account.owner is not null and inserted.thread_id is null then ${refuse(NO_THREAD)} end as refused
from (select) always left join account on true left join (
  select target.thread_id, target.use_instructions, ${instructionsOf('$3')} as instructions,
    to_jsonb(question) as user_message, to_jsonb(answer) as ai_message
  from target, question, answer
) inserted on true`;

/**
 * $19 title, $20 expiry of a guest's thread, $21 its tools, $22 whether custom instructions apply, null follows the
 * account.
 */
const newThread: Statement = (terms) => `with ${HOLD}, ${IDS}, thread_row as (
  ${insertThread({ owner: '$2', userId: '$3', title: '$19', modelId: '$6', expiresAt: '$20', tools: '$21', useInstructions: '$22' })}
), target as (
  select thread_row.id as thread_id, thread_row.use_instructions, null::bigint as parent_id, ids.* from thread_row, ids
), ${record(terms)}, ${INSERT_USER_MESSAGE}, ${INSERT_AI_MESSAGE}, ${INSERT_GENERATION} ${RESULT}`;

const NEW_THREAD = built(newThread, '$23');

/** $19 thread, $20 whether a parent is given, $21 that parent. */
const reply: Statement = (terms) => `with ${HOLD}, ${IDS}, locked as (
  ${lockThread({ threadId: '$19', owner: '$2', after: 'room' })}
), target as (
  select locked.id as thread_id, locked.use_instructions, case when $20::boolean then $21::bigint else locked.active_leaf_id end as parent_id, ids.*
  from locked, ids
), moved as (${moveActiveLeaf({ modelId: '$6' })}), ${record(terms)}, ${INSERT_USER_MESSAGE}, ${INSERT_AI_MESSAGE},
${INSERT_GENERATION} ${RESULT}`;

const REPLY = built(reply, '$22');

/** $17 thread, $18 user message. */
const regenerate: Statement = (terms) => `with ${HOLD}, locked as (
  ${lockThread({ threadId: '$17', owner: '$2', after: 'room' })}
), question as (${selectUserMessage({ messageId: '$18' })}), target as (
  select locked.id as thread_id, locked.use_instructions, question.id as user_message_id, ${NEXT_MESSAGE_ID} as ai_message_id
  from locked, question, room
), moved as (${moveActiveLeaf()}), ${record(terms)}, ${INSERT_AI_MESSAGE}, ${INSERT_GENERATION} ${RESULT}`;

const REGENERATE = built(regenerate, '$19');

/**
 * The API key is checked after its row is locked, and the account is locked before. A deletion or revocation that is committed by then refuses; a later one finds the generation.
 */
const KEY_ROOM = keyRoom({
  owner: '$2',
  keyId: '$15',
  cost: '$7',
  after: 'room',
  ended: refuse(KEY_ENDED),
  spent: refuse(KEY_SPENT),
});

const detached: Statement = (terms) => `with ${HOLD}, key_room as materialized (
  ${KEY_ROOM}
), target as (
  select null::bigint as thread_id, null::bigint as user_message_id, null::bigint as ai_message_id from key_room
), ${record(terms)}, ${INSERT_GENERATION} select account.* from (select) always left join account on true`;

const DETACHED = built(detached, '$16');

/**
 * @param budgetTerms of `holdBudgets`; null without a budget
 * @returns the statement of a target, and its parameters from $16 on
 */
export function admissionStatement(
  target: MessageTarget | null,
  isDemo: boolean,
  budgetTerms: string | null,
): [statement: string, parameters: unknown[]] {
  const [{ free, budgeted }, parameters] = statementOf(target, isDemo);
  return budgetTerms === null ? [free, parameters] : [budgeted, [...parameters, budgetTerms]];
}

function statementOf(
  target: MessageTarget | null,
  isDemo: boolean,
): [statement: ReturnType<typeof built>, parameters: unknown[]] {
  switch (target?.kind) {
    case undefined:
      return [DETACHED, []];
    case 'new-thread': {
      const { content, title, expiresAt, tools, useInstructions } = target;
      return [NEW_THREAD, [isDemo, content, searchText(content), title, expiresAt, tools, useInstructions]];
    }
    case 'reply': {
      const { content, threadId, parentId } = target;
      return [REPLY, [isDemo, content, searchText(content), threadId, parentId !== undefined, parentId ?? null]];
    }
    case 'regenerate':
      return [REGENERATE, [isDemo, target.threadId, target.userMessageId]];
  }
}
