import type { ServerResponse } from 'node:http';
import type { ToolServer } from '@tanya/contract';
import { ToolRegistry } from '../../src/tools/tool-registry.js';
import type { Tool } from '../../src/tools/tool.js';
import type { HttpClient } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { McpServer, resultOf, sendEvents } from './mcp-server.js';
import { contextOf, identityOf } from './tool-harness.js';

const PATH = '/api/admin/tool-servers';
const identity = identityOf({ owner: 'user:1', userId: 1 });

let server: TestApp;
let admin: HttpClient;
let mcp: McpServer;
let registered: ToolServer;
let tool: Tool;

const call = (args: unknown = {}) => tool.run(args, contextOf({ identity, isApproved: true }));
const notFound = (response: ServerResponse) => void response.writeHead(404).end();

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.admin();
});

afterAll(() => server.close());

beforeEach(async () => {
  mcp = await new McpServer().start();
  registered = (await admin.post<ToolServer>(PATH, { name: 'Docs', url: mcp.url })).body;
  tool = (await server.app.get(ToolRegistry).offered(identity, ['docs_lookup']))[0]!;
  mcp.requests.length = 0;
});

afterEach(async () => {
  await admin.delete(`${PATH}/${registered.id}`);
  mcp.close();
});

describe('a call that the server has accepted (I11)', () => {
  it('is not repeated after a 404 for the reply to a ping of the server', async () => {
    mcp.hijacks.set('POST', notFound);
    mcp.hijacks.set('tools/call', (response) => sendEvents(response, { jsonrpc: '2.0', id: 7, method: 'ping' }));
    expect(await call()).toEqual({ isError: true, text: expect.stringMatching(/status 404/) });
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
