import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TIMINGS, type Timings } from '../../src/config/timings.js';
import { resultOf, sendEvents, sendJson } from './mcp-server.js';
import { call, failure, mcp, offered, refresh, server } from './tool-server-harness.js';

const text = (value: string) => ({ type: 'text', text: value });

describe('a list', () => {
  const good = { name: 'a', description: 'good', inputSchema: { type: 'object', properties: {} } };

  it('with an odd tool offers the others, and calls of them go on', async () => {
    expect(await call()).toEqual({ text: 'answer to {}' });
    mcp.list = [
      { name: 'lookup', description: 'Looks up a word.', inputSchema: { type: 'object' } },
      good,
      null,
      { name: 'b' },
    ];
    const body = await refresh();
    expect(body).toMatchObject({ leftOut: 1, leftOutTools: [{ name: null, reason: 'no_name' }] });
    expect(await offered()).toEqual(expect.arrayContaining(['docs_lookup', 'docs_a', 'docs_b']));
    expect(await call()).toEqual({ text: 'answer to {}' });
  });

  /** Answers each cursor with a page. */
  const paged = (pageOf: (cursor: unknown) => { tools: string[]; nextCursor?: unknown }) =>
    mcp.hijacks.set('tools/list', (response, rpc) => {
      const { cursor } = (rpc.params ?? {}) as { cursor?: unknown };
      const { tools, nextCursor } = pageOf(cursor);
      sendJson(response, resultOf(rpc, { tools: tools.map((name) => ({ ...good, name })), nextCursor }));
    });

  it.each<[string, (cursor: unknown) => { tools: string[]; nextCursor?: unknown }, string[], number]>([
    ['an empty cursor for ever', () => ({ tools: ['a', 'b'], nextCursor: '' }), ['a', 'b'], 2],
    ['a null cursor', () => ({ tools: ['a', 'b'], nextCursor: null }), ['a', 'b'], 1],
    [
      'an empty cursor after the second page',
      (cursor) => (cursor === 'p2' ? { tools: ['c'], nextCursor: '' } : { tools: ['a', 'b'], nextCursor: 'p2' }),
      ['a', 'b', 'c'],
      3,
    ],
    [
      'an empty cursor that has a page',
      (cursor) => (cursor === undefined ? { tools: ['a', 'b'], nextCursor: '' } : { tools: ['c'] }),
      ['a', 'b', 'c'],
      2,
    ],
    [
      'a number as cursor',
      (cursor) => (cursor === undefined ? { tools: ['a', 'b'], nextCursor: 2 } : { tools: ['c'] }),
      ['a', 'b', 'c'],
      2,
    ],
    [
      'a page without tools in its middle',
      (cursor) =>
        cursor === undefined
          ? { tools: ['a', 'b'], nextCursor: 'p2' }
          : cursor === 'p2'
            ? { tools: [], nextCursor: 'p3' }
            : { tools: ['c'] },
      ['a', 'b', 'c'],
      3,
    ],
  ])('with %s is whole', async (_, pageOf, names, requests) => {
    paged(pageOf);
    const body = await refresh();
    expect(body.leftOut).toBe(0);
    expect(body.tools.map(({ name }) => name)).toEqual(names);
    expect(mcp.of('tools/list')).toHaveLength(requests);
  });

  it('that never ends is cut, and says so', async () => {
    let page = 0;
    paged(() => ({ tools: [`tool-${page}`], nextCursor: String((page += 1)) }));
    const body = await refresh();
    expect(body.tools).toHaveLength(64);
    expect(body.leftOutTools).toEqual([{ name: null, reason: 'unread_pages' }]);
  });
});

