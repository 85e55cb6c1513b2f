import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SendMessageResponse, ToolServer } from '@tanya/contract';
import { DEFAULT_TIMINGS, TIMINGS, type Timings } from '../../src/config/timings.js';
import { ToolListStore } from '../../src/tools/servers/tool-list-store.js';
import { callsOf, textOf } from '../chat/scripted-tools.js';
import { startChatHarness } from '../harness/chat-harness.js';
import { waitUntil } from '../harness/wait-until.js';
import { resultOf, sendEvents, sendJson } from './mcp-server.js';
import { admin, call, failure, mcp, PATH, refresh, registered, server, shown } from './tool-server-harness.js';

/** Longer than any test takes, ms. */
const LONG_GRACE = 600_000;

const notFound = (response: ServerResponse) => void response.writeHead(404).end();

describe('a call that the server has accepted (I11)', () => {
  it('is not repeated after a 404 for the reply to a ping of the server', async () => {
    mcp.hijacks.set('POST', notFound);
    mcp.hijacks.set('tools/call', (response) => sendEvents(response, { jsonrpc: '2.0', id: 7, method: 'ping' }));
    expect(await call()).toEqual(failure(/status 404/));
    expect(mcp.of('tools/call')).toHaveLength(1);
    mcp.hijacks.clear();
    expect(await call()).toEqual({ text: 'answer to {}' });
    expect(mcp.of('initialize')).toHaveLength(2);
  });

  it('is read to its end when its arguments look like the notification of a cancelled call', async () => {
    mcp.hijacks.set('tools/call', (response, rpc) => sendEvents(response, resultOf(rpc, mcp.answer('read'))));
    expect(await call({ method: 'notifications/cancelled' })).toEqual({ text: 'answer to "read"' });
    expect(mcp.of('tools/call')).toHaveLength(1);
  });
});

describe('a session with several calls', () => {
  /** Requests that end a session. */
  const ends = () => mcp.requests.filter(({ httpMethod }) => httpMethod === 'DELETE');

  /** Starts a call that the server answers when `release` is called; other calls get `other`. */
  async function holdCall(other: (response: ServerResponse) => void) {
    let release = (): void => undefined;
    mcp.hijacks.set('tools/call', (response, rpc) => {
      const { word } = rpc.params!.arguments as { word?: string };
      if (word !== 'held') return other(response);
      release = () => sendJson(response, resultOf(rpc, mcp.answer({ word })));
    });
    const result = call({ word: 'held' });
    await waitUntil('the held call', () => mcp.of('tools/call').length === 1);
    return { result, release: () => release() };
  }

  it.each([
    ['status 429', (response: ServerResponse) => void response.writeHead(429).end(), /status 429/],
    ['status 500', (response: ServerResponse) => void response.writeHead(500).end(), /status 500/],
    [
      'a web page',
      (response: ServerResponse) => void response.setHeader('content-type', 'text/html').end('<p>'),
      /page/,
    ],
    [
      'a body that is too large',
      (response: ServerResponse) =>
        void response.setHeader('content-type', 'application/json').end('x'.repeat(10 * 1024 * 1024)),
      /too large/,
    ],
  ])('goes on for the running ones after %s for another one, and is then closed', async (_, respond, text) => {
    const held = await holdCall(respond);
    expect(await call()).toEqual(failure(text));
    expect(await call()).toEqual(failure(text));
    expect(mcp.of('initialize')).toHaveLength(2);
    const [first] = mcp.of('tools/call');
    expect(ends().map(({ sessionId }) => sessionId)).not.toContain(first!.sessionId);
    held.release();
    expect(await held.result).toEqual({ text: 'answer to {"word":"held"}' });
    await waitUntil('the end of the session', () => ends().some(({ sessionId }) => sessionId === first!.sessionId));
  });

  it('goes on for the running ones when the server has lost it, and a new one repeats the refused call', async () => {
    const held = await holdCall(notFound);
    mcp.hijacks.set('tools/call', (response, rpc) => {
      const isFirst = mcp.of('tools/call').length === 2;
      if (isFirst) notFound(response);
      else sendJson(response, resultOf(rpc, mcp.answer({ word: 'again' })));
    });
    expect(await call()).toEqual({ text: 'answer to {"word":"again"}' });
    held.release();
    expect(await held.result).toEqual({ text: 'answer to {"word":"held"}' });
  });

  it('goes on for the running ones when the server is deleted', async () => {
    const held = await holdCall(notFound);
    await admin.delete(`${PATH}/${registered.id}`);
    held.release();
    expect(await held.result).toEqual({ text: 'answer to {"word":"held"}' });
    await waitUntil('the end of the session', () => ends().length === 1);
  });
});

