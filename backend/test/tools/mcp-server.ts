import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServers } from './local-servers.js';

interface Rpc {
  id?: number;
  method: string;
  params?: { name?: string; arguments?: unknown };
}

export interface RecordedRequest {
  httpMethod: string;
  method: string | null;
  sessionId: string | null;
  headers: IncomingMessage['headers'];
  params: Rpc['params'];
}

/** Takes over the response to a request. */
type Hijack = (response: ServerResponse, rpc: Rpc, request: IncomingMessage) => void | Promise<void>;

export interface McpTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: unknown;
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

export const sendJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

export const resultOf = (rpc: Rpc, result: unknown) => ({ jsonrpc: '2.0', id: rpc.id, result });

/** A scripted MCP server over Streamable HTTP. */
export class McpServer {
  readonly requests: RecordedRequest[] = [];
  readonly sessions = new Set<string>();
  tools: McpTool[] = [{ name: 'lookup', description: 'Looks up a word.' }];
  /** The list of tools exactly as it is sent; null for that of `tools`. */
  list: unknown[] | null = null;
  /** Responses by method, or by HTTP method; without an entry the server behaves. */
  readonly hijacks = new Map<string, Hijack>();
  /** Content of the next results. */
  answer: (args: unknown) => unknown = (args) => ({
    content: [{ type: 'text', text: `answer to ${JSON.stringify(args)}` }],
  });
  url = '';
  private readonly servers = new LocalServers();

  async start(): Promise<this> {
    const port = await this.servers.serve((request, response) => void this.handle(request, response));
    this.url = `http://127.0.0.1:${port}/mcp`;
    return this;
  }

  close(): void {
    this.servers.close();
  }

  /** The requests of a method of the protocol. */
  of(method: string): RecordedRequest[] {
    return this.requests.filter((request) => request.method === method);
  }

  reset(): void {
    this.requests.length = 0;
    this.hijacks.clear();
    this.list = null;
    this.tools = [{ name: 'lookup', description: 'Looks up a word.' }];
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request).catch(() => '');
    const rpc = text === '' ? ({ method: '' } as Rpc) : (JSON.parse(text) as Rpc);
    const sessionId = (request.headers['mcp-session-id'] as string | undefined) ?? null;
    const { headers, method: httpMethod = '' } = request;
    this.requests.push({ httpMethod, method: rpc.method || null, sessionId, headers, params: rpc.params });
    const hijack = this.hijacks.get(rpc.method || httpMethod);
    if (hijack !== undefined) return void (await hijack(response, rpc, request));
    this.respond(response, rpc, httpMethod, sessionId);
  }

  respond(response: ServerResponse, rpc: Rpc, httpMethod: string, sessionId: string | null): void {
    if (httpMethod === 'DELETE') {
      this.sessions.delete(sessionId ?? '');
      response.writeHead(200).end();
    } else if (rpc.method === 'initialize') {
      const id = randomUUID();
      this.sessions.add(id);
      response.setHeader('mcp-session-id', id);
      const serverInfo = { name: 'scripted', version: '1' };
      sendJson(response, resultOf(rpc, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }));
    } else if (sessionId === null || !this.sessions.has(sessionId)) {
      sendJson(response, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }, 404);
    } else if (rpc.id === undefined) {
      response.writeHead(202).end();
    } else if (rpc.method === 'tools/list') {
      const tools = this.list ?? this.tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool }));
      sendJson(response, resultOf(rpc, { tools }));
    } else {
      sendJson(response, resultOf(rpc, this.answer(rpc.params?.arguments)));
    }
  }
}

/** Sends a response as a stream of server-sent events. */
export function sendEvents(response: ServerResponse, ...messages: unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const message of messages) response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}
