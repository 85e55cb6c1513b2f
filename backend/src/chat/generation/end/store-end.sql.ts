// Printed whole: backend/test/release/__snapshots__/statements.test.ts.snap
import { type GenerationError, LIMITS, type OpenStatus, type TerminalStatus } from '@tanya/contract';
import type { Owner } from '../../../identity/identity.js';
import { statement } from '../../../platform/database/named-parameters.js';
import { chargeKey } from '../../../api-keys/api-key-sql.js';
import type { RecordedUsage } from '../../../quota/cost.js';
import { ACCOUNT_OF_ENDED, lockAccounts, SETTLE_QUOTA } from '../../../quota/quota-sql.js';
import { isTemporary, searchVector, touchThread } from '../../messages/message-sql.js';
import { type MessageRow, messageColumns } from '../../messages/message-view.js';

/** Fields that end with `Json` are JSON. Those of the message are unused for a detached generation. */
export interface EndParameters extends RecordedUsage {
  generationId: string;
  before: OpenStatus;
  status: TerminalStatus;
  errorJson: string | null;
  outcome: 'charged' | 'released';
  content: string;
  /** What a search finds of the content, see `searchText`. */
  searchText: string;
  reasoning: string | null;
  partsJson: string | null;
  notice: string | null;
  noticesJson: string | null;
  /** The answers of a detached generation; null when its node died with them. */
  choicesJson: string | null;
  /** Answers that were asked for: the hold is for all of them. */
  heldChoices: number;
  /** Those of them that ended regularly, for which a charge takes its part of the held messages. */
  chargedChoices: number;
  /** The model that answered; null leaves the one that is stored. */
  modelId: string | null;
  attemptsJson: string | null;
  contextTokens: number | null;
}

/** An end as it stands in Postgres. The columns of the account are null when the hold was settled before. */
export interface StoredEnd {
  status: TerminalStatus;
  error: GenerationError | null;
  owner: Owner;
  thread_id: number | null;
  model_id: string;
  api_key_id: number | null;
  seconds: number;
  message: MessageRow | null;
  siblings: number[] | null;
  period: string | null;
  charged: number;
  held: number;
  version: number;
  is_premium: boolean;
  quota_override: number | null;
  is_temporary: boolean | null;
}

/** Stores the final state of the AI message that the CTE `ended` names by `message_id`, with the model that answered. */
const FINISH_MESSAGE = `update message m set content = :content, reasoning = :reasoning, parts = :partsJson::jsonb,
    status = :status, model_id = ended.model_id, context_tokens = :contextTokens::int, error = :errorJson::jsonb,
    notice = :notice, notices = :noticesJson::jsonb,
    search = ${searchVector(':searchText')}
  from ended where m.id = ended.message_id
  returning ${messageColumns('m')}`;

/** The ids of the newest versions at the position of the CTE `ended_message`, oldest first. `offset 0` keeps their index in use. */
const ENDED_SIBLINGS = `select json_agg(newest.id order by newest.id) from (
    select s.id from (select s.id from message s, ended_message e where s.parent_id = e.parent_id offset 0) s
    order by s.id desc limit ${LIMITS.versions}
  ) newest`;

/** The columns of `StoredEnd`, but the last one. They need the CTEs `ended`, `ended_message` and `settled`. */
const STORED_END = `ended.status, ended.error, ended.owner, ended.thread_id, ended.model_id, ended.api_key_id, ended.seconds,
  (select to_jsonb(ended_message) from ended_message) as message, (${ENDED_SIBLINGS}) as siblings,
  settled.period, settled.charged, settled.held, settled.version, settled.is_premium, settled.quota_override`;

/** Has one row once the user's row has counted the message: as everywhere, its row is locked before those of its keys. */
const AFTER_ACCOUNT = '(select count(*) from counted) after_account';

/**
 * Ends a generation in one statement: the compare-and-set on its status `streaming` or `waiting`, and all that changes with
 * it: message, thread, hold and chunks. A detached generation keeps its answer in its own row.
 *
 * The update of `usage_record` runs two triggers: `usage_record_budget` settles the budgets (`budgets/functions.sql`),
 * `usage_record_settled` queues the record for the rollup (`quota/functions.sql`).
 *
 * It returns no row when the generation is final already, and when a guest's account moved to another account between the
 * lock and the update: the caller then tries again.
 *
 * The functions at the end (`../store/functions.sql`) also see chunks and calls that were committed while the statement
 * waited for its locks. The calls become interrupted, or denied if the generation waited.
 */
export const storeEnd = statement<EndParameters>(`with locked_account as (
  ${lockAccounts('select owner, period from generation where id = :generationId::uuid')}
), ended as (
  update generation g set status = :status, model_id = coalesce(:modelId, g.model_id), suspension = null,
    error = :errorJson::jsonb, finished_at = now(),
    answer = case when g.message_id is null and :choicesJson::jsonb is not null then jsonb_build_object(
      'choices', :choicesJson::jsonb,
      'promptTokens', :promptTokens::int, 'completionTokens', :completionTokens::int,
      'cachedTokens', :cachedTokens::int, 'reasoningTokens', :reasoningTokens::int, 'model', coalesce(:modelId, g.model_id),
      'created', floor(extract(epoch from g.created_at))) end
  from locked_account where g.id = :generationId::uuid and g.status = :before and g.owner = locked_account.owner
  returning g.status, g.error, g.owner, g.thread_id, g.message_id, g.cost,
    g.cost / :heldChoices::int * :chargedChoices::int as charge, g.period, g.model_id, g.api_key_id,
    extract(epoch from g.finished_at - g.created_at)::float8 as seconds
), ended_message as (
  ${FINISH_MESSAGE}
), touched as (
  ${touchThread('ended_message')}
), ${SETTLE_QUOTA}, key_charged as (
  ${chargeKey({ keyId: 'ended.api_key_id', cost: 'ended.charge', from: `ended, settled, ${AFTER_ACCOUNT}`, charged: `:outcome = 'charged'` })}
)
select ${STORED_END}, (select is_temporary from touched) as is_temporary,
  delete_generation_chunks(:generationId::uuid) as deleted,
  end_tool_calls(:generationId::uuid, :before = 'waiting') as calls_ended
from ended left join settled on true`);

/** The end that was stored before, in the same columns; no row while the generation is not final, and for a deleted one. */
export const findEnd = statement<{ generationId: string }>(`with ended as (
  select status, error, owner, user_id, thread_id, message_id, period, model_id, api_key_id,
    extract(epoch from finished_at - created_at)::float8 as seconds
  from generation where id = :generationId::uuid and status not in ('streaming', 'waiting')
), ended_message as (
  select ${messageColumns('m')} from message m, ended where m.id = ended.message_id
), settled as (
  ${ACCOUNT_OF_ENDED}
)
select ${STORED_END}, ${isTemporary('ended.thread_id')} as is_temporary
from ended left join settled on true`);