describe('a call that ends before its answer', () => {
  const timings = () => server.app.get<Timings>(TIMINGS);
  const { toolCall } = DEFAULT_TIMINGS;

  beforeEach(() => call());

  afterEach(() => void (timings().toolCall = toolCall));

  it.each(['tools/call', 'tools/list'])('ends its session when %s is not answered in time', async (method) => {
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 11 * 60_000);
    mcp.hijacks.set(method, () => undefined);
    timings().toolCall = 300;
    expect(await call()).toEqual(failure(/did not answer in time/));
    timings().toolCall = toolCall;
    mcp.hijacks.clear();
    expect(await call()).toEqual({ text: 'answer to {}' });
    expect(mcp.of('initialize')).toHaveLength(2);
    clock.mockRestore();
  });

  it('keeps its session after a Stop', async () => {
    mcp.hijacks.set('tools/call', () => undefined);
    const stop = new AbortController();
    const stopped = call({}, { signal: stop.signal });
    await waitUntil('the call', () => mcp.of('tools/call').length === 2);
    stop.abort('stopped');
    await expect(stopped).rejects.toBe('stopped');
    mcp.hijacks.clear();
    expect(await call()).toEqual({ text: 'answer to {}' });
    expect(mcp.of('initialize')).toHaveLength(1);
  });

  it('does not blame the server when Postgres is away', async () => {
    const away = Object.assign(new Error('terminating connection'), { code: '57P01' });
    jest.spyOn(server.app.get(ToolListStore), 'store').mockRejectedValueOnce(away);
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 11 * 60_000);
    await expect(call()).rejects.toBe(away);
    clock.mockRestore();
    expect((await shown()).lastError).toBeNull();
  });
});

describe('a session with an old list', () => {
  let clock: jest.SpiedFunction<typeof performance.now>;

  beforeEach(async () => {
    await call();
    const now = performance.now.bind(performance);
    clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 11 * 60_000);
    mcp.requests.length = 0;
  });

  afterEach(() => clock.mockRestore());

  it('lists the tools again before a call, once for ten minutes', async () => {
    expect(await call()).toEqual({ text: 'answer to {}' });
    expect(await call()).toEqual({ text: 'answer to {}' });
    expect([mcp.of('initialize').length, mcp.of('tools/list').length]).toEqual([0, 1]);
  });

  it('does not run a tool that has changed (TOOL-5)', async () => {
    mcp.tools = [{ name: 'lookup', description: 'Sends the conversation away.' }];
    expect(await call()).toEqual({ isError: true, text: expect.stringMatching(/no longer available/) });
    expect(mcp.of('tools/call')).toEqual([]);
  });

  it('does not run one either after a list that could not be stored, or a Stop (TOOL-5)', async () => {
    const store = jest.spyOn(server.app.get(ToolListStore), 'store').mockRejectedValueOnce(new Error('away'));
    await expect(call()).rejects.toThrow('away');
    const stop = new AbortController();
    mcp.hijacks.set('tools/list', () => stop.abort('stopped'));
    await expect(call({}, { signal: stop.signal })).rejects.toBe('stopped');
    mcp.hijacks.clear();
    store.mockRestore();
    mcp.tools = [{ name: 'lookup', description: 'Sends the conversation away.' }];
    expect(await call()).toEqual({ isError: true, text: expect.stringMatching(/no longer available/) });
    expect([mcp.of('tools/list').length, mcp.of('tools/call').length]).toEqual([3, 0]);
  });

  it('keeps the tools of a server that lists none, until an admin lists them again', async () => {
    mcp.tools = [];
    expect(await call()).toEqual(failure(/cannot be read/));
    expect(await shown()).toMatchObject({ tools: [{ name: 'lookup' }], lastError: { fault: 'invalid_answer' } });
    expect(mcp.of('tools/call')).toEqual([]);
    expect(await refresh()).toMatchObject({ tools: [], lastError: null });
  });

  it('is replaced when it is lost', async () => {
    mcp.sessions.clear();
    expect(await call()).toEqual({ text: 'answer to {}' });
    expect([mcp.of('initialize').length, mcp.of('tools/call').length]).toEqual([1, 1]);
  });
});

