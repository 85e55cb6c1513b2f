import { chargeKey } from '../../../api-keys/api-key-sql.js';
import type { RecordedUsage } from '../../../quota/cost.js';
import { lockAccounts, settleQuota } from '../../../quota/quota-sql.js';
import { ENDED_SIBLINGS, finishMessage, touchThread } from '../../messages/message-sql.js';
import { accountOfGeneration, deleteChunks, endToolCalls } from '../store/generation-sql.js';

const USAGE = {
  promptTokens: '$16',
  completionTokens: '$17',
  cachedTokens: '$18',
  reasoningTokens: '$19',
  costUsd: '$20',
  costSource: '$21',
  answeringModel: '$22',
  firstTokenMs: '$23',
  totalMs: '$24',
} satisfies Record<keyof RecordedUsage, string>;

/** The parameters of `FINALIZE` from $16 to $24. */
export const usageParameters = (usage: RecordedUsage): unknown[] =>
  Object.keys(USAGE).map((name) => usage[name as keyof RecordedUsage]);

/**
 * The compare-and-set on the status `streaming` or `waiting` with everything that changes by it: the message, the
 * thread, the hold and the chunks, as one statement. It returns no row when the generation is final already, and when a guest's account moved
 * to another account between the lock and the update: the caller then tries again. A detached generation keeps its answer
 * in its own row. The account's columns are null when the hold was settled before.
 *
 * $1 generation, $2 status, $3 error, $4 content, $5 reasoning, $6 notice, $7 searchable text, $8 finish reason,
 * $9 prompt tokens, $10 completion tokens, $11 answer of a detached generation, $12 'charged' or 'released',
 * $13 codes of the notices, $14 parts, $15 further fields of the answer of a detached generation, from $16 on the usage
 * of the record in the order of `usageParameters`, $25 the status before.
 */
export const FINALIZE = `with locked as (
  ${lockAccounts(accountOfGeneration('$1'))}
), ended as (
  update generation g set status = $2, suspension = null, error = $3::jsonb, finished_at = now(),
    answer = case when g.message_id is null then jsonb_build_object('text', $11::text, 'finishReason', $8::text,
      'promptTokens', $9::int, 'completionTokens', $10::int, 'cachedTokens', ${USAGE.cachedTokens}::int,
      'reasoningTokens', ${USAGE.reasoningTokens}::int, 'created', floor(extract(epoch from g.created_at)))
      || coalesce($15::jsonb, '{}') end
  from locked where g.id = $1::uuid and g.status = $25 and g.owner = locked.owner
  returning g.owner, g.thread_id, g.message_id, g.cost, g.period, g.api_key_id,
    extract(epoch from g.finished_at - g.created_at)::float8 as seconds
), ended_message as (
  ${finishMessage({
    ...{ status: '$2', content: '$4', searchText: '$7', reasoning: '$5', parts: '$14' },
    ...{ error: '$3', notice: '$6', notices: '$13' },
  })}
), touched as (
  ${touchThread('ended_message')}
), ${settleQuota({ generationId: '$1', outcome: '$12', reason: '$2', usage: USAGE })}, key_charged as (
  ${chargeKey({ keyId: 'ended.api_key_id', cost: 'ended.cost', from: 'ended, settled', charged: `$12 = 'charged'` })}
)
select ended.owner, ended.thread_id, ended.seconds, (select to_jsonb(ended_message) from ended_message) as message,
  (${ENDED_SIBLINGS}) as siblings, settled.period, settled.charged, settled.held, settled.version, settled.is_premium,
  settled.quota_override,
  ${deleteChunks('$1')} as deleted, ${endToolCalls('$1', `$25 = 'waiting'`)} as calls_ended
from ended left join settled on true`;
