import { BackgroundWork } from '../../src/platform/resilience/background-work.js';
import { ToolRegistry } from '../../src/tools/tool-registry.js';
import { statementsOf } from '../harness/statements.js';
import { waitUntil } from '../harness/wait-until.js';
import { resultOf, sendEvents, sendJson } from './mcp-server.js';
import { identityOf } from './tool-harness.js';
import { admin, call, failure, identity, mcp, PATH, registered, server, shown } from './tool-server-harness.js';

describe('a call of an MCP tool', () => {
  it('uses one session for all calls of a user, and another one for another user', async () => {
    expect(await call({ word: 'a' })).toEqual({ text: 'answer to {"word":"a"}' });
    await Promise.all([call({ word: 'b' }), call({ word: 'c' })]);
    expect(mcp.of('initialize')).toHaveLength(1);
    expect(new Set(mcp.of('tools/call').map(({ sessionId }) => sessionId)).size).toBe(1);
    await call({}, { asker: identityOf({ owner: 'user:2', userId: 2 }) });
    expect(mcp.of('initialize')).toHaveLength(2);
    expect(mcp.of('tools/call').map(({ params }) => params?.name)).toEqual(Array(4).fill('lookup'));
    expect(new Set(mcp.requests.map(({ headers }) => headers['user-agent']))).toEqual(new Set(['tanya']));
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
    // Its queues and sweeps run by the clock.
    server.app.get(BackgroundWork).onModuleDestroy();
    const statements = await statementsOf(server.dataSource, () => call());
    expect(statements.map(({ sql }) => sql.trim().slice(0, 13))).toEqual(['select s.id, ']);
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
