// Printed whole: backend/test/release/__snapshots__/statements.test.ts.snap
import type { QuotaPeriod, ReasoningEffort, UsageChannel } from '@tanya/contract';
import { type Statement, statement } from '../../../platform/database/named-parameters.js';
import { refuse } from '../../../platform/database/statements.js';
import { admitKey } from '../../../api-keys/api-key-sql.js';
import type { Owner, PlanName } from '../../../identity/identity.js';
import { INSTRUCTIONS } from '../../../preferences/preferences-sql.js';
import { HOLD_BUDGETS } from '../../../budgets/budget-sql.js';
import { holdQuota, RECORD_HOLD, RECORD_HOLD_OF_BUDGETS } from '../../../quota/quota-sql.js';
import { isProjectMember } from '../../../projects/project-sql.js';
import { PUT_OFF_EXPIRY, searchVector, TITLE_ATTEMPTS } from '../../messages/message-sql.js';
import { MESSAGE_COLUMNS, messageColumns } from '../../messages/message-view.js';

/*
 * The statements that admit a generation: each holds the quota and inserts the thread, the messages and the generation, all
 * or nothing. Its row has the account's new state, null when the quota is spent. One that holds budgets is a statement of
 * its own: without budgets none is locked.
 *
 * Each is a chain of CTEs, where each needs the rows of those before it:
 *
 *   account         locks the account and holds the quota; without a row when it is spent
 *   running         counts the running generations of the account, which is locked now
 *   admitted        refuses a suspended account and one generation too many
 *   admitted_key    of programs: locks and checks the API key
 *   ids             the ids of the messages
 *   thread_row,     a new thread, or the one that is locked
 *   locked_thread
 *   target          that thread with the ids
 *   moved           the message that the thread shows last
 *   budget          of budgets alone: locks and holds them, after every other lock
 *   held_record     the usage record of the hold
 *   question,       the messages
 *   answer
 *   generation_row  the generation
 *
 * The result is selected from `always`, a row without columns: it is there whatever the CTEs have, for what they refuse.
 *
 * Functions of Postgres: `running_generations` (`../store/functions.sql`), `account_suspended` (`users`), `hold_budgets`
 * (`budgets`), `refuse` (`platform/database`).
 */

export interface AdmissionParameters {
  generationId: string;
  owner: Owner;
  userId: number | null;
  clientMessageId: string;
  requestHash: string;
  modelId: string;
  reasoningEffort: ReasoningEffort | null;
  cost: number;
  quotaPeriod: QuotaPeriod;
  /** Messages of the quota; -1 is unlimited. */
  limit: number;
  /** Maximum of running generations of the owner. */
  maxRunning: number;
  nodeId: string;
  plan: PlanName;
  channel: UsageChannel;
  apiKeyId: number | null;
  /** JSON of `BudgetService.holdTermsJson`; null without a budget. */
  budgetTerms: string | null;
  /** Whether the built-in demo answers instead of the model. Stored with the answer to a message. */
  isDemo: boolean;
}

interface Question {
  content: string;
  /** What a search finds of `content`, see `searchText`. */
  searchText: string;
}

/** A thread that a send begins. */
export interface ThreadToBegin {
  title: string;
  /** Seconds from the last message to the deletion of the thread; null for one of an account that is not temporary. */
  lifetime: number | null;
  isTemporary: boolean;
  tools: string[];
  /** null follows the account. */
  useInstructions: boolean | null;
  projectId: number | null;
}

type NewThread = Question & ThreadToBegin;

interface Reply extends Question {
  threadId: number;
  /** Without a parent the message follows the end of the shown path; a given null makes it a root. */
  hasParent: boolean;
  parentId: number | null;
}

interface Regeneration {
  threadId: number;
  userMessageId: number;
}

/** Reasons with which the statements refuse, see `refusalOf`. They store nothing then. */
export const KNOWN_MESSAGE = 'known_message';
export const TOO_MANY_RUNNING = 'too_many_running';
export const NO_THREAD = 'no_thread';
export const SUSPENDED = 'suspended';
export const KEY_ENDED = 'key_ended';
export const KEY_SPENT = 'key_spent';

const IS_KNOWN = 'exists (select from generation where owner = :owner and client_message_id = :clientMessageId)';

