import {
  type CallToolResult,
  Client,
  type jsonSchemaValidator,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { OutboundFailure } from '../outbound/outbound-failure.js';
import { MAX_REQUESTS, ServerExchange } from './server-exchange.js';
import { serverFailure } from './server-failure.js';
import { ServerFetch } from './server-fetch.js';
import { type ListedTool, type NamedDefinition, usableTools } from './tool-definitions.js';

/** Pages of one list of tools. */
const MAX_PAGES = 64;

/** Age at which the list of a session is read again before a call. */
const LIST_MAX_AGE_MS = 10 * 60_000;

/** A timeout of the MCP client that never decides: exchanges have their own. */
const NO_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/** A schema of a result comes from the server as the result does, so checking one against the other protects nothing. */
const NO_VALIDATION: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** Address and headers of a server. */
export interface ServerAccess {
  url: string;
  headers: Record<string, string>;
}

export interface ToolList {
  tools: NamedDefinition[];
  leftOut: number;
}

/** One MCP session with a server. */
export class McpSession {
  /** When the last list of tools was asked for, ms of `performance.now()`. */
  private listedAt = -Infinity;

  private constructor(
    private readonly client: Client,
    private readonly transport: StreamableHTTPClientTransport,
    private readonly connections: ServerFetch,
  ) {}

  /** Initialises a session, without support for sampling and elicitation. @throws ServerFailure */
  static async open({ url, headers }: ServerAccess, signal: AbortSignal): Promise<McpSession> {
    const address = new URL(url);
    const connections = new ServerFetch(address);
    const transport = new StreamableHTTPClientTransport(address, {
      fetch: connections.fetch,
      requestInit: { headers },
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
      },
    });
    const client = new Client(
      { name: 'tanya', version: '1' },
      { capabilities: {}, jsonSchemaValidator: NO_VALIDATION },
    );
    try {
      await new ServerExchange(signal).run(() => client.connect(transport, { timeout: NO_TIMEOUT_MS }));
    } catch (error) {
      await connections.close();
      signal.throwIfAborted();
      throw serverFailure(error);
    }
    return new McpSession(client, transport, connections);
  }

  /** Whether the tools of the server may have changed since they were listed. */
  get isListOld(): boolean {
    return performance.now() - this.listedAt > LIST_MAX_AGE_MS;
  }

  /**
   * Lists the tools of the server. A list with too many pages, or whose pages repeat, is cut: its unread rest counts as
   * one tool that is left out.
   * @throws ServerFailure; the reason of `signal`
   */
  async listTools(signal: AbortSignal): Promise<ToolList> {
    this.listedAt = performance.now();
    try {
      const exchange = new ServerExchange(signal, MAX_PAGES + MAX_REQUESTS);
      const { listed, isCut } = await exchange.run(() => this.readPages());
      const { tools, leftOut } = usableTools(listed);
      return { tools, leftOut: isCut ? leftOut + 1 : leftOut };
    } catch (error) {
      signal.throwIfAborted();
      throw serverFailure(error);
    }
  }

  /** @throws OutboundFailure for a list that does not end and has no tool */
  private async readPages(): Promise<{ listed: ListedTool[]; isCut: boolean }> {
    const listed: ListedTool[] = [];
    if (this.client.getServerCapabilities()?.tools === undefined) return { listed, isCut: false };
    const cursors = new Set<string>();
    let cursor: string | undefined;
    do {
      const params = cursor === undefined ? {} : { cursor };
      const page = await this.client.request({ method: 'tools/list', params }, { timeout: NO_TIMEOUT_MS });
      listed.push(...page.tools);
      cursor = page.nextCursor;
      if (cursor === undefined) return { listed, isCut: false };
      if (cursors.has(cursor)) break;
      cursors.add(cursor);
    } while (cursors.size < MAX_PAGES);
    if (listed.length === 0) throw new OutboundFailure('invalid_answer');
    return { listed, isCut: true };
  }

  /**
   * Calls a tool.
   * @returns null when the server no longer has the session: the call has not run
   * @throws ProtocolError for an error of the tool, ServerFailure, the reason of `signal`
   */
  async call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult | null> {
    const exchange = new ServerExchange(signal);
    const call = () => this.client.callTool({ name, arguments: args }, { timeout: NO_TIMEOUT_MS, signal });
    try {
      return await exchange.run(call);
    } catch (error) {
      if (exchange.isSessionLost) return null;
      throw error;
    }
  }

  /** Ends the session on the server and closes its connections. Never throws. */
  async close(): Promise<void> {
    await this.transport.terminateSession().catch(() => undefined);
    await this.client.close().catch(() => undefined);
    await this.connections.close();
  }
}