describe('a list whose second page', () => {
  const first = [{ name: 'a', inputSchema: { type: 'object' } }];
  const second = (answer: (response: ServerResponse, id: unknown) => void) =>
    mcp.hijacks.set('tools/list', (response, rpc) => {
      const { cursor } = (rpc.params ?? {}) as { cursor?: unknown };
      if (cursor === undefined) sendJson(response, resultOf(rpc, { tools: first, nextCursor: 'p2' }));
      else answer(response, rpc.id);
    });

  it.each<[string, object]>([
    ['is an error', { error: { code: -32602, message: 'Invalid cursor' } }],
    ['has no list', { result: { tools: null } }],
    ['is empty', { result: {} }],
  ])('%s keeps its first one, and says so', async (_name, answer) => {
    second((response, id) => sendJson(response, { jsonrpc: '2.0', id, ...answer }));
    const body = await refresh();
    expect(body.tools.map(({ name }) => name)).toContain('a');
    expect(body.leftOutTools).toEqual([{ name: null, reason: 'unread_pages' }]);
    expect(body.lastError).toBeNull();
  });

  it('cannot be reached is no list: the stored one stays', async () => {
    const before = (await refresh()).tools.map(({ name }) => name);
    second((response) => response.destroy());
    const body = await refresh();
    expect(body.lastError).not.toBeNull();
    expect(body.tools.map(({ name }) => name)).toEqual(before);
  });
});

describe('a result', () => {
  const picture = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(1_500_000) };
  const file = {
    type: 'resource',
    resource: { uri: 'file:///shot.png', mimeType: 'image/png', blob: 'A'.repeat(1_500_000) },
  };

  it.each([
    ['a picture', picture, '[image, image/png: not shown]'],
    ['a file', file, '[file, file:///shot.png: not shown]'],
  ])('with %s of 1.5 MB keeps its text, as JSON and as events', async (_, block, shown_) => {
    mcp.answer = () => ({ content: [block, text('Saved as shot-9')] });
    const expected = { text: `${shown_}\n\nSaved as shot-9` };
    expect(await call()).toEqual(expected);
    mcp.hijacks.set('tools/call', (response, rpc) => {
      sendEvents(response, resultOf(rpc, mcp.answer({})));
      response.end();
    });
    expect(await call()).toEqual(expected);
    expect(mcp.of('initialize')).toHaveLength(1);
  });

  it('of 1.5 MB of text is cut with a mark', async () => {
    mcp.answer = () => ({ content: [text(`Saved as shot-9 ${'word '.repeat(300_000)}`)] });
    const result = await call();
    expect(result.text).toMatch(/^Saved as shot-9 word/);
    expect(result.text).toContain('The result was cut here.');
  });

  it('of more than 8 MB fails', async () => {
    mcp.answer = () => ({ content: [{ ...picture, data: 'A'.repeat(9_000_000) }, text('Saved')] });
    expect(await call()).toEqual(failure(/too large/));
  });

  it('has its structured content beside its text', async () => {
    mcp.answer = () => ({ content: [text('1 project')], structuredContent: { projects: [{ id: 'P-77' }] } });
    expect(await call()).toEqual({ text: '1 project\n\n{"projects":[{"id":"P-77"}]}' });
  });
});

