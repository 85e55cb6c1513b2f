import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TIMINGS, type Timings } from '../../src/config/timings.js';
import { resultOf, sendEvents, sendJson } from './mcp-server.js';
import { call, failure, mcp, offered, refresh, server } from './tool-server-harness.js';

const RESULT = { content: [{ type: 'text', text: 'fine 🙂' }] };
const FINE = { text: 'fine 🙂' };
const JSON_TYPE = 'application/json';
const STREAM = 'text/event-stream';

type Send = (response: ServerResponse, rpc: { id?: number; method: string }) => void | Promise<void>;

/** Sends a body of a type. `text` gets the JSON of the right answer. */
const sendAs =
  (type: string | null, text: (json: string) => string | Buffer): Send =>
  (response, rpc) => {
    response.writeHead(200, type === null ? {} : { 'content-type': type });
    response.end(text(JSON.stringify(resultOf(rpc, RESULT))));
  };

const send =
  (value: (id: number) => unknown): Send =>
  (response, { id }) =>
    sendJson(response, value(id!));

const inPieces =
  (size: number, text: (json: string) => string): Send =>
  async (response, rpc) => {
    response.writeHead(200, { 'content-type': STREAM });
    const bytes = Buffer.from(text(JSON.stringify(resultOf(rpc, RESULT))));
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size));
      await sleep(0);
    }
    response.end();
  };

const answer = (fields: object) => ({ jsonrpc: '2.0', ...fields });
const notification = (method: string) => `data: ${JSON.stringify(answer({ method, params: { level: 'info' } }))}\n\n`;