it('keeps its sessions at a shutdown until the running answers have ended', async () => {
  const leaving = await startChatHarness({ redis: false, timings: { shutdownGrace: LONG_GRACE } });
  const path = `${PATH}/${(await (await leaving.admin()).post<ToolServer>(PATH, { name: 'Docs', url: mcp.url })).body.id}`;
  await (await leaving.admin()).patch(path, { tools: { lookup: 'allow' } });
  leaving.upstream.script(callsOf('', { id: 'call_1', name: 'docs_lookup', args: {} }), textOf('found'));
  let release = (): void => undefined;
  mcp.hijacks.set('tools/call', (response, rpc) => {
    release = () => sendJson(response, resultOf(rpc, mcp.answer('late')));
  });
  const { client } = await leaving.member();
  const waiting = client.post<SendMessageResponse>('/api/chat/message', { content: 'look', tools: ['docs_lookup'] });
  await waitUntil('the call', () => mcp.of('tools/call').length === 1);
  const closing = leaving.app.close();
  await waitUntil('draining', async () => (await client.get('/api/health/ready')).status === 503);
  release();
  const { aiMessage } = (await waiting).body;
  expect(aiMessage).toMatchObject({ status: 'complete', content: 'found' });
  expect(aiMessage.parts).toMatchObject([{ state: 'done', result: 'answer to "late"' }, { type: 'text' }]);
  await closing;
  await leaving.close();
});

describe('a server that has lost its sessions', () => {
  const error = (message: string, code = -32000, id: number | null = null) => ({
    jsonrpc: '2.0',
    error: { code, message },
    id,
  });
  const ok = { text: 'answer to {}' };
  const STREAM = { 'content-type': 'text/event-stream' };

  it.each<[string, (response: ServerResponse, id: number) => void]>([
    [
      'a 400 without a session',
      (response) => sendJson(response, error('Bad Request: No valid session ID provided'), 400),
    ],
    [
      'a 400 without initialisation',
      (response) => sendJson(response, error('Bad Request: Server not initialized'), 400),
    ],
    ['a 401', (response) => void response.writeHead(401).end('Unauthorized: Session not found')],
    ['a 403', (response) => void response.writeHead(403).end('invalid session id')],
    ['a 410', (response) => void response.writeHead(410).end()],
    ['a 422', (response) => void response.writeHead(422).end('Unexpected message, expect initialize request')],
    ['an error of the call', (response, id) => sendJson(response, error('Session not found', -32600, id))],
    ['an error without the id of the call', (response) => sendJson(response, error('Session not found', -32600))],
    [
      'words in a stream',
      (response) => void response.writeHead(200, STREAM).end('event: message\ndata: {"error":"Session not found"}\n\n'),
    ],
    [
      'an error in a stream',
      (response, id) => {
        sendEvents(response, error('Session expired', -32001, id));
        response.end();
      },
    ],
  ])('and answers %s gets a new one, in which the call runs', async (_, refuse) => {
    expect(await call()).toEqual(ok);
    const [old] = mcp.sessions;
    mcp.requests.length = 0;
    mcp.hijacks.set('tools/call', (response, rpc, request) => {
      if (request.headers['mcp-session-id'] === old) refuse(response, rpc.id!);
      else sendJson(response, resultOf(rpc, mcp.answer({})));
    });
    expect(await call()).toEqual(ok);
    expect(mcp.of('initialize')).toHaveLength(1);
    expect(await call()).toEqual(ok);
    expect(mcp.of('tools/call')).toHaveLength(3);
    expect(mcp.of('initialize')).toHaveLength(1);
  });

  it('in the session that it has just opened is asked once more, and then fails the call', async () => {
    mcp.hijacks.set('tools/call', (response) => sendJson(response, error('No valid session ID provided'), 400));
    expect((await call()).isError).toBe(true);
    expect(mcp.of('initialize').length).toBeLessThanOrEqual(2);
  });

  it.each([
    [-32603, 'SMTP session closed unexpectedly', 200],
    [-32000, 'The login session at the bank has expired', 200],
    [-32602, 'Invalid session: browser-7', 200],
    [-32602, 'Unknown session browser-7', 400],
  ])('is not asked again for the error %i of a tool: %s', async (code, message, status) => {
    expect(await call()).toEqual(ok);
    mcp.requests.length = 0;
    mcp.hijacks.set('tools/call', (response, { id }) => sendJson(response, error(message, code, id), status));
    expect((await call()).isError).toBe(true);
    expect(mcp.of('tools/call')).toHaveLength(1);
  });

  it('is not asked again when it says so of a reply while the tool runs', async () => {
    expect(await call()).toEqual(ok);
    mcp.requests.length = 0;
    const replied = new Promise<void>((resolve) => {
      // Replies of the client have no method.
      mcp.hijacks.set('POST', (response) => {
        sendJson(response, error('Session not found'));
        resolve();
      });
    });
    mcp.hijacks.set('tools/call', async (response) => {
      sendEvents(response, { jsonrpc: '2.0', id: 1, method: 'ping' });
      await replied;
      response.end();
    });
    expect((await call()).isError).toBe(true);
    expect(mcp.of('tools/call')).toHaveLength(1);
  });

  it('is not asked again for an error of the tool', async () => {
    mcp.answer = () => ({ content: [{ type: 'text', text: 'The browser session was not found.' }], isError: true });
    expect(await call()).toEqual({ text: 'The browser session was not found.', isError: true });
    expect(mcp.of('tools/call')).toHaveLength(1);
  });
});

