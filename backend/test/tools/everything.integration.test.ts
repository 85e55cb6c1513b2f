import type { ToolServer } from '@tanya/contract';
import { type EverythingServer, startEverythingServer } from '../harness/servers/everything-server.js';
import { ToolRegistry } from '../../src/tools/tool-registry.js';
import type { CallableTool, ToolResult } from '../../src/tools/tool.js';
import type { HttpClient } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { callTool, contextOf, identityOf } from './tool-harness.js';

/** The official reference server, as a process of its own. */
let everything: EverythingServer;
let server: TestApp;
let admin: HttpClient;
let registered: ToolServer;

const PATH = '/api/admin/tool-servers';
const identity = identityOf({ owner: 'user:1', userId: 1 });

beforeAll(async () => {
  everything = await startEverythingServer();
  server = await startTestApp();
  admin = await server.admin();
  registered = (await admin.post<ToolServer>(PATH, { name: 'Every', url: everything.url })).body;
});

afterAll(async () => {
  await server.close();
  await everything.stop();
});

async function call(tool: string, args: object = {}): Promise<ToolResult> {
  const [offered] = (await server.app.get(ToolRegistry).offered(identity, [`every_${tool}`])) as CallableTool[];
  return callTool(offered!, args, contextOf({ asker: identity, isApproved: true }));
}

it('lists its tools, and names the one that runs as a task alone', () => {
  const names = registered.tools.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image', 'trigger-long-running-operation']),
  );
  expect(registered).toMatchObject({
    lastError: null,
    leftOutTools: [{ name: 'simulate-research-query', reason: 'task_only' }],
  });
  // They need a client that answers for a model or a person.
  expect(names.filter((name) => /sampling|elicitation|roots/.test(name))).toEqual([]);
});

it.each<[string, object, string | RegExp]>([
  ['echo', { message: 'hällo 🙂' }, 'Echo: hällo 🙂'],
  ['get-sum', { a: 1, b: 2 }, /is 3/],
  ['get-tiny-image', {}, /^[^[]+\n\n\[image, image\/png: not shown\]\n\n[^[]+$/],
  [
    'get-annotated-message',
    { messageType: 'error', includeImage: true },
    /^Error: .*\n\n\[image, image\/png: not shown\]$/,
  ],
  ['get-structured-content', { location: 'Chicago' }, /^\{"temperature":\d+,"conditions":"[^"]+","humidity":\d+\}$/],
  ['get-resource-links', { count: 2 }, /(\n\n[^\n]+: demo:\/\/resource\/[^\n]+\n[^\n]+){2}$/],
  ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }, /Resource 1: This is a plaintext resource/],
  ['get-resource-reference', { resourceType: 'Blob', resourceId: 2 }, /Resource 2: This is a base64 blob/],
  [
    'gzip-file-as-resource',
    { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' },
    /^\[file, .*a\.gz: not shown\]$/,
  ],
  // Both send messages to the client from then on.
  ['toggle-simulated-logging', {}, /^Started/],
  ['toggle-subscriber-updates', {}, /^Started/],
  ['trigger-long-running-operation', { duration: 1, steps: 20 }, /^Long running operation completed/],
])('answers %s %j', async (tool, args, expected) => {
  const result = await call(tool, args);
  expect(result.isError).toBeUndefined();
  expect(result.text).toMatch(expected);
});

it('answers wrong arguments with the words of the server', async () => {
  expect(await call('get-sum', { a: 'one' })).toEqual({
    isError: true,
    text: expect.stringMatching(/expected number/i) as string,
  });
});

it('answers several calls at once', async () => {
  const texts = await Promise.all([1, 2, 3, 4, 5].map(async (a) => (await call('get-sum', { a, b: 0 })).text));
  expect(texts.map((text) => /is (\d)/.exec(text)?.[1])).toEqual(['1', '2', '3', '4', '5']);
});

it('goes on in a new session after a restart of the server', async () => {
  await call('echo', { message: 'before' });
  await everything.stop();
  everything = await startEverythingServer(Number(new URL(everything.url).port));
  expect((await call('echo', { message: 'up again' })).text).toBe('Echo: up again');
});
