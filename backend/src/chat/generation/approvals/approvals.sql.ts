// Printed whole: backend/test/release/__snapshots__/statements.test.ts.snap
import { statement } from '../../../platform/database/named-parameters.js';
import { joinPossibleAccount, PLAN_COLUMNS } from '../../../users/user-sql.js';
import { CHANGE_PART, CONTINUE_MESSAGE, SUSPEND_MESSAGE, touchThread } from '../../messages/message-sql.js';

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
  ${SUSPEND_MESSAGE}
), touched as (
  ${touchThread('message_row')}
)
select id from suspended`);

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
${CHANGE_PART}`);

/** The node that received the last decision goes on with the answer. */
export const takeOverRun = statement<{ generationId: string; nodeId: string }>(`with continued as (
  update generation set status = 'streaming', node_id = :nodeId::uuid, waiting_since = null
  where id = :generationId::uuid and status = 'waiting' returning message_id
)
${CONTINUE_MESSAGE}`);

/** Generations that wait for approvals, with their waiting calls and the plan of their owner, in the order of their ids. */
export const findWaiting = statement<{ after: string; limit: number }>(`
select g.id, g.owner, g.model_id as "modelId", ${PLAN_COLUMNS},
  array(select c.tool from tool_call c where c.generation_id = g.id and c.state = 'waiting') as tools
from generation g ${joinPossibleAccount('g.user_id')}
where g.status = 'waiting' and g.id > :after::uuid order by g.id limit :limit::int`);
