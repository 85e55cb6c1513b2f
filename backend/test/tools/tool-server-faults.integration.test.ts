import type { ServerResponse } from 'node:http';
import { brotliCompressSync, createBrotliCompress, createDeflate, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { TIMINGS, type Timings } from '../../src/config/timings.js';
import { waitUntil } from '../harness/wait-until.js';
import { LocalServers } from './local-servers.js';
import { resultOf, sendEvents, sendJson } from './mcp-server.js';
import { call, failure, mcp, refresh, server, shown } from './tool-server-harness.js';

/** Shortens the timeout of calls during the work, which never gets a response. */
async function withShortTimeout<T>(work: () => Promise<T>): Promise<T> {
  const timings = server.app.get<Timings>(TIMINGS);
  const { toolCall } = timings;
  timings.toolCall = 300;
  try {
    return await work();
  } finally {
    timings.toolCall = toolCall;
  }
}

describe('a call of an MCP tool over a faulty connection', () => {
  it.each([
    ['status 500', (response: ServerResponse) => void response.writeHead(500).end('broken'), /status 500/],
    ['status 404 in every session', (response: ServerResponse) => void response.writeHead(404).end(), /status 404/],
    ['a closed connection', (response: ServerResponse) => void response.destroy(), /was lost/],
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
  ])('fails with a typed result after %s, without a repetition', async (name, hijack, text) => {
    mcp.hijacks.set('tools/call', hijack);
    expect(await call()).toEqual(failure(text));
    expect(mcp.of('tools/call')).toHaveLength(name.includes('every session') ? 2 : 1);
    await waitUntil('the recorded failure', async () => (await shown()).lastError !== null);
    mcp.hijacks.clear();
    expect(await call()).toEqual({ text: 'answer to {}' });
  });

  it.each([
    ['no response', () => undefined],
    ['a stream without an end', (response: ServerResponse) => void sendEvents(response)],
  ])('fails at its timeout with %s, without a repetition', async (_, hijack) => {
    mcp.hijacks.set('tools/call', hijack);
    expect(await withShortTimeout(() => call())).toEqual(failure(/did not answer in time/));
    expect(mcp.of('tools/call').length).toBeLessThanOrEqual(1);
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
  ])('stops reading a body of 30 MB %s at 8 MB (TOOL-6)', async (_, begin) => {
    let sent = 0;
    mcp.hijacks.set('tools/call', (response) => {
      begin(response);
      response.on('error', () => undefined);
      const write = () => {
        while (sent < 30 * 1024 * 1024 && !response.destroyed) {
          sent += 65_536;
          if (!response.write(`data: ${'x'.repeat(65_530)}`)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    });
    expect(await call()).toEqual(failure(/too large/));
    expect(sent).toBeLessThan(30 * 1024 * 1024);
  });

  describe.each([
    ['gzip', gzipSync, createGzip],
    ['deflate', deflateSync, createDeflate],
    ['br', brotliCompressSync, createBrotliCompress],
  ])('of a server that compresses with %s, which was not asked for', (encoding, compress, stream) => {
    const begin = (response: ServerResponse, type: string) =>
      void response.writeHead(200, { 'content-type': type, 'content-encoding': encoding });
    let bomb: Buffer;

    beforeAll(() => {
      bomb = compress(Buffer.alloc(16 * 1024 * 1024));
    });

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

    it.each(['application/json', 'text/event-stream'])('stops a bomb as %s at 8 MB (TOOL-6)', async (type) => {
      mcp.hijacks.set('tools/call', (response) => {
        begin(response, type);
        response.end(bomb);
      });
      expect(await call()).toEqual(failure(/too large/));
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

  it('ends a server that floods it with requests', async () => {
    mcp.hijacks.set('tools/call', (response) => {
      sendEvents(response, ...Array.from({ length: 500 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })));
    });
    expect(await call()).toEqual(failure(/cannot be read/));
    expect(mcp.requests.length).toBeLessThan(60);
  });
});

describe('the list of a hostile server (TOOL-6)', () => {
  const flood = (response: ServerResponse) => {
    response.setHeader('content-type', 'application/json');
    response.on('error', () => undefined).end(`["${'x'.repeat(30 * 1024 * 1024)}"]`);
  };

  it.each([
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

  it.each(['initialize', 'notifications/initialized', 'tools/list'])(
    'gives a typed failure when %s is never answered, and keeps the tools',
    async (method) => {
      mcp.hijacks.set(method, () => undefined);
      const tools = [{ name: 'lookup', state: 'active' }];
      expect(await withShortTimeout(refresh)).toMatchObject({ lastError: { fault: 'timeout' }, tools });
      mcp.hijacks.clear();
      expect(await refresh()).toMatchObject({ lastError: null });
    },
  );

  it('leaves out duplicates and definitions that are too large', async () => {
    mcp.tools = [
      { name: 'lookup', description: 'Looks up a word.' },
      { name: 'lookup', description: 'Another one.' },
      { name: 'large', inputSchema: { type: 'object', description: 'x'.repeat(500_000) } },
    ];
    expect(await refresh()).toMatchObject({ leftOut: 2, tools: [{ name: 'lookup', state: 'active' }] });
  });

  it('leaves out a schema of 1 MB', async () => {
    mcp.tools = [{ name: 'large', inputSchema: { type: 'object', description: 'x'.repeat(1024 * 1024) } }];
    expect(await refresh()).toMatchObject({ leftOutTools: [{ name: 'large', reason: 'too_large' }], lastError: null });
  });

  /** Serves the list in pages. */
  const servePages = (pageAt: (page: number) => { tools: string[]; nextCursor?: string }) =>
    mcp.hijacks.set('tools/list', (response, rpc) => {
      const { cursor = '0' } = (rpc.params ?? {}) as { cursor?: string };
      const { tools, ...rest } = pageAt(Number(cursor));
      const listed = tools.map((name) => ({ name, inputSchema: { type: 'object' } }));
      sendJson(response, resultOf(rpc, { tools: listed, ...rest }));
    });

  it('is read to its end over more than twenty pages', async () => {
    servePages((page) => ({ tools: [`tool_${page}`], ...(page < 29 && { nextCursor: String(page + 1) }) }));
    const { tools, leftOut, lastError } = await refresh();
    expect({ tools: tools.length, leftOut, lastError }).toEqual({ tools: 30, leftOut: 0, lastError: null });
  });

  it('is cut at the limits of tools and pages', async () => {
    servePages((page) => ({
      tools: Array.from({ length: 10 }, (_, index) => `tool_${page}_${index}`),
      nextCursor: String(page + 1),
    }));
    const { tools, leftOut, lastError } = await refresh();
    expect({ tools: tools.length, leftOut, lastError }).toEqual({ tools: 128, leftOut: 513, lastError: null });
    expect(mcp.of('tools/list')).toHaveLength(64);
  });

  it('is read beyond as many unusable tools as the limit', async () => {
    servePages((page) =>
      page < 13
        ? { tools: Array.from({ length: 10 }, () => ' '), nextCursor: String(page + 1) }
        : { tools: ['tool_of_the_last_page'] },
    );
    expect(await refresh()).toMatchObject({ tools: { length: 1 }, leftOut: 10, lastError: null });
  });

  it('ends where its pages repeat', async () => {
    servePages((page) => ({ tools: [`tool_${page}`], nextCursor: String((page + 1) % 3) }));
    expect(await refresh()).toMatchObject({ tools: { length: 3 }, leftOut: 0, lastError: null });
  });

  it('ends a list whose pages never end', async () => {
    mcp.hijacks.set('tools/list', (response, rpc) =>
      sendJson(response, resultOf(rpc, { tools: [], nextCursor: String(Math.random()) })),
    );
    expect(await refresh()).toMatchObject({ lastError: { fault: 'invalid_answer' } });
  });
});
