import type { ToolServer } from '@tanya/contract';
import { ToolRegistry } from '../../src/tools/tool-registry.js';
import type { CallableTool, ToolContext, ToolResult } from '../../src/tools/tool.js';
import type { HttpClient } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { McpServer } from './mcp-server.js';
import { callTool, contextOf, identityOf } from './tool-harness.js';

export const PATH = '/api/admin/tool-servers';
export const identity = identityOf({ owner: 'user:1', userId: 1 });

/** One server for each test file that imports this module, and one registered MCP server for each of its tests. */
export let server: TestApp;
export let admin: HttpClient;
export let mcp: McpServer;
export let registered: ToolServer;
let tool: CallableTool;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.admin();
});

afterAll(() => server.close());

beforeEach(async () => {
  mcp = await new McpServer().start();
  registered = (await admin.post<ToolServer>(PATH, { name: 'Docs', url: mcp.url })).body;
  tool = (await server.app.get(ToolRegistry).offered(identity, ['docs_lookup']))[0] as CallableTool;
  mcp.requests.length = 0;
});

afterEach(async () => {
  await admin.delete(`${PATH}/${registered.id}`);
  mcp.close();
});

/** The registered server as admins see it. */
export const shown = async (): Promise<ToolServer> => (await admin.get<ToolServer>(`${PATH}/${registered.id}`)).body;

/** Lists the tools of the registered server again. */
export const refresh = async (): Promise<ToolServer> =>
  (await admin.post<ToolServer>(`${PATH}/${registered.id}/refresh`, {})).body;

/** The names of the tools that are offered. */
export const offered = async (): Promise<string[]> =>
  (await server.app.get(ToolRegistry).list(identity)).map(({ name }) => name);

/** Calls the tool of the registered server. */
export const call = (args: unknown = {}, context: Partial<ToolContext> = {}): Promise<ToolResult> =>
  callTool(tool, args, contextOf({ asker: identity, isApproved: true, ...context }));

export const failure = (text: RegExp) => ({ isError: true, text: expect.stringMatching(text) as string });