/**
 * A repeated send is refused before it changes a row; of two at the same moment, a unique index refuses one.
 * The hold locks the owner's account, and the running generations are counted after it: their number cannot grow. A
 * suspension that is committed by then refuses; a later one finds the generation and interrupts it. A
 * thread is locked after `admitted`, because the end of a generation locks the account first too.
 */
const HOLD = `${holdQuota(`case when ${IS_KNOWN} then ${refuse(KNOWN_MESSAGE)} else true end`)}, running as materialized (
  select account.period, running_generations(account.owner) as count from account
), admitted as materialized (
  select period from running where case
    when account_suspended(:userId::int) then ${refuse(SUSPENDED)}
    when count < :maxRunning::int then true
    else ${refuse(TOO_MANY_RUNNING)} end
)`;

/**
 * The usage record. Budgets are held after every other lock: the rows of the installation are shared by all owners, and
 * the end of a generation locks them last too.
 */
const RECORD = `held_record as (
  ${RECORD_HOLD}
)`;

const RECORD_WITH_BUDGETS = `budget as materialized (
  ${HOLD_BUDGETS}
), held_record as (
  ${RECORD_HOLD_OF_BUDGETS}
)`;

/**
 * Draws a message id before its row exists, so that thread, messages and generation can refer to one another. The name of
 * the sequence is resolved once for a prepared statement; `pg_get_serial_sequence` would search the catalog each time.
 */
const NEXT_MESSAGE_ID = `nextval('message_id_seq')`;

/**
 * Inserts a thread whose shown path ends at `ai_message_id` of the CTE `ids`. Returns its id and whether instructions apply.
 * A project that was left since it was read is not taken.
 */
const INSERT_THREAD = `insert into thread (owner, user_id, title, model_id, active_leaf_id, lifetime, expires_at, tools,
    use_instructions, is_temporary, titles_left, project_id)
  select :owner, :userId::int, :title, :modelId, ai_message_id, :lifetime::float8,
    now() + make_interval(secs => :lifetime::float8), :tools::text[], :useInstructions::boolean, :isTemporary::boolean,
    case when :isTemporary::boolean then 0 else ${TITLE_ATTEMPTS} end,
    case when ${isProjectMember(':projectId::int', ':userId::int')} then :projectId::int end
  from ids returning id, use_instructions, titles_left, is_temporary, project_id`;

/** Locks a thread of the owner, unless it has expired; after the CTE `admitted`, so that concurrent sends append one after another. */
const LOCK_THREAD = `select thread.id, thread.active_leaf_id, thread.use_instructions, thread.titles_left,
  thread.is_temporary, thread.project_id from thread, admitted
  where thread.id = :threadId::bigint and thread.owner = :owner
    and (thread.expires_at is null or thread.expires_at > now()) for update of thread`;

/**
 * Moves the end of the thread's shown path to the new AI message of the CTE `target`. A new turn ends the archiving.
 * @param model sets the model that the thread uses from then on, if it is to change
 */
const moveActiveLeaf = (model: string): string => `update thread set active_leaf_id = target.ai_message_id,
    is_archived = false, updated_at = now(), ${PUT_OFF_EXPIRY}${model}
  from target where thread.id = target.thread_id`;

const INSERT_USER_MESSAGE = `insert into message (id, thread_id, parent_id, user_id, content, is_user_message, search)
  select user_message_id, thread_id, parent_id, :userId::int, :content, true, ${searchVector(':searchText')}
  from target
  returning ${MESSAGE_COLUMNS.join(', ')}`;

/** Inserts the empty AI message below `user_message_id` of the CTE `target`. */
const INSERT_AI_MESSAGE = `insert into message (id, thread_id, parent_id, user_id, content, is_user_message, status,
    model_id, generation_id, is_demo)
  select ai_message_id, thread_id, user_message_id, :userId::int, '', false, 'streaming', :modelId, :generationId::uuid,
    :isDemo::boolean
  from target
  returning ${MESSAGE_COLUMNS.join(', ')}`;

const SELECT_USER_MESSAGE = `select ${messageColumns('message')}
  from message, locked_thread
  where message.id = :userMessageId::bigint and message.thread_id = locked_thread.id and is_user_message`;

