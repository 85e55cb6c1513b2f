// Printed whole: backend/test/release/__snapshots__/statements.test.ts.snap
import type { ToolPart } from '@tanya/contract';
import { statement } from '../../../platform/database/named-parameters.js';
import type { ChunkParameters } from './generation-store.js';

interface Checkpointed extends ChunkParameters {
  generationId: string;
}

/**
 * A checkpoint of the answer, unless `:seq` is null, and a change of its calls, in one commit. A chunk whose commit was not
 * confirmed is sent again under the same `:seq`. The share lock keeps the generation from ending
 * until both are stored, so that its end interrupts the calls.
 */
const withCheckpoint = <Change>(change: string) =>
  statement<Checkpointed & Change>(`with running as (
  select id from generation where id = :generationId::uuid and status = 'streaming' for share
), chunk as (
  insert into generation_chunk (generation_id, seq, text, reasoning, parts, is_whole)
  select running.id, :seq::int, :text::text, :reasoning::text, :parts::jsonb, :isWhole::boolean
  from running where :seq::int is not null
  on conflict do nothing
), changed as (
  ${change}
)
select call_id from changed`);

/** A call whose commit was not confirmed is stored again: it has not run. An approved call has a row. */
export const commitCalls = withCheckpoint<{
  callIds: string[];
  tools: string[];
  arguments: string[];
}>(`insert into tool_call (generation_id, call_id, tool, arguments, state)
  select running.id, c.call_id, c.tool, c.arguments::jsonb, 'running'
  from running, unnest(:callIds::text[], :tools::text[], :arguments::text[]) as c (call_id, tool, arguments)
  on conflict (generation_id, call_id) do update set created_at = now(), state = 'running'
    where tool_call.state = 'running' or (tool_call.state = 'waiting' and tool_call.decision)
  returning call_id`);

export const finishCall = withCheckpoint<{
  callId: string;
  state: ToolPart['state'];
  result: string | null;
}>(`update tool_call set state = :state, result = :result, finished_at = now()
  from running where generation_id = running.id and call_id = :callId and state in ('running', 'waiting', :state)
  returning call_id`);