describe('an answer of an odd form', () => {
  it.each<[string, Send]>([
    ['its id as a text', send((id) => answer({ id: String(id), result: RESULT }))],
    ['no id', send(() => answer({ result: RESULT }))],
    ['a null id', send(() => answer({ id: null, result: RESULT }))],
    ['no version', send((id) => ({ id, result: RESULT }))],
    ['a number as version', send((id) => ({ jsonrpc: 2, id, result: RESULT }))],
    ['a null error', send((id) => answer({ id, result: RESULT, error: null }))],
    ['further fields', send((id) => answer({ id, result: RESULT, took: 5, __proto__: null }))],
    ['null metadata', send((id) => answer({ id, result: { ...RESULT, _meta: null, structuredContent: null } }))],
    [
      'odd messages beside it',
      send((id) => [null, 5, { hello: 1 }, answer({ method: 'ping', id: {} }), answer({ id, result: RESULT })]),
    ],
    ['no type', sendAs(null, (json) => json)],
    ['the type of a text', sendAs('text/plain', (json) => json)],
    ['a type of its own', sendAs('application/json-rpc', (json) => json)],
    ['a byte order mark', sendAs(JSON_TYPE, (json) => `\uFEFF${json}`)],
    [
      'a number that JSON lacks',
      sendAs(JSON_TYPE, (json) => json.replace('"jsonrpc"', '"x":[NaN,-Infinity],"jsonrpc"')),
    ],
    ['a line for each message', sendAs(JSON_TYPE, (json) => `${JSON.stringify(answer({ method: 'a' }))}\n${json}\n`)],
    ['a stream that is called JSON', sendAs(JSON_TYPE, (json) => `event: message\ndata: ${json}\n\n`)],
    ['JSON that is called a stream', sendAs(STREAM, (json) => ` \n${json}`)],
    ['no end of its event', sendAs(STREAM, (json) => `data: ${json}`)],
    ['half an end of its event', sendAs(STREAM, (json) => `data: ${json}\n`)],
    ['line ends of the old Mac', sendAs(STREAM, (json) => `event: message\rdata: ${json}\r\r`)],
    ['a mark before its stream', sendAs(STREAM, (json) => `\uFEFFdata: ${json}\n\n`)],
    ['no blank in its event', sendAs(STREAM, (json) => `data:${json}\n\n`)],
    ['an event of another name', sendAs(STREAM, (json) => `event: result\ndata: ${json}\n\n`)],
    ['a batch as its event', sendAs(STREAM, (json) => `data: [${json}]\n\n`)],
    [
      'greetings before it',
      sendAs(STREAM, (json) => `event: endpoint\ndata: /mcp\n\ndata: hello\n\ndata: {\n\ndata: ${json}\n\n`),
    ],
    [
      'another answer before it',
      sendAs(STREAM, (json) => `data: ${JSON.stringify(answer({ id: 99, result: {} }))}\n\ndata: ${json}\n\n`),
    ],
    [
      'its lines one by one',
      sendAs(STREAM, (json) => `${JSON.stringify(JSON.parse(json), null, 1).replace(/^/gm, 'data: ')}\n\n`),
    ],
    ['CRLF in single bytes', inPieces(1, (json) => `: hi\r\nevent: message\r\nid: 7\r\ndata: ${json}\r\n\r\n`)],
    ['pieces that cut characters', inPieces(3, (json) => `data: ${json}\n\n`)],
    [
      '20,000 notifications before it',
      sendAs(STREAM, (json) => `${notification('notifications/message').repeat(20_000)}data: ${json}\n\n`),
    ],
    ['3 MB of blank lines before it', sendAs(STREAM, (json) => `${'\r\n'.repeat(1_500_000)}data: ${json}\n\n`)],
    ['3 MB of blanks before it', sendAs(JSON_TYPE, (json) => `${' \n'.repeat(1_500_000)}${json}`)],
    [
      '100,000 lines that are no field before it',
      sendAs(STREAM, (json) => `${'keep alive\n'.repeat(100_000)}\ndata: ${json}\n\n`),
    ],
    [
      'changes of the list before it',
      sendAs(STREAM, (json) => `${notification('notifications/tools/list_changed').repeat(1_000)}data: ${json}\n\n`),
    ],
  ])('with %s is read', async (_, odd) => {
    mcp.hijacks.set('tools/call', odd);
    expect(await call()).toEqual(FINE);
    expect(mcp.of('tools/call')).toHaveLength(1);
  });

  it.each<[string, Send, RegExp]>([
    ['a text as error', send((id) => answer({ id, error: 'broken' })), /answered: .*broken/],
    ['a text as code', send((id) => answer({ id, error: { code: '500', message: 'broken' } })), /answered: .*broken/],
    ['no message', send((id) => answer({ id, error: { code: 5 } })), /answered: .*"code":5/],
    ['no id', send(() => answer({ id: null, error: { code: -32603, message: 'broken' } })), /answered: .*broken/],
    [
      'a null result',
      send((id) => answer({ id, result: null, error: { code: 1, message: 'broken' } })),
      /answered: .*broken/,
    ],
    [
      'a status',
      (response, { id }) =>
        sendJson(response, answer({ id, error: { code: -32602, message: 'word is missing' } }), 400),
      /answered: .*word is missing/,
    ],
    [
      'data that says what is wrong',
      send((id) => answer({ id, error: { code: -32602, message: 'Invalid params', data: [{ message: 'no word' }] } })),
      /answered: .*Invalid params .*no word/,
    ],
    [
      'words as its data',
      send((id) => answer({ id, error: { code: -32603, message: 'Internal error', data: 'database is locked' } })),
      /answered: .*Internal error database is locked/,
    ],
    ['the id of another call', send((id) => answer({ id: id + 1, result: RESULT })), /cannot be read/],
    ['an empty batch', send(() => []), /cannot be read/],
    ['an empty body', (response) => void response.writeHead(202).end(), /cannot be read/],
    ['comments alone', sendAs(STREAM, () => ': hi\n\n'.repeat(3)), /was lost/],
    ['a page that is called JSON', sendAs(JSON_TYPE, () => '<html>'), /cannot be read/],
    ['half of its JSON', sendAs(STREAM, (json) => `data: ${json.slice(0, -3)}\n\n`), /was lost/],
    [
      'a login',
      (response) => void response.writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="http://a"' }).end(),
      /refused the request/,
    ],
  ])('with %s fails with its reason, once', async (_, odd, reason) => {
    mcp.hijacks.set('tools/call', odd);
    expect(await call()).toEqual(failure(reason));
    expect(mcp.of('tools/call')).toHaveLength(1);
  });

  it('without an end is read while its connection stays open', async () => {
    mcp.hijacks.set('tools/call', (response, rpc) => {
      response.writeHead(200, { 'content-type': STREAM });
      response.write(`data: ${JSON.stringify(resultOf(rpc, RESULT))}`);
    });
    expect(await call()).toEqual(FINE);
  });

  it('leaves no connection behind when its stream stays open', async () => {
    const open = new Set<ServerResponse>();
    mcp.hijacks.set('tools/call', (response, rpc) => {
      open.add(response);
      response.once('close', () => open.delete(response));
      sendEvents(response, resultOf(rpc, RESULT));
    });
    // A session has eight connections.
    for (let count = 0; count < 20; count++) expect(await call()).toEqual(FINE);
    expect(mcp.of('initialize')).toHaveLength(1);
    for (let waited = 0; open.size > 0 && waited < 30_000; waited += 50) await sleep(50);
    expect(open.size).toBe(0);
  });

  it.each<[string, Send]>([
    [
      'one byte at a time',
      async (response, rpc) => {
        response.writeHead(200, { 'content-type': JSON_TYPE });
        for (const byte of JSON.stringify(resultOf(rpc, RESULT))) {
          if (response.destroyed) return;
          response.write(byte);
          await sleep(100);
        }
      },
    ],
    [
      'as comments for ever',
      async (response) => {
        response.writeHead(200, { 'content-type': STREAM });
        while (!response.destroyed) {
          response.write(': ping\n\n');
          await sleep(20);
        }
      },
    ],
    ['as a status without an end', (response) => void response.writeHead(202).flushHeaders()],
    ['as a refusal without an end', (response) => void response.writeHead(404).write('not')],
  ])('that comes %s ends within the time of a call', async (_, odd) => {
    expect(await call()).toEqual({ text: 'answer to {}' });
    mcp.hijacks.set('tools/call', odd);
    const timings = server.app.get<Timings>(TIMINGS);
    const { toolCall } = timings;
    timings.toolCall = 700;
    try {
      expect((await call()).isError).toBe(true);
    } finally {
      timings.toolCall = toolCall;
    }
    mcp.hijacks.clear();
    expect(await call()).toEqual({ text: 'answer to {}' });
  });
});

