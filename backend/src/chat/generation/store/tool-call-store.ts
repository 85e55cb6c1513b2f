import type { ToolPart } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { Statements } from '../../../platform/database/statements.js';
import { insertChunk } from './generation-sql.js';
import { chunkParameters, type TextChunk } from './generation-store.js';

/**
 * A checkpoint of the answer and a change of its calls, in one commit. The share lock keeps the generation from ending
 * until both are stored, so that its end interrupts the calls. $1 generation, $2 to $5 the chunk; null stores none.
 */
const withCheckpoint = (change: string): string => `with running as (
  select id from generation where id = $1::uuid and status = 'streaming' for share
), chunk as (
  ${insertChunk({ from: 'running', seq: '$2', text: '$3', reasoning: '$4', parts: '$5' })}
), changed as (
  ${change}
)
select call_id from changed`;

/**
 * A call whose commit was not confirmed is stored again: it has not run. An approved call has a row. $6 call ids, $7 tools,
 * $8 arguments.
 */
const BEGIN = withCheckpoint(`insert into tool_call (generation_id, call_id, tool, arguments, state)
  select running.id, c.call_id, c.tool, c.arguments::jsonb, 'running'
  from running, unnest($6::text[], $7::text[], $8::text[]) as c (call_id, tool, arguments)
  on conflict (generation_id, call_id) do update set created_at = now(), state = 'running'
    where tool_call.state = 'running' or (tool_call.state = 'waiting' and tool_call.decision)
  returning call_id`);

/** $6 call id, $7 state, $8 result. */
const FINISH = withCheckpoint(`update tool_call set state = $7, result = $8, finished_at = now()
  from running where generation_id = running.id and call_id = $6 and state in ('running', 'waiting', $7)
  returning call_id`);

/** The calls of tools in Postgres. */
@Injectable()
export class ToolCallStore {
  constructor(private readonly statements: Statements) {}

  /**
   * Commits calls before they run.
   * @param chunk what the run has written since its last checkpoint
   * @returns false when another node has ended the generation: none of the calls may run
   */
  async begin(generationId: string, calls: readonly ToolPart[], chunk: TextChunk | null): Promise<boolean> {
    const begun = await this.statements.run<{ call_id: string }>(BEGIN, [
      generationId,
      ...chunkParameters(chunk),
      calls.map((call) => call.callId),
      calls.map((call) => call.tool),
      calls.map((call) => JSON.stringify(call.args ?? null)),
    ]);
    return begun.length === calls.length;
  }

  /** Stores the end of a call. @returns false when another node has ended the generation meanwhile */
  async finish(
    generationId: string,
    { callId, state, result, error }: ToolPart,
    chunk: TextChunk | null,
  ): Promise<boolean> {
    const ended = await this.statements.run(FINISH, [
      generationId,
      ...chunkParameters(chunk),
      ...[callId, state, result ?? error ?? null],
    ]);
    return ended.length === 1;
  }
}
