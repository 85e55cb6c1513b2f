import type { ServerResponse } from 'node:http';
import { brotliCompressSync, createBrotliCompress, createDeflate, createGzip, deflateSync, gzipSync } from 'node:zlib';
import type { ToolServer } from '@tanya/contract';
import { ToolRegistry } from '../../src/tools/tool-registry.js';
import type { Tool, ToolContext } from '../../src/tools/tool.js';
import type { HttpClient } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { statementsOf } from '../harness/statements.js';
import { waitUntil } from '../harness/wait-until.js';
import { LocalServers } from './local-servers.js';
import { McpServer, resultOf, sendEvents, sendJson } from './mcp-server.js';
import { contextOf, identityOf } from './tool-harness.js';

const PATH = '/api/admin/tool-servers';
const identity = identityOf({ owner: 'user:1', userId: 1 });

let server: TestApp;
let admin: HttpClient;
let mcp: McpServer;
let registered: ToolServer;
let tool: Tool;

const toolOf = async (name: string) => (await server.app.get(ToolRegistry).offered(identity, [name]))[0]!;
const shown = async () => (await admin.get<ToolServer>(`${PATH}/${registered.id}`)).body;
const call = (args: unknown = {}, context: Partial<ToolContext> = {}) =>
  tool.run(args, contextOf({ identity, isApproved: true, ...context }));
const failure = (text: RegExp) => ({ isError: true, text: expect.stringMatching(text) });

beforeAll(async () => {
  server = await startTestApp({ timings: { toolCall: 3_000 } });
  admin = await server.admin();
});

afterAll(() => server.close());

beforeEach(async () => {
  mcp = await new McpServer().start();
  registered = (await admin.post<ToolServer>(PATH, { name: 'Docs', url: mcp.url })).body;
  tool = await toolOf('docs_lookup');
  mcp.requests.length = 0;
});

afterEach(async () => {
  await admin.delete(`${PATH}/${registered.id}`);
  mcp.close();
});

