import type { ServerResponse } from 'node:http';
import type { SendMessageResponse, ToolServer } from '@tanya/contract';
import { callsOf, textOf } from '../chat/scripted-tools.js';
import { startChatHarness } from '../harness/chat-harness.js';
import { waitUntil } from '../harness/wait-until.js';
import { resultOf, sendEvents, sendJson } from './mcp-server.js';
import { admin, call, failure, mcp, PATH, registered } from './tool-server-harness.js';

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