describe('a result with one part beyond a bound (TOOL-6)', () => {
  it.each<[string, string]>([
    ['300,000 numbers', `{"a":[${'1,'.repeat(300_000)}1]}`],
    ['5,000 levels', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
  ])('of %s keeps its text', async (_, structure) => {
    const body = (id: number) =>
      `{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":${structure},"content":[{"type":"text","text":"kept"}]}}`;
    mcp.hijacks.set(
      'tools/call',
      (response, { id }) => void response.setHeader('content-type', JSON_TYPE).end(body(id!)),
    );
    expect((await call()).text).toMatch(/^kept\n\n\{"a":/);
    mcp.hijacks.set('tools/call', (response, { id }) => {
      response.setHeader('content-type', STREAM).end(`data: ${body(id!)}\n\n`);
    });
    expect((await call()).text).toMatch(/^kept\n\n\{"a":/);
  });
});

describe('a server that begins in an odd way', () => {
  it.each([
    ['null fields', { protocolVersion: null, capabilities: null, serverInfo: null }],
    ['nothing about itself', {}],
    [
      'no announcement of its tools',
      { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } },
    ],
    ['a version to come', { protocolVersion: '2099-01-01', capabilities: { tools: {} } }],
    ['a version of its own', { protocolVersion: '1.0', capabilities: { tools: {} } }],
    [
      'a number as its version',
      { protocolVersion: '2025-06-18', capabilities: { tools: true, logging: 5 }, serverInfo: { name: 5 } },
    ],
  ])('with %s is used', async (_, result) => {
    mcp.hijacks.set('initialize', (response, rpc) => {
      response.setHeader('mcp-session-id', 'odd');
      mcp.sessions.add('odd');
      sendJson(response, resultOf(rpc, result));
    });
    expect(await refresh()).toMatchObject({ lastError: null, tools: [{ name: 'lookup', state: 'active' }] });
    expect(await call()).toEqual({ text: 'answer to {}' });
  });

  it.each([
    ['has no tools when it announces none and does not have the method', -32601, []],
    ['keeps its tools when it announces none and fails to list them', -32603, [{ name: 'lookup', state: 'active' }]],
  ])('%s', async (_, code, tools) => {
    mcp.hijacks.set('initialize', (response, rpc) =>
      sendJson(
        response,
        resultOf(rpc, { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } }),
      ),
    );
    mcp.hijacks.set('tools/list', (response, { id }) =>
      sendJson(response, answer({ id, error: { code, message: 'x' } })),
    );
    const lastError = code === -32601 ? null : { fault: 'invalid_answer' };
    expect(await refresh()).toMatchObject({ lastError, tools });
  });

  it.each([400, 404, 405, 500])('and refuses the notification of the start with %i is used', async (status) => {
    mcp.hijacks.set('notifications/initialized', (response) => void response.writeHead(status).end('no'));
    expect(await refresh()).toMatchObject({ lastError: null, tools: [{ name: 'lookup', state: 'active' }] });
  });
});

describe('a list with one hostile tool (TOOL-6)', () => {
  const good = { name: 'good', inputSchema: { type: 'object', properties: { word: { type: 'string' } } } };
  const loop: Record<string, unknown> = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $ref: '#/$defs/a',
    $defs: { a: { $ref: '#/$defs/b', allOf: [{ $ref: '#' }] }, b: { anyOf: [{ $ref: '#/$defs/a' }] } },
  };
  const many = Array.from({ length: 150_000 }, (_, index) => ({
    type: 'string',
    title: `field ${index} ${'x'.repeat(30)}`,
  }));

  it.each<[string, object, string]>([
    ['a schema of 10 MB', { inputSchema: { type: 'object', properties: { a: many } } }, 'too_large'],
    ['a description of its schema of 10 MB', { inputSchema: { description: 'x'.repeat(10_000_000) } }, 'too_large'],
    [
      '1,000 levels',
      { inputSchema: JSON.parse(`{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`) as object },
      'too_deep',
    ],
    ['tasks alone', { execution: { taskSupport: 'required' } }, 'task_only'],
    ['a long name', { name: 'x'.repeat(5_000) }, 'unusable_name'],
  ])('with %s offers the others and names it', async (_, fields, reason) => {
    mcp.list = [{ name: 'bad', inputSchema: { type: 'object' }, ...fields }, good];
    expect(await refresh()).toMatchObject({
      lastError: null,
      leftOut: 1,
      leftOutTools: [{ name: expect.any(String) as string, reason }],
      tools: [{ name: 'good' }],
    });
    expect(await offered()).toContain('docs_good');
  });

  it.each<[string, object]>([
    ['references in a loop', { inputSchema: loop }],
    [
      'keywords of draft 4',
      { inputSchema: { id: 'x', properties: { a: { type: 'integer', minimum: 0, exclusiveMinimum: true } } } },
    ],
    [
      'keywords of draft 2019',
      { inputSchema: { $recursiveRef: '#', $recursiveAnchor: true, unevaluatedProperties: false } },
    ],
    ['metadata of 10 MB', { _meta: { all: many }, annotations: { title: 5 } }],
    ['a description of 10 MB', { description: 'x'.repeat(10_000_000) }],
  ])('with %s offers all', async (_, fields) => {
    mcp.list = [{ name: 'odd', inputSchema: { type: 'object' }, ...fields }, good];
    expect(await refresh()).toMatchObject({ lastError: null, leftOut: 0, tools: [{ name: 'odd' }, { name: 'good' }] });
    expect(await offered()).toEqual(expect.arrayContaining(['docs_good', 'docs_odd']));
  });
});
