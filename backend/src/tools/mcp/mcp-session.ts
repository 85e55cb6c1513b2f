import {
  Client,
  type ClientOptions,
  type JSONRPCMessage,
  ProtocolError,
  StreamableHTTPClientTransport,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/client';
import { OutboundFailure } from '../outbound/outbound-failure.js';
import { inSlices } from '../../platform/system/slices.js';
import { MAX_RESULT_BYTES } from '../cut-text.js';
import type { ServerResult } from './call-result.js';
import { type ExchangeBounds, ServerExchange } from './server-exchange.js';
import { isLostError, ServerFailure, serverFailure } from './server-failure.js';
import { ServerFetch } from './server-fetch.js';
import { MAX_SCHEMA, type ToolList, usableTools } from './tool-definitions.js';

const MAX_PAGES = 64;

/** Code of JSON-RPC. */
const METHOD_NOT_FOUND = -32601;

/** Age at which the list of a session is read again before a call. */
const LIST_MAX_AGE_MS = 10 * 60_000;

/** A timeout of the MCP client that never decides: exchanges have their own. */
const NO_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/** 128 tools with definitions of the largest size. A larger schema is cut, and still too large then. */
const LIST_BOUNDS: ExchangeBounds = {
  bytes: 16 * 1024 * 1024,
  keptBytes: 4 * 1024 * 1024,
  trim: { depth: 48, level: 4, bytes: 2 * MAX_SCHEMA },
  json: { values: 100_000, depth: 64 },
  requests: MAX_PAGES + 20,
};

/** A result with pictures, whose bytes are skipped, and with lists of which the beginning is kept. */
const CALL_BOUNDS: ExchangeBounds = {
  bytes: 8 * 1024 * 1024,
  keptBytes: 8 * 1024 * 1024,
  trim: { depth: 48, level: 2, bytes: 2 * MAX_RESULT_BYTES },
  json: { values: 200_000, depth: 64 },
  requests: 20,
};

/** How a session is opened. */
interface Way extends ClientOptions {
  /** As servers of 2024: see `SharedStream`. */
  hasTwoAddresses?: boolean;
}

/** The version of July 2026, which has no sessions. */
const STATELESS: Way = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

const TWO_ADDRESSES: Way = { hasTwoAddresses: true };

/** Whether a server that refuses the beginning of a session may be one without sessions. */
const mayBeStateless = ({ fault, status }: ServerFailure): boolean =>
  fault === 'not_found' || fault === 'invalid_answer' || status === 400 || status === 405 || status === 422;

/** Whether it may be one of 2024, whose stream takes no message. Some fail with 500 at a method that they do not know. */
const mayHaveTwoAddresses = (failure: ServerFailure): boolean =>
  mayBeStateless(failure) || (failure.status !== undefined && failure.status >= 400 && failure.status <= 501);

/** Servers name the versions that they have, as the protocol demands, in place of beginning a session in one of them. */
const VERSION = /\b20\d\d-\d\d-\d\d\b/g;

/** How a server that refuses the newest version is asked next: in an older one that it names, else in the other ways. */
function otherWays(failure: ServerFailure): Way[] {
  const older = SUPPORTED_PROTOCOL_VERSIONS.slice(1).find((version) => failure.versions.includes(version));
  if (older !== undefined) return [{ supportedProtocolVersions: [older, ...SUPPORTED_PROTOCOL_VERSIONS] }];
  const isStateless = mayBeStateless(failure);
  // Servers without sessions name their version, or say that the method is none.
  const ways =
    failure.status === 400 || failure.status === 422 ? [STATELESS, TWO_ADDRESSES] : [TWO_ADDRESSES, STATELESS];
  return ways.filter((way) => (way === STATELESS ? isStateless : mayHaveTwoAddresses(failure)));
}

/** Schema of any result: the client's own schemas refuse a whole list or result for one odd field. */
interface AnyResult<Result> {
  '~standard': {
    version: 1;
    vendor: string;
    validate: (value: unknown) => { value: Result };
    types?: { input: Result; output: Result };
  };
}

const anyResult = <Result>(): AnyResult<Result> => ({
  '~standard': { version: 1, vendor: 'tanya', validate: (value) => ({ value: unwrapped(value) as Result }) },
});

/** A result without tools and content, which the client's schemas of the version without sessions take. */
const EMPTY_RESULT = { resultType: 'complete', tools: [], content: [], ttlMs: 0, cacheScope: 'private' };

/** The field of an empty result that has the real one, past those schemas. A result that asks for input stays. */
const WRAPPED = 'tanya/result';

const unwrapped = (value: unknown): unknown => (value as Record<string, unknown>)[WRAPPED] ?? value;

const wrapped = (message: JSONRPCMessage): JSONRPCMessage =>
  'result' in message && (message.result['resultType'] ?? 'complete') === 'complete'
    ? { ...message, result: { ...EMPTY_RESULT, [WRAPPED]: message.result } }
    : message;

/** Whether a server has answered a request, if only by an error or by something else than asked for. */
const isAnswered = (error: unknown): boolean =>
  error instanceof ProtocolError
    ? !isLostError(error)
    : error instanceof OutboundFailure && error.fault === 'invalid_answer';

export interface ServerAccess {
  url: string;
  headers: Record<string, string>;
}

export class McpSession {
  /** When the last list that was stored was asked for, ms of `performance.now()`. */
  listedAt = -Infinity;

  private constructor(
    private readonly client: Client,
    private readonly transport: StreamableHTTPClientTransport,
    private readonly connections: ServerFetch,
  ) {}

  /**
   * Opens a session, without support for sampling and elicitation. A server that refuses to begin one in the newest version
   * is asked in another.
   * @throws ServerFailure
   */
  static async open(access: ServerAccess, signal: AbortSignal): Promise<McpSession> {
    try {
      return await McpSession.openAs(access, signal, {});
    } catch (error) {
      if (!(error instanceof ServerFailure)) throw error;
      for (const way of otherWays(error)) {
        const session = await McpSession.openAs(access, signal, way).catch(() => signal.throwIfAborted());
        if (session !== undefined) return session;
      }
      throw error;
    }
  }

  private static async openAs({ url, headers }: ServerAccess, signal: AbortSignal, way: Way): Promise<McpSession> {
    const { hasTwoAddresses, ...options } = way;
    const address = new URL(url);
    const connections = new ServerFetch(address, hasTwoAddresses);
    const transport = new StreamableHTTPClientTransport(address, {
      fetch: connections.fetch,
      requestInit: { headers },
      // The exchange bounds the resumptions.
      reconnectionOptions: {
        maxRetries: Infinity,
        initialReconnectionDelay: 500,
        maxReconnectionDelay: 5_000,
        reconnectionDelayGrowFactor: 2,
      },
      reconnectionScheduler: (reconnect, delay) => ServerExchange.current?.resume(delay, reconnect),
    });
    const client = new Client({ name: 'tanya', version: '1' }, { capabilities: {}, ...options });
    const exchange = new ServerExchange(signal);
    try {
      await exchange.run(() => client.connect(transport, { timeout: NO_TIMEOUT_MS }));
    } catch (error) {
      await connections.close();
      signal.throwIfAborted();
      const failure = serverFailure(error);
      const said = error instanceof ProtocolError ? error.message : exchange.refusal;
      failure.versions = said.match(VERSION) ?? [];
      throw failure;
    }
    const receive = transport.onmessage;
    if (way === STATELESS) transport.onmessage = (message, ...rest) => receive?.(wrapped(message), ...rest);
    return new McpSession(client, transport, connections);
  }

  /** Whether the tools of the server may have changed since they were listed. */
  get isListOld(): boolean {
    return performance.now() - this.listedAt > LIST_MAX_AGE_MS;
  }

  /**
   * Lists the tools of the server. A list with too many pages, or with one that it does not have, is cut: its unread rest
   * counts as one tool that is left out.
   * @throws ServerFailure; the reason of `signal`
   */
  async listTools(signal: AbortSignal): Promise<ToolList> {
    try {
      const { listed, isCut } = await new ServerExchange(signal, LIST_BOUNDS).run(() => this.readPages());
      const { tools, leftOut } = await usableTools(listed);
      return { tools, leftOut: isCut ? [...leftOut, { name: null, reason: 'unread_pages' }] : leftOut };
    } catch (error) {
      signal.throwIfAborted();
      // Servers forget to announce their tools, so those that announce none are asked too.
      const announcesNone = this.client.getServerCapabilities()?.tools === undefined;
      if (announcesNone && error instanceof ProtocolError && error.code === METHOD_NOT_FOUND)
        return { tools: [], leftOut: [] };
      throw serverFailure(error);
    }
  }

  /**
   * Reads the pages of the list. Some servers answer with an empty cursor, or with the first page again, at the end: a page
   * that adds nothing under a known cursor ends the list.
   * @throws OutboundFailure for an answer without a list, and for one that does not end and has no tool
   */
  private async readPages(): Promise<{ listed: unknown[]; isCut: boolean }> {
    const listed: unknown[] = [];
    const known = new Set<string>();
    const cursors = new Set<unknown>([undefined, null]);
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page++) {
      const read = await this.readPage(cursor).catch((error: unknown) => {
        // The server is there and has no such page: what it has listed before is its list.
        if (listed.length > 0 && isAnswered(error)) return null;
        throw error;
      });
      if (read === null) return { listed, isCut: true };
      const { tools, nextCursor } = read;
      const added: unknown[] = [];
      for await (const tool of inSlices(tools)) {
        const json = JSON.stringify(tool);
        if (!known.has(json)) added.push(tool);
        known.add(json);
      }
      // Two equal tools of one page are for `usableTools` to judge.
      if (page === 0 || added.length > 0) listed.push(...(page === 0 ? tools : added));
      if (nextCursor === undefined || nextCursor === null) return { listed, isCut: false };
      if (cursors.has(nextCursor) && added.length === 0) return { listed, isCut: false };
      cursors.add(nextCursor);
      cursor = nextCursor;
    }
    if (listed.length === 0) throw new OutboundFailure('invalid_answer');
    return { listed, isCut: true };
  }

  private async readPage(cursor: unknown): Promise<{ tools: unknown[]; nextCursor?: unknown }> {
    const params = cursor === undefined ? {} : { cursor };
    const schema = anyResult<{ tools?: unknown; nextCursor?: unknown }>();
    const page = await this.client.request({ method: 'tools/list', params }, schema, { timeout: NO_TIMEOUT_MS });
    if (!Array.isArray(page.tools)) throw new OutboundFailure('invalid_answer');
    return { tools: page.tools, nextCursor: page.nextCursor };
  }

  /**
   * Calls a tool.
   * @returns null when the server no longer has the session: the call has not run
   * @throws ProtocolError for an error of the tool, ServerFailure, the reason of `signal`
   */
  async call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ServerResult | null> {
    const exchange = new ServerExchange(signal, CALL_BOUNDS);
    const request = { method: 'tools/call', params: { name, arguments: args } };
    const call = () => this.client.request(request, anyResult<ServerResult>(), { timeout: NO_TIMEOUT_MS, signal });
    try {
      return await exchange.run(call);
    } catch (error) {
      if (exchange.isSessionLost || (error instanceof ProtocolError && isLostError(error))) return null;
      signal.throwIfAborted();
      throw error instanceof ProtocolError ? error : serverFailure(error);
    }
  }

  /** Ends the session on the server and closes its connections. Never throws. */
  async close(): Promise<void> {
    await this.transport.terminateSession().catch(() => undefined);
    await this.client.close().catch(() => undefined);
    await this.connections.close();
  }
}
