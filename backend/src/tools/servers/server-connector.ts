import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { withDeadline } from '../../platform/resilience/with-deadline.js';
import { SecretBox } from '../../platform/secrets/secret-box.js';
import { McpSession, type ServerAccess } from '../mcp/mcp-session.js';
import { openHeaders } from './server-access.js';
import type { ToolList } from '../mcp/tool-definitions.js';
import { ServerFailure } from '../mcp/server-failure.js';
import { ToolListStore } from './tool-list-store.js';
import type { ToolServerEntity } from './tool-server.entity.js';

type AccessRow = Pick<ToolServerEntity, 'id' | 'url' | 'headersSealed'>;

/** Opens sessions with MCP servers and stores the tools that these list. */
@Injectable()
export class ServerConnector {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly secrets: SecretBox,
    private readonly lists: ToolListStore,
  ) {}

  /** @throws ServerFailure for headers that cannot be read */
  accessOf(row: AccessRow): ServerAccess {
    const headers = openHeaders(row, this.secrets);
    if (headers === null) throw new ServerFailure('not_configured');
    return { url: row.url, headers };
  }

  /**
   * Opens a session and stores the server's list of tools, so that a changed tool does not run.
   * @param mayListNone whether a server with tools may list none
   * @throws ServerFailure
   */
  async open(serverId: number, access: ServerAccess, mayListNone = false): Promise<McpSession> {
    const { signal } = new AbortController();
    return withDeadline(this.timings.toolCall, signal, (limit) =>
      this.openWithin(serverId, access, limit, mayListNone),
    );
  }

  /** The tools that a server lists, which are not stored. @throws ServerFailure */
  async test(access: ServerAccess): Promise<ToolList> {
    const { signal } = new AbortController();
    return withDeadline(this.timings.connectionTest, signal, async (limit) => {
      try {
        const session = await McpSession.open(access, limit);
        return await session.listTools(limit).finally(() => void session.close());
      } catch (error) {
        throw limit.aborted ? new ServerFailure('timeout') : error;
      }
    });
  }

  /** Stores the tools that the server lists now. @throws ServerFailure; the reason of `signal` */
  async list(serverId: number, session: McpSession, signal: AbortSignal, mayListNone = false): Promise<void> {
    const askedAt = performance.now();
    await this.lists.store(serverId, await session.listTools(signal), mayListNone);
    // Not before: until then, calls know nothing of a tool that has changed.
    session.listedAt = askedAt;
  }

  private async openWithin(
    serverId: number,
    access: ServerAccess,
    limit: AbortSignal,
    mayListNone: boolean,
  ): Promise<McpSession> {
    try {
      const session = await McpSession.open(access, limit);
      try {
        await this.list(serverId, session, limit, mayListNone);
        return session;
      } catch (error) {
        void session.close();
        throw error;
      }
    } catch (error) {
      throw limit.aborted ? new ServerFailure('timeout') : error;
    }
  }
}
