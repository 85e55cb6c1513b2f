import type { ToolPart } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { Statements } from '../../../platform/database/statements.js';

/**
 * The share lock keeps the generation from ending until the calls are stored, so that its end interrupts them. A call
 * whose commit was not confirmed is stored again: it has not run. An approved call has a row. $1 generation, $2 call ids, $3 tools, $4 arguments.
 */
const BEGIN = `
insert into tool_call (generation_id, call_id, tool, arguments, state)
select running.id, c.call_id, c.tool, c.arguments::jsonb, 'running'
from (select id from generation where id = $1::uuid and status = 'streaming' for share) running,
  unnest($2::text[], $3::text[], $4::text[]) as c (call_id, tool, arguments)
on conflict (generation_id, call_id) do update set created_at = now(), state = 'running'
  where tool_call.state = 'running' or (tool_call.state = 'waiting' and tool_call.decision)
returning call_id`;

/** $1 generation, $2 call id, $3 state, $4 result. */
const FINISH = `
update tool_call set state = $3, result = $4, finished_at = now()
where generation_id = $1::uuid and call_id = $2 and state in ('running', 'waiting', $3)
returning call_id`;

/** The calls of tools in Postgres. */
@Injectable()
export class ToolCallStore {
  constructor(private readonly statements: Statements) {}

  /**
   * Commits calls before they run.
   * @returns false when another node has ended the generation: none of the calls may run
   */
  async begin(generationId: string, calls: readonly ToolPart[]): Promise<boolean> {
    const begun = await this.statements.run<{ call_id: string }>(BEGIN, [
      generationId,
      calls.map((call) => call.callId),
      calls.map((call) => call.tool),
      calls.map((call) => JSON.stringify(call.args ?? null)),
    ]);
    return begun.length === calls.length;
  }

  /** Stores the end of a call. @returns false when another node has ended the generation meanwhile */
  async finish(generationId: string, { callId, state, result, error }: ToolPart): Promise<boolean> {
    const ended = await this.statements.run(FINISH, [generationId, callId, state, result ?? error ?? null]);
    return ended.length === 1;
  }
}