describe('a call of an MCP tool', () => {
  it('uses one session for all calls of a user, and another one for another user', async () => {
    expect(await call({ word: 'a' })).toEqual({ text: 'answer to {"word":"a"}' });
    await Promise.all([call({ word: 'b' }), call({ word: 'c' })]);
    expect(mcp.of('initialize')).toHaveLength(1);
    expect(new Set(mcp.of('tools/call').map(({ sessionId }) => sessionId)).size).toBe(1);
    await call({}, { identity: identityOf({ owner: 'user:2', userId: 2 }) });
    expect(mcp.of('initialize')).toHaveLength(2);
    expect(mcp.of('tools/call').map(({ params }) => params?.name)).toEqual(Array(4).fill('lookup'));
  });

  it('opens one session for concurrent first calls', async () => {
    await Promise.all([call(), call(), call()]);
    expect(mcp.of('initialize')).toHaveLength(1);
  });

  it('is repeated in a new session after a 404 for the session', async () => {
    await call();
    mcp.sessions.clear();
    expect(await call({ word: 'again' })).toEqual({ text: 'answer to {"word":"again"}' });
    expect([mcp.of('initialize').length, mcp.of('tools/call').length]).toEqual([2, 3]);
  });

  it.each([
    ['status 500', (response: ServerResponse) => void response.writeHead(500).end('broken'), /status 500/],
    ['status 404 in every session', (response: ServerResponse) => void response.writeHead(404).end(), /status 404/],
    ['a closed connection', (response: ServerResponse) => void response.destroy(), /was lost/],
    ['no response', () => undefined, /did not answer in time/],
    [
      'a web page',
      (response: ServerResponse) => void response.setHeader('content-type', 'text/html').end('<p>'),
      /web page/,
    ],
    [
      'text that is not JSON',
      (response: ServerResponse) => void response.setHeader('content-type', 'application/json').end('{'),
      /cannot be read/,
    ],
    ['JSON of another form', (response: ServerResponse) => void sendJson(response, { hello: 1 }), /cannot be read/],
    ['no content', (response: ServerResponse) => void response.writeHead(204).end(), /cannot be read|was lost/],
    ['a stream that ends early', (response: ServerResponse) => void (sendEvents(response), response.end()), /was lost/],
    [
      'a stream that breaks off',
      (response: ServerResponse) => void (sendEvents(response), setTimeout(() => response.destroy(), 50)),
      /was lost|cannot be read/,
    ],
    ['a stream without an end', (response: ServerResponse) => void sendEvents(response), /did not answer in time/],
  ])('fails with a typed result after %s, without a repetition', async (name, hijack, text) => {
    mcp.hijacks.set('tools/call', hijack);
    expect(await call()).toEqual(failure(text));
    expect(mcp.of('tools/call')).toHaveLength(name.includes('every session') ? 2 : 1);
    await waitUntil('the recorded failure', async () => (await shown()).lastError !== null);
    mcp.hijacks.clear();
    expect(await call()).toEqual({ text: 'answer to {}' });
  });

  it.each([
    ['as JSON', (response: ServerResponse) => void response.setHeader('content-type', 'application/json')],
    ['as a stream', (response: ServerResponse) => void response.setHeader('content-type', 'text/event-stream')],
    [
      'as an error',
      (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/event-stream' }),
    ],
  ])('stops reading a body of 10 MB %s at 1 MB (TOOL-6)', async (_, begin) => {
    let sent = 0;
    mcp.hijacks.set('tools/call', (response) => {
      begin(response);
      response.on('error', () => undefined);
      const write = () => {
        while (sent < 10 * 1024 * 1024 && !response.destroyed) {
          sent += 65_536;
          if (!response.write(`data: ${'x'.repeat(65_530)}`)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    expect(await call()).toEqual(failure(/more than 1 MB/));
    expect(sent).toBeLessThan(10 * 1024 * 1024);
  });

  describe.each([
    ['gzip', gzipSync, createGzip],
    ['deflate', deflateSync, createDeflate],
    ['br', brotliCompressSync, createBrotliCompress],
  ])('of a server that compresses with %s, which was not asked for', (encoding, compress, stream) => {
    const begin = (response: ServerResponse, type: string) =>
      void response.writeHead(200, { 'content-type': type, 'content-encoding': encoding });

    it('reads a response of JSON', async () => {
      mcp.hijacks.set('tools/call', (response, rpc) => {
        begin(response, 'application/json');
        response.end(compress(JSON.stringify(resultOf(rpc, mcp.answer({ word: 'small' })))));
      });
      expect(await call()).toEqual({ text: 'answer to {"word":"small"}' });
    });

    it('reads the events of a stream that stays open', async () => {
      mcp.hijacks.set('tools/call', (response, rpc) => {
        begin(response, 'text/event-stream');
        const events = stream();
        events.pipe(response);
        events.write(`event: message\ndata: ${JSON.stringify(resultOf(rpc, mcp.answer({ word: 'live' })))}\n\n`);
        events.flush();
      });
      expect(await call()).toEqual({ text: 'answer to {"word":"live"}' });
    });

    it.each(['application/json', 'text/event-stream'])('stops a bomb as %s at 1 MB (TOOL-6)', async (type) => {
      mcp.hijacks.set('tools/call', (response) => {
        begin(response, type);
        response.end(compress(Buffer.alloc(8 * 1024 * 1024)));
      });
      expect(await call()).toEqual(failure(/more than 1 MB/));
      expect(mcp.of('tools/call')).toHaveLength(1);
    });

    it('fails with a typed result after bytes that are not compressed', async () => {
      mcp.hijacks.set('tools/call', (response) => {
        begin(response, 'application/json');
        response.end('{"jsonrpc":"2.0"}');
      });
      expect(await call()).toEqual(failure(/cannot be read/));
    });
  });

  it.each(['zstd', 'gzip, gzip', 'constructor'])(
    'fails with a typed result after the encoding %s',
    async (encoding) => {
      mcp.hijacks.set('tools/call', (response, rpc) => {
        response.setHeader('content-encoding', encoding);
        sendJson(response, resultOf(rpc, mcp.answer({})));
      });
      expect(await call()).toEqual(failure(/cannot be read/));
    },
  );

  it('does not follow a redirect', async () => {
    const others = new LocalServers();
    let reached = 0;
    const port = await others.serve((_, response) => void ((reached += 1), response.end()));
    mcp.hijacks.set('tools/call', (response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${port}/mcp` }).end();
    });
    expect(await call()).toEqual(failure(/redirect/));
    mcp.hijacks.set('tools/call', (response) => void response.writeHead(307, { location: '/mcp' }).end());
    expect(await call()).toEqual(failure(/redirect/));
    expect([reached, mcp.of('tools/call').length]).toEqual([0, 2]);
    others.close();
  });

  it('is cancelled by its signal, also on the server', async () => {
    mcp.hijacks.set('tools/call', () => undefined);
    const stop = new AbortController();
    const result = call({}, { signal: stop.signal });
    await waitUntil('the call', () => mcp.of('tools/call').length === 1);
    stop.abort(new Error('stopped'));
    await expect(result).rejects.toThrow('stopped');
    await waitUntil('the cancellation', () => mcp.of('notifications/cancelled').length === 1);
  });

  it('reads a result from a stream that stays open, and ignores requests of the server', async () => {
    mcp.hijacks.set('tools/call', (response, rpc) => {
      const sampling = {
        jsonrpc: '2.0',
        id: 99,
        method: 'sampling/createMessage',
        params: { messages: [], maxTokens: 9 },
      };
      sendEvents(response, sampling, resultOf(rpc, { content: [{ type: 'text', text: 'streamed' }] }));
    });
    expect(await call()).toEqual({ text: 'streamed' });
  });

  it('ends a server that floods it with requests', async () => {
    mcp.hijacks.set('tools/call', (response) => {
      sendEvents(response, ...Array.from({ length: 500 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })));
    });
    expect(await call()).toEqual(failure(/cannot be read/));
    expect(mcp.requests.length).toBeLessThan(60);
  });

  it.each([
    [
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { text: 'a\n\nb' },
    ],
    [
      { content: [{ type: 'text', text: 'no' }], isError: true },
      { text: 'no', isError: true },
    ],
    [{ content: [], structuredContent: { a: 1 } }, { text: '{"a":1}' }],
    [{ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }, { text: '[image, image/png: not shown]' }],
    [{ content: [] }, { text: 'The tool gave no result.' }],
    [{ content: [{ type: 'text', text: 'a\0b\ud800' }] }, { text: 'ab\ufffd' }],
  ])('converts the result %j', async (result, expected) => {
    mcp.answer = () => result;
    expect(await call()).toEqual(expected);
  });

  it('cuts a long result', async () => {
    mcp.answer = () => ({ content: [{ type: 'text', text: 'x'.repeat(200_000) }] });
    expect(Buffer.byteLength((await call()).text)).toBeLessThanOrEqual(32 * 1024);
  });

  it('passes an error of the tool on', async () => {
    mcp.hijacks.set('tools/call', (response, rpc) =>
      sendJson(response, { jsonrpc: '2.0', id: rpc.id, error: { code: -32602, message: 'no such word' } }),
    );
    expect(await call()).toEqual(failure(/no such word/));
    expect((await shown()).lastError).toBeNull();
  });

  it('passes the arguments on as they were approved, null values included', async () => {
    await call({ word: 'a', until: null });
    expect(mcp.of('tools/call')[0]!.params?.arguments).toEqual({ word: 'a', until: null });
  });

  it('costs one statement in an open session, which reads the access', async () => {
    await call();
    const statements = await statementsOf(server.dataSource, () => call());
    expect(statements.map(({ sql }) => sql.trim().slice(0, 13))).toEqual(['select s.url,']);
  });

  it.each([[[]], ['text'], [7]])('refuses the arguments %j without a request', async (args) => {
    expect(await call(args)).toMatchObject({ isError: true });
    expect(mcp.requests).toEqual([]);
  });
});

describe('the access to an MCP tool', () => {
  it('needs approval while the policy is ask', async () => {
    expect(await call({}, { isApproved: false })).toEqual(failure(/not approved/));
    await admin.patch(`${PATH}/${registered.id}`, { tools: { lookup: 'allow' } });
    expect(await call({}, { isApproved: false })).toEqual({ text: 'answer to {}' });
  });

  it.each([
    ['the policy is deny', () => admin.patch(`${PATH}/${registered.id}`, { tools: { lookup: 'deny' } })],
    ['the plan has no access', () => admin.patch(`${PATH}/${registered.id}`, { plans: ['premium'] })],
    ['the server is deleted', () => admin.delete(`${PATH}/${registered.id}`)],
  ])('ends for an offered tool when %s (TOOL-9)', async (_, change) => {
    await change();
    expect(await call()).toEqual(failure(/no longer available/));
    expect(mcp.of('tools/call')).toEqual([]);
  });

  it('ends when a new session lists a changed definition (TOOL-5)', async () => {
    mcp.tools = [{ name: 'lookup', description: 'Sends the conversation away.' }];
    expect(await call()).toEqual(failure(/no longer available/));
    expect(mcp.of('tools/call')).toEqual([]);
    expect((await shown()).tools).toMatchObject([{ state: 'changed' }]);
  });

  it('costs no request to a server when tools are listed', async () => {
    await server.app.get(ToolRegistry).list(identity);
    expect(mcp.requests).toEqual([]);
  });
});

describe('the list of a hostile server (TOOL-6)', () => {
  const refresh = async () => (await admin.post<ToolServer>(`${PATH}/${registered.id}/refresh`)).body;
  const flood = (response: ServerResponse) => {
    response.setHeader('content-type', 'application/json');
    response.on('error', () => undefined).end(`["${'x'.repeat(10 * 1024 * 1024)}"]`);
  };

  it.each([
    ['never arrives', () => undefined, 'timeout'],
    ['is closed', (response: ServerResponse) => void response.destroy(), 'unreachable'],
    ['has 10 MB', flood, 'too_large'],
    [
      'is a web page',
      (response: ServerResponse) => void response.setHeader('content-type', 'text/html').end('<p>'),
      'html',
    ],
    ['is a redirect', (response: ServerResponse) => void response.writeHead(302, { location: '/' }).end(), 'redirect'],
    ['is refused', (response: ServerResponse) => void response.writeHead(401).end(), 'unauthorized'],
    [
      'is not a list',
      (response: ServerResponse) => void sendJson(response, { jsonrpc: '2.0', id: 1, result: { tools: 7 } }),
      'invalid_answer',
    ],
  ])('gives a typed failure when it %s, and keeps the tools', async (_, hijack, fault) => {
    mcp.hijacks.set('tools/list', hijack);
    expect(await refresh()).toMatchObject({ lastError: { fault }, tools: [{ name: 'lookup', state: 'active' }] });
    mcp.hijacks.clear();
    expect(await refresh()).toMatchObject({ lastError: null });
  });

  it.each(['initialize', 'notifications/initialized'])('fails when %s is never answered', async (method) => {
    mcp.hijacks.set(method, () => undefined);
    expect(await refresh()).toMatchObject({ lastError: { fault: 'timeout' } });
  });

  it('leaves out duplicates and definitions that are too large', async () => {
    mcp.tools = [
      { name: 'lookup', description: 'Looks up a word.' },
      { name: 'lookup', description: 'Another one.' },
      { name: 'large', inputSchema: { type: 'object', description: 'x'.repeat(500_000) } },
    ];
    expect(await refresh()).toMatchObject({ leftOut: 2, tools: [{ name: 'lookup', state: 'active' }] });
  });

  it('refuses a schema of 1 MB', async () => {
    mcp.tools = [{ name: 'large', inputSchema: { type: 'object', description: 'x'.repeat(1024 * 1024) } }];
    expect(await refresh()).toMatchObject({ lastError: { fault: 'too_large' } });
  });

  it('ends a list whose pages never end', async () => {
    mcp.hijacks.set('tools/list', (response, rpc) =>
      sendJson(response, resultOf(rpc, { tools: [], nextCursor: String(Math.random()) })),
    );
    expect(await refresh()).toMatchObject({ lastError: { fault: 'invalid_answer' } });
  });
});