const IDS = `ids as (
  select ${NEXT_MESSAGE_ID} as user_message_id, ${NEXT_MESSAGE_ID} as ai_message_id from admitted
)`;

const INSERT_GENERATION = `generation_row as (
  insert into generation (id, owner, user_id, client_message_id, request_hash, thread_id, user_message_id, message_id,
    model_id, cost, period, node_id, reasoning_effort, api_key_id)
  select :generationId::uuid, :owner, :userId::int, :clientMessageId, :requestHash, target.thread_id,
    target.user_message_id, target.ai_message_id, :modelId, :cost::int, admitted.period, :nodeId::uuid, :reasoningEffort,
    :apiKeyId::int
  from target, admitted
)`;

/** After a hold the CTE `target` has a row, unless a thread was asked for and not found. */
const RESULT = `select account.*, inserted.*,
  case when account.owner is not null and inserted.thread_id is null then ${refuse(NO_THREAD)} end as refused
from (select) always left join account on true left join (
  select target.thread_id, target.project_id, target.use_instructions, target.titles_left > 0 as lacks_title,
    target.is_temporary, ${INSTRUCTIONS} as instructions,
    to_jsonb(question) as user_message, to_jsonb(answer) as ai_message
  from target, question, answer
) inserted on true`;

/** Builds both forms of a statement. @param textWith the statement with one of the two forms of the usage record */
const bothForms = <Own>(
  textWith: (record: string) => string,
): Record<'unbudgeted' | 'budgeted', Statement<AdmissionParameters & Own>> => ({
  unbudgeted: statement(textWith(RECORD)),
  budgeted: statement(textWith(RECORD_WITH_BUDGETS)),
});

export const admitNewThread = bothForms<NewThread>(
  (record) => `with ${HOLD}, ${IDS}, thread_row as (
  ${INSERT_THREAD}
), target as (
  select thread_row.id as thread_id, thread_row.use_instructions, thread_row.titles_left, thread_row.is_temporary,
    thread_row.project_id, null::bigint as parent_id, ids.* from thread_row, ids
), ${record}, question as (
  ${INSERT_USER_MESSAGE}
), answer as (
  ${INSERT_AI_MESSAGE}
), ${INSERT_GENERATION}
${RESULT}`,
);

export const admitReply = bothForms<Reply>(
  (record) => `with ${HOLD}, ${IDS}, locked_thread as (
  ${LOCK_THREAD}
), target as (
  select locked_thread.id as thread_id, locked_thread.use_instructions, locked_thread.titles_left, locked_thread.project_id, locked_thread.is_temporary,
    case when :hasParent::boolean then :parentId::bigint else locked_thread.active_leaf_id end as parent_id, ids.*
  from locked_thread, ids
), moved as (
  ${moveActiveLeaf(', model_id = :modelId')}
), ${record}, question as (
  ${INSERT_USER_MESSAGE}
), answer as (
  ${INSERT_AI_MESSAGE}
), ${INSERT_GENERATION}
${RESULT}`,
);

export const admitRegeneration = bothForms<Regeneration>(
  (record) => `with ${HOLD}, locked_thread as (
  ${LOCK_THREAD}
), question as (
  ${SELECT_USER_MESSAGE}
), target as (
  select locked_thread.id as thread_id, locked_thread.use_instructions, locked_thread.titles_left, locked_thread.project_id, locked_thread.is_temporary,
    question.id as user_message_id,
    ${NEXT_MESSAGE_ID} as ai_message_id
  from locked_thread, question, admitted
), moved as (
  ${moveActiveLeaf('')}
), ${record}, answer as (
  ${INSERT_AI_MESSAGE}
), ${INSERT_GENERATION}
${RESULT}`,
);

/**
 * A generation without a thread. The API key is checked after its row is locked, and the account is locked before. A
 * deletion or revocation that is committed by then refuses; a later one finds the generation.
 */
export const admitDetached = bothForms<object>(
  (record) => `with ${HOLD}, admitted_key as materialized (
  ${admitKey({
    ended: refuse(KEY_ENDED),
    spent: refuse(KEY_SPENT),
  })}
), target as (
  select null::bigint as thread_id, null::bigint as user_message_id, null::bigint as ai_message_id from admitted_key
), ${record}, ${INSERT_GENERATION}
select account.* from (select) always left join account on true`,
);