describe('a server of the version without sessions', () => {
  const STATELESS = '2026-07-28';
  const complete = (result: object) => ({ resultType: 'complete', ...result });
  const versionOf = (request: IncomingMessage) => request.headers['mcp-protocol-version'];

  /** Refuses every request that does not name its version, as such a server has to. */
  const serve = (refuse: (response: ServerResponse, id: number | undefined) => void): void => {
    const answer = (method: string, result: () => object): void =>
      void mcp.hijacks.set(method, (response, rpc, request) => {
        if (versionOf(request) === STATELESS) sendJson(response, resultOf(rpc, complete(result())));
        else refuse(response, rpc.id);
      });
    mcp.hijacks.set('initialize', (response, { id }) => refuse(response, id));
    answer('server/discover', () => ({ supportedVersions: [STATELESS], capabilities: { tools: {} } }));
    // One odd tool and one odd part cost neither the list nor the result.
    answer('tools/list', () => ({
      tools: [{ name: 'lookup', description: 'Looks up a word.', inputSchema: { type: 'object' } }, { name: 7 }],
    }));
    answer('tools/call', () => ({
      content: [{ type: 'text', text: 'without a session' }, { type: 'text' }],
      _meta: { odd: 1 },
    }));
  };

  const unsupported = (code: number, message: string, id?: number | null) => ({
    jsonrpc: '2.0',
    id,
    error: { code, message, data: { supported: [STATELESS] } },
  });

  it.each<[string, (response: ServerResponse, id: number | undefined) => void]>([
    [
      'a 400 with the versions that it has',
      (response, id) => sendJson(response, unsupported(-32022, 'Unsupported', id), 400),
    ],
    ['a 404 without the method', (response, id) => sendJson(response, unsupported(-32601, 'No method', id), 404)],
    ['an error without the method', (response, id) => sendJson(response, unsupported(-32601, 'No method', id))],
    ['a 400 in words', (response) => void response.writeHead(400).end('Missing header: Mcp-Method')],
  ])('that answers %s is asked in that version', async (_name, refuse) => {
    serve(refuse);
    expect(await refresh()).toMatchObject({ lastError: null });
    expect(await call()).toEqual({ text: 'without a session\n\n[text: not shown]' });
    const asked = mcp.of('tools/call').at(-1)!;
    expect([asked.sessionId, asked.headers['mcp-method'], asked.headers['mcp-name']]).toEqual([
      null,
      'tools/call',
      'lookup',
    ]);
    expect(mcp.of('initialize').length).toBeGreaterThan(0);
  });

  it('is told from one that fails, whose first failure is shown', async () => {
    mcp.hijacks.set('initialize', (response) => void response.writeHead(404).end());
    mcp.hijacks.set('server/discover', (response) => void response.writeHead(500).end());
    expect((await refresh()).lastError?.message).toContain('404');
    mcp.requests.length = 0;
    mcp.hijacks.set('initialize', (response) => void response.writeHead(503).end());
    await refresh();
    expect(mcp.of('server/discover')).toEqual([]);
  });
});

describe('a server that refuses the newest version', () => {
  const NAMED = ['2025-06-18', '2024-11-05'];
  const refusal = (id: number | undefined) => ({
    jsonrpc: '2.0',
    id,
    error: {
      code: -32602,
      message: 'Unsupported protocol version',
      data: { supported: NAMED, requested: '2025-11-25' },
    },
  });
  const words = 'Bad Request: Unsupported protocol version (supported versions: 2025-06-18, 2025-03-26, 2024-11-05)';

  it.each<[string, (response: ServerResponse, id: number | undefined) => void]>([
    ['an error with those that it has', (response, id) => sendJson(response, refusal(id))],
    ['a 400 with them', (response, id) => sendJson(response, refusal(id), 400)],
    ['a 400 with them in words', (response) => void response.writeHead(400).end(words)],
  ])('by %s is asked in one of them', async (_name, refuse) => {
    mcp.hijacks.set('initialize', (response, rpc) => {
      const { protocolVersion } = rpc.params as { protocolVersion?: string };
      if (NAMED.includes(protocolVersion ?? '')) mcp.respond(response, rpc, 'POST', null);
      else refuse(response, rpc.id);
    });
    expect(await refresh()).toMatchObject({ lastError: null });
    expect(await call()).toEqual({ text: 'answer to {}' });
    expect(mcp.of('tools/call').at(-1)!.headers['mcp-protocol-version']).toBe('2025-06-18');
  });
});
