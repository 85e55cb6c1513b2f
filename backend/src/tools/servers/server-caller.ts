import { ProtocolError } from '@modelcontextprotocol/client';
import { Inject, Injectable } from '@nestjs/common';
import { statement } from '../../platform/database/named-parameters.js';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { may, type ToolServerResource } from '../../access/may.js';
import type { Asker } from '../../identity/identity.js';
import { Statements } from '../../platform/database/statements.js';
import { isTimeout, withDeadline } from '../../platform/resilience/with-deadline.js';
import { cutText } from '../cut-text.js';
import { ToolRateLimits } from '../tool-rate-limits.js';
import type { PreparedCall, ToolContext, ToolResult } from '../tool.js';
import { callResult } from '../mcp/call-result.js';
import type { McpSession, ServerAccess } from '../mcp/mcp-session.js';
import { McpSessions, sessionKey, type UsableSession } from '../mcp/mcp-sessions.js';
import { ServerConnector } from './server-connector.js';
import { ServerFailure } from '../mcp/server-failure.js';
import { ServerHealth } from './server-health.js';
import { isFields } from '../../platform/json/fields.js';

export interface OfferedTool {
  serverId: number;
  tool: string;
  /** Of the definition that the model read. */
  hash: string;
}

interface AccessRow extends ToolServerResource {
  id: number;
  url: string;
  headersSealed: string | null;
  policy: 'allow' | 'ask';
}

const findUsable = statement<OfferedTool>(`
select s.id, s.url, s.headers_sealed as "headersSealed", s.plans, s.access, s.group_ids as "groupIds", t.policy
from server_tool t join tool_server s on s.id = t.server_id
where s.id = :serverId and t.name = :tool and t.accepted_hash = :hash and t.changed_hash is null and t.is_listed
  and t.policy <> 'deny'`);

const MAX_ERROR = 2 * 1024;

const failed = (text: string): ToolResult => ({ text, isError: true });
const UNAVAILABLE = failed('This tool is no longer available.');
const refusing =
  (result: ToolResult): PreparedCall =>
  async () =>
    result;

@Injectable()
export class ServerCaller {
  constructor(
    private readonly statements: Statements,
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly connector: ServerConnector,
    private readonly sessions: McpSessions,
    private readonly health: ServerHealth,
    private readonly limits: ToolRateLimits,
  ) {}

  /**
   * Checks whether the asker may use the tool now. The server gets the arguments as the user has approved them, null
   * values included, and validates them itself: its schema could hold an expression that takes forever to match.
   * @returns runs the call; throws the reason of the signal when it aborts
   * @throws AppError `rate_limited`
   */
  async prepare(offered: OfferedTool, given: unknown, context: ToolContext): Promise<PreparedCall> {
    const args = given ?? {};
    if (!isFields(args)) return refusing(failed('The arguments must be a JSON object.'));
    const { asker } = context;
    const [row] = await Promise.all([this.usable(offered, asker), this.limits.consume('tool_server', asker)]);
    if (row === null) return refusing(UNAVAILABLE);
    if (row.policy === 'ask' && !context.isApproved) return refusing(failed('The user has not approved this call.'));
    return (signal) => this.run(offered, row, args, asker, signal);
  }

  private async run(
    offered: OfferedTool,
    row: AccessRow,
    args: Record<string, unknown>,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    try {
      const access = this.connector.accessOf(row);
      const result = await withDeadline(this.timings.toolCall, signal, (limit) =>
        this.exchange(offered, access, args, asker, limit),
      );
      await this.health.record(offered.serverId, null);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProtocolError) return failed(cutText(`The tool answered: ${error.message}`, MAX_ERROR));
      const failure = isTimeout(error) ? new ServerFailure('timeout') : error;
      if (!(failure instanceof ServerFailure)) throw error;
      await this.health.record(offered.serverId, failure);
      return failed(failure.message);
    }
  }

  /** Calls the tool in the user's session, or in a new one when the server has lost it or no longer lists its tools. */
  private async exchange(
    offered: OfferedTool,
    access: ServerAccess,
    args: Record<string, unknown>,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const key = sessionKey(offered.serverId, asker.owner);
    const open = () => this.connector.open(offered.serverId, access);
    for (let attempt = 1; attempt <= 2; attempt++) {
      const result = await this.sessions.use(key, access, open, signal, (usable) =>
        this.callIn(usable, offered, args, asker, signal),
      );
      if (result !== null) return result;
    }
    throw new ServerFailure('not_found');
  }

  /**
   * A session whose server failed or did not answer in time is not used again; after a Stop it is.
   * @returns null when the session is lost: the call has not run
   */
  private async callIn(
    { session, isNew, discard }: UsableSession,
    offered: OfferedTool,
    args: Record<string, unknown>,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<ToolResult | null> {
    try {
      const isListOld = !isNew && session.isListOld;
      if (isListOld && !(await this.isListed(session, offered.serverId, signal))) {
        discard();
        return null;
      }
      // The session has listed the tools, and this one may have changed.
      if ((isNew || isListOld) && (await this.usable(offered, asker)) === null) return UNAVAILABLE;
      const result = await session.call(offered.tool, args, signal);
      if (result !== null) return callResult(result);
      discard();
      return null;
    } catch (error) {
      if (error instanceof ServerFailure || isTimeout(error)) discard();
      throw error;
    }
  }

  /** Lists the tools again. @returns false when the server fails to do so */
  private async isListed(session: McpSession, serverId: number, signal: AbortSignal): Promise<boolean> {
    try {
      await this.connector.list(serverId, session, signal);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ServerFailure) return false;
      throw error;
    }
  }

  private async usable(offered: OfferedTool, asker: Asker): Promise<AccessRow | null> {
    const [row] = await this.statements.run<AccessRow>(...findUsable(offered));
    return row !== undefined && may(asker, { toolServer: row }) ? row : null;
  }
}
