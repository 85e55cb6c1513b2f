// Printed whole: backend/test/release/__snapshots__/statements.test.ts.snap
import { statement } from '../../../platform/database/named-parameters.js';
import { joinPossibleAccount, PLAN_COLUMNS } from '../../../users/user-sql.js';
import { touchThread } from '../../messages/message-sql.js';

/** The compare-and-set `streaming → waiting` with the calls that wait, the message as it is now and the state of the run. */
export const suspendRun = statement<{
  generationId: string;
  nodeId: string;
  state: string;
  seq: number;
  callIds: string[];
  tools: string[];
  arguments: string[];
  content: string;
  reasoning: string | null;
  parts: string;
}>(`with suspended as (
  update generation set status = 'waiting', waiting_since = now(), suspension = :state, last_seq = :seq::int
  where id = :generationId::uuid and status = 'streaming' and node_id = :nodeId::uuid returning id, message_id
), calls as (
  insert into tool_call (generation_id, call_id, tool, arguments, state)
  select suspended.id, c.call_id, c.tool, c.arguments::jsonb, 'waiting'
  from suspended, unnest(:callIds::text[], :tools::text[], :arguments::text[]) as c (call_id, tool, arguments)
), message_row as (
  update message m set status = 'waiting', content = :content, reasoning = :reasoning,
    parts = :parts::jsonb
  from suspended where m.id = suspended.message_id returning m.thread_id
), touched as (
  ${touchThread('message_row')}
)
select is_temporary from touched`);

/** A call that waits, or whose decision is stored. */
export const findDecision = statement<{ generationId: string; callId: string }>(`select decision from tool_call
  where generation_id = :generationId::uuid and call_id = :callId and (decision is not null or state = 'waiting')`);

export const decideCall = statement<{ generationId: string; callId: string; isAllowed: boolean }>(`update tool_call
  set decision = :isAllowed, finished_at = case when :isAllowed then null else now() end,
    state = case when :isAllowed then state else 'denied' end
  where generation_id = :generationId::uuid and call_id = :callId and decision is null and state = 'waiting'`);

/** Stores the part of a decided call with its event's number, in the checkpoints and in the message. */
export const showDecision = statement<{
  generationId: string;
  messageId: number;
  seq: number;
  /** Index of the part in the message. */
  index: number;
  part: string;
}>(`with numbered as (
  update generation set last_seq = :seq::int where id = :generationId::uuid
), chunk as (
  insert into generation_chunk (generation_id, seq, text, reasoning, parts)
  values (:generationId::uuid, :seq::int, '', '', jsonb_build_array(jsonb_build_array(:index::int, :part::jsonb)))
)
update message set parts = jsonb_set(parts, array[:index::text], :part::jsonb)
  where id = :messageId::bigint`);

/** The node that received the last decision goes on with the answer. A new time: its reaper leaves the run the time to start. */
export const takeOverRun = statement<{ generationId: string; nodeId: string }>(`with continued as (
  update generation set status = 'streaming', node_id = :nodeId::uuid, waiting_since = now()
  where id = :generationId::uuid and status = 'waiting' returning message_id
)
update message m set status = 'streaming' from continued where m.id = continued.message_id`);

/**
 * Generations of some accounts, or of all for null, that wait for approvals, with their waiting calls and the plan of their
 * owner, in the order of their ids.
 */
export const findWaiting = statement<{ after: string; userIds: number[] | null; limit: number }>(`
select g.id, g.owner, g.model_id as "modelId", ${PLAN_COLUMNS},
  array(select c.tool from tool_call c where c.generation_id = g.id and c.state = 'waiting') as tools
from generation g ${joinPossibleAccount('g.user_id')}
where g.status = 'waiting' and g.id > :after::uuid
  and (:userIds::int[] is null or g.user_id = any(:userIds::int[])) order by g.id limit :limit::int`);
