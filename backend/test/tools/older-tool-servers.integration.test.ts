import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ToolServer } from '@tanya/contract';
import { ToolRegistry } from '../../src/tools/tool-registry.js';
import type { CallableTool, ToolResult } from '../../src/tools/tool.js';
import { waitUntil } from '../harness/wait-until.js';
import { LocalServers } from './local-servers.js';
import { callTool, contextOf } from './tool-harness.js';
import { admin, failure, identity, PATH, server } from './tool-server-harness.js';

interface Rpc {
  id?: number;
  method: string;
  params?: { name?: string; arguments?: Record<string, string> };
}

/** A scripted server of 2024: a GET opens its stream, whose first event names the address for messages. */
class OlderServer {
  readonly methods: string[] = [];
  readonly streams = new Map<string, ServerResponse>();
  readonly posted: IncomingMessage[] = [];
  url = '';
  origin = '';
  /** The first event of a stream. */
  opening = (session: string) => `event: endpoint\ndata: /messages?session_id=${session}\n\n`;
  refusePost = (response: ServerResponse): void => void response.writeHead(405, { allow: 'GET' }).end();
  /** The events for an answer. */
  written = (message: unknown) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
  accept = (response: ServerResponse): void => void response.writeHead(202).end('Accepted');
  result = (rpc: Rpc): unknown => ({ content: [{ type: 'text', text: `found ${rpc.params?.arguments?.['word']}` }] });
  private readonly servers = new LocalServers();

  async start(): Promise<this> {
    this.origin = `http://127.0.0.1:${await this.servers.serve((...pair) => void this.handle(...pair))}`;
    this.url = `${this.origin}/sse`;
    return this;
  }

  close(): void {
    for (const stream of this.streams.values()) stream.end();
    this.servers.close();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.origin);
    if (url.pathname === '/sse' && request.method === 'GET') return this.openStream(response);
    if (url.pathname === '/sse') return this.refusePost(response);
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const stream = this.streams.get(url.searchParams.get('session_id') ?? '');
    if (stream === undefined) return void response.writeHead(404).end('Could not find session');
    const rpc = JSON.parse(text) as Rpc;
    this.methods.push(rpc.method);
    this.posted.push(request);
    this.accept(response);
    if (rpc.id !== undefined) stream.write(this.written(this.answer(rpc)));
  }

  openStream(response: ServerResponse): void {
    const session = randomUUID();
    this.streams.set(session, response);
    response.on('close', () => this.streams.delete(session));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(this.opening(session));
  }

  private answer(rpc: Rpc): unknown {
    const message = { jsonrpc: '2.0', id: rpc.id };
    if (rpc.method === 'initialize') {
      const serverInfo = { name: 'older', version: '1' };
      return { ...message, result: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo } };
    }
    if (rpc.method === 'tools/list') {
      const tool = { name: 'find', description: 'Finds.', inputSchema: { type: 'object' } };
      return { ...message, result: { tools: [tool, { name: 7 }] } };
    }
    return { ...message, result: this.result(rpc) };
  }
}

let older: OlderServer;
let registered: ToolServer | null = null;

beforeEach(async () => {
  older = await new OlderServer().start();
});

afterEach(async () => {
  if (registered !== null) await admin.delete(`${PATH}/${registered.id}`);
  registered = null;
  older.close();
});

async function register(url = older.url): Promise<ToolServer> {
  registered = (await admin.post<ToolServer>(PATH, { name: 'Older', url })).body;
  return registered;
}

async function find(word: string): Promise<ToolResult> {
  const [tool] = await server.app.get(ToolRegistry).offered(identity, ['older_find']);
  return callTool(tool as CallableTool, { word }, contextOf({ asker: identity, isApproved: true }));
}

