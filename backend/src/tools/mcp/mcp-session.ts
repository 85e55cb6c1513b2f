import {
  type CallToolResult,
  Client,
  type jsonSchemaValidator,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { ServerExchange } from './server-exchange.js';
import { serverFailure } from './server-failure.js';
import { ServerFetch } from './server-fetch.js';
import { type NamedDefinition, usableTools } from './tool-definitions.js';

/** Pages of one list of tools. */
const MAX_PAGES = 10;

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
      { capabilities: {}, jsonSchemaValidator: NO_VALIDATION, listMaxPages: MAX_PAGES },
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

  /** Lists the tools of the server. @throws ServerFailure; the reason of `signal` */
  async listTools(signal: AbortSignal): Promise<ToolList> {
    try {
      const exchange = new ServerExchange(signal);
      const { tools } = await exchange.run(() => this.client.listTools(undefined, { timeout: NO_TIMEOUT_MS }));
      return usableTools(tools);
    } catch (error) {
      signal.throwIfAborted();
      throw serverFailure(error);
    }
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