describe('a stream that the server closes before its result', () => {
  const RETRY = 300;
  const late = (id: number) =>
    `id: s1-1\ndata: ${JSON.stringify(resultOf({ id, method: '' }, { content: [text('late result')] }))}\n\n`;
  const events = (response: ServerResponse, ...parts: string[]) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(part);
  };

  let asked: number;
  let closedAt: number;
  let resumed: { at: number; headers: Record<string, unknown> }[];

  beforeEach(() => {
    asked = -1;
    resumed = [];
    mcp.hijacks.set('tools/call', async (response, rpc) => {
      asked = rpc.id!;
      events(response, 'id: s1-0\ndata: \n\n', `retry: ${RETRY}\n\n`);
      await sleep(20);
      closedAt = performance.now();
      response.end();
    });
  });

  /** Answers the resumptions one after the other. */
  const onResume = (...answers: ((response: ServerResponse) => void)[]) =>
    mcp.hijacks.set('GET', (response, _, request) => {
      resumed.push({ at: performance.now(), headers: request.headers });
      answers[Math.min(resumed.length, answers.length) - 1]!(response);
    });

  it('is resumed after its last event, and the late result arrives', async () => {
    onResume((response) => {
      events(response, late(asked));
      response.end();
    });
    expect(await call()).toEqual({ text: 'late result' });
    expect(resumed).toHaveLength(1);
    expect(resumed[0]!.headers).toMatchObject({ 'last-event-id': 's1-0', 'mcp-session-id': expect.any(String) });
    expect(resumed[0]!.at - closedAt).toBeGreaterThanOrEqual(RETRY - 5);
    expect(mcp.of('tools/call')).toHaveLength(1);
  });

  it('is resumed again when the server closes it again', async () => {
    onResume(
      (response) => {
        events(response, 'id: s1-00\ndata: \n\n');
        response.end();
      },
      (response) => void response.writeHead(503).end(),
      (response) => events(response, late(asked)),
    );
    expect(await call()).toEqual({ text: 'late result' });
    expect(resumed.map(({ headers }) => headers['last-event-id'])).toEqual(['s1-0', 's1-00', 's1-00']);
    expect(mcp.of('tools/call')).toHaveLength(1);
  });

  it('is not resumed before a pause that is longer than a timer can be', async () => {
    mcp.hijacks.set('tools/call', (response) => {
      events(response, 'id: s1-0\nretry: 3000000000\ndata: \n\n');
      response.end();
    });
    onResume((response) => events(response, late(asked)));
    const timings = server.app.get<Timings>(TIMINGS);
    const { toolCall } = timings;
    timings.toolCall = 700;
    try {
      expect(await call()).toEqual(failure(/did not answer in time/));
    } finally {
      timings.toolCall = toolCall;
    }
    expect(resumed).toHaveLength(0);
  });

  it('is lost when no event had an id', async () => {
    mcp.hijacks.set('tools/call', (response) => {
      events(response, 'data: \n\n');
      response.end();
    });
    onResume((response) => events(response, late(asked)));
    expect(await call()).toEqual(failure(/connection to the tool server was lost/));
    expect(resumed).toHaveLength(0);
  });

  it('is waited for, however the exchange goes on in between', async () => {
    mcp.hijacks.set('POST', async (response) => {
      await sleep(100);
      response.writeHead(202).end();
    });
    mcp.hijacks.set('tools/call', (response, rpc) => {
      asked = rpc.id!;
      const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
      events(response, `id: s1-0\nretry: 1500\ndata: ${ping}\n\n`);
      response.end();
    });
    onResume((response) => events(response, late(asked)));
    expect(await call()).toEqual({ text: 'late result' });
  });

  it.each([400, 405])('is lost when the server answers %i to its resumption', async (status) => {
    onResume((response) => void response.writeHead(status).end());
    expect((await call()).isError).toBe(true);
    expect(resumed).toHaveLength(1);
  });

  it('for ever fails the call', async () => {
    mcp.hijacks.set('tools/call', (response) => {
      events(response, 'id: s1-0\nretry: 1\ndata: \n\n');
      response.end();
    });
    onResume((response) => {
      events(response, ': nothing yet\n\n');
      response.end();
    });
    expect(await call()).toEqual(failure(/connection to the tool server was lost/));
    expect(resumed.length).toBeLessThanOrEqual(101);
  });
});

describe('a server that moves each request', () => {
  /** Redirects what does not come to an address of the same origin, or of another one. */
  const moveTo = (status: number, location: (path: string) => string): void => {
    for (const method of ['initialize', 'notifications/initialized', 'tools/list', 'tools/call'])
      mcp.hijacks.set(method, (response, rpc, request) => {
        if (request.url!.endsWith('/')) {
          const session = (request.headers['mcp-session-id'] as string | undefined) ?? null;
          mcp.respond(response, rpc, 'POST', session);
        } else response.writeHead(status, { location: location(request.url!) }).end('moved');
      });
  };

  it.each([307, 308])('within its origin is followed by %i', async (status) => {
    moveTo(status, (path) => `${path}/`);
    expect(await refresh()).toMatchObject({ tools: [{ name: 'lookup' }] });
    expect(await call()).toEqual({ text: 'answer to {}' });
  });

  it.each([
    [307, 'http://localhost:1/mcp/'],
    [302, '/mcp/'],
    [308, '/mcp'],
  ])('to another origin, another method or itself is not: %i %s', async (status, location) => {
    moveTo(status, () => location);
    expect((await call()).isError).toBe(true);
    expect(mcp.of('tools/call').length + mcp.of('initialize').length).toBeLessThan(8);
  });
});