describe('a server of 2024, of one stream and an address for messages', () => {
  it('is found out by its refusal, listed and called, entry by entry', async () => {
    const { lastError, tools, leftOutTools } = await register();
    expect(lastError).toBeNull();
    expect(tools.map(({ name }) => name)).toEqual(['find']);
    expect(leftOutTools).toHaveLength(1);
    expect(await find('a')).toEqual({ text: 'found a' });
    expect(await find('b')).toEqual({ text: 'found b' });
    expect(older.methods.filter((method) => method === 'tools/call')).toHaveLength(2);
    // One session for both calls, and none is left of the list.
    expect(older.methods.filter((method) => method === 'initialize')).toHaveLength(2);
    await waitUntil('one stream', () => older.streams.size === 1);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    [
      '404 with a page',
      (response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Cannot POST'),
    ],
    ['400 in words', (response) => void response.writeHead(400).end('Missing sessionId parameter')],
    ['406', (response) => void response.writeHead(406).end()],
    ['415', (response) => void response.writeHead(415).end()],
    ['500', (response) => void response.writeHead(500).end('boom')],
    ['501', (response) => void response.writeHead(501).end()],
    ['the stream itself', (response) => older.openStream(response)],
    [
      'the stream itself, after a comment',
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write(': hi\n\nevent: endpoint\ndata: /m\n\n'),
    ],
  ])('may answer a message to its stream with %s', async (_, refuse) => {
    older.refusePost = refuse;
    expect((await register()).lastError).toBeNull();
    expect(await find('a')).toEqual({ text: 'found a' });
  });

  it.each<[string, (session: string) => string]>([
    ['whole', (session) => `event: endpoint\ndata: ${older.origin}/messages?session_id=${session}\n\n`],
    [
      'of another scheme',
      (session) => `event: endpoint\ndata: https://${older.origin.slice(7)}/messages?session_id=${session}\n\n`,
    ],
    ['of a name inside', (session) => `event: endpoint\ndata: http://app:8000/messages?session_id=${session}\n\n`],
    ['with two slashes', (session) => `event: endpoint\ndata: ${older.origin}//messages?session_id=${session}\n\n`],
    ['relative', (session) => `event:endpoint\ndata:messages?session_id=${session}\n\n`],
    ['without a name', (session) => `data: /messages?session_id=${session}\n\n`],
    ['with a mark and CRLF', (session) => `\uFEFFevent: endpoint\r\ndata: /messages?session_id=${session}\r\n\r\n`],
    [
      'behind comments and an id',
      (session) => `: ok\n\nid: 1\nevent: endpoint\ndata: /messages?session_id=${session}\n\n`,
    ],
    ['before a ping', (session) => `event: endpoint\ndata: /messages?session_id=${session}\n\n: ping\n\n: pi`],
  ])('names its address %s', async (_, opening) => {
    older.opening = opening;
    expect((await register()).lastError).toBeNull();
    expect(await find('a')).toEqual({ text: 'found a' });
    expect(older.posted.every(({ headers }) => headers.host === older.origin.slice(7))).toBe(true);
  });

  it.each<[string, (message: unknown) => string]>([
    ['with ids of events', (message) => `id: 9\nevent: message\ndata: ${JSON.stringify(message)}\n\n`],
    ['in CRLF after comments', (message) => `: ping\r\n\r\ndata: ${JSON.stringify(message)}\r\n\r\n`],
    ['in several lines', (message) => `${JSON.stringify(message, null, 1).replace(/^/gm, 'data: ')}\n\n`],
    [
      'after an error that is of no call',
      (message) => `data: {"jsonrpc":"2.0","id":null,"error":{"code":-1}}\n\ndata: ${JSON.stringify(message)}\n\n`,
    ],
    ['without the line that ends an event', (message) => `data: ${JSON.stringify(message)}\n`],
  ])('writes its messages %s', async (_, written) => {
    older.written = written;
    expect((await register()).lastError).toBeNull();
    expect(await find('a')).toEqual({ text: 'found a' });
  });

  it('accepts messages with a page', async () => {
    older.accept = (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Accepted</p>');
    expect((await register()).lastError).toBeNull();
    expect(await find('a')).toEqual({ text: 'found a' });
  });

  it('answers calls at once, each with its own', async () => {
    await register();
    const words = ['a', 'b', 'c', 'd', 'e'];
    expect(await Promise.all(words.map(find))).toEqual(words.map((word) => ({ text: `found ${word}` })));
  });

  it('gets a new session after it has ended the stream, and the call runs once', async () => {
    await register();
    await find('a');
    for (const stream of older.streams.values()) stream.end();
    await waitUntil('the end of the stream', () => older.streams.size === 0);
    expect(await find('b')).toEqual({ text: 'found b' });
    expect(older.methods.filter((method) => method === 'tools/call')).toHaveLength(2);
  });

  it.each([404, 400])('gets a new session when it answers a message with %i', async (status) => {
    await register();
    await find('a');
    const { accept } = older;
    older.accept = (response) => {
      older.accept = accept;
      response.writeHead(status).end('No transport found for sessionId');
    };
    older.result = () => ({ content: [{ type: 'text', text: 'once more' }] });
    expect(await find('b')).toEqual({ text: 'once more' });
  });

  it('fails a call during which the stream ends, and does not repeat it', async () => {
    await register();
    older.written = (message) => {
      if (!JSON.stringify(message).includes('found x')) return `data: ${JSON.stringify(message)}\n\n`;
      for (const stream of older.streams.values()) stream.destroy();
      return '';
    };
    expect(await find('x')).toEqual(failure(/connection|lost/));
    expect(older.methods.filter((method) => method === 'tools/call')).toHaveLength(1);
    expect(await find('y')).toEqual({ text: 'found y' });
  });

  it('loses a call that is too large alone', async () => {
    await register();
    older.result = (rpc) =>
      rpc.params?.arguments?.['word'] === 'much'
        ? { content: Array.from({ length: 9_000 }, () => ({ type: 'text', text: 'x'.repeat(1_000) })) }
        : { content: [{ type: 'text', text: 'well' }] };
    expect(await find('much')).toEqual(failure(/too large/));
    expect(await find('a')).toEqual({ text: 'well' });
  });

  it('answers with an error of the tool', async () => {
    await register();
    older.written = (message) => {
      const { id, result } = message as { id: number; result: { content?: unknown } };
      const sent =
        result.content === undefined ? message : { jsonrpc: '2.0', id, error: { code: -32602, message: 'no word' } };
      return `data: ${JSON.stringify(sent)}\n\n`;
    };
    expect(await find('a')).toEqual(failure(/no word/));
  });
});

describe('a server that is none of 2024', () => {
  it.each<[string, (session: string) => string]>([
    ['names no address', () => ': hello\n\n'],
    ['has other events', () => 'event: message\ndata: {"jsonrpc":"2.0","method":"x"}\n\n'],
    ['never ends its first event', () => `data: ${'x'.repeat(100_000)}`],
  ])('%s, and its first refusal is shown', async (_, opening) => {
    older.opening = opening;
    older.refusePost = (response) => void response.writeHead(404).end();
    const { lastError } = await register();
    expect(lastError?.message).toContain('404');
    expect(older.methods).toEqual([]);
    await waitUntil('the end of the streams', () => older.streams.size === 0);
  });
});
