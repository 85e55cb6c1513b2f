import { randomUUID } from 'node:crypto';
import type { Identity } from '../../src/identity/identity.js';
import { ToolRegistry } from '../../src/tools/tool-registry.js';
import type { CallableTool, ToolContext, ToolResult } from '../../src/tools/tool.js';
import type { TestApp } from '../harness/test-app.js';

export const identityOf = (fields: Partial<Identity> = {}): Identity => ({
  owner: `user:${Math.floor(Math.random() * 1e9)}`,
  userId: 1,
  isPremium: false,
  isAdmin: false,
  groupIds: [],
  quotaOverride: null,
  address: '10.0.0.1',
  ...fields,
});

export const contextOf = (fields: Partial<ToolContext> = {}): ToolContext => ({
  asker: identityOf(),
  threadId: 1,
  generationId: randomUUID(),
  callId: randomUUID(),
  signal: new AbortController().signal,
  model: { modelId: 'scripted/model', connectionId: null, provider: 'openai' },
  knownAddresses: async () => [],
  drawImage: async () => ({ url: '/api/files/image' }),
  ...fields,
});

/** Runs a tool that members may use, as the engine does. */
export async function runTool(
  { app }: TestApp,
  name: string,
  args: unknown,
  context: Partial<ToolContext> = {},
): Promise<ToolResult> {
  const [tool] = (await app.get(ToolRegistry).offered(identityOf(), [name])) as CallableTool[];
  return callTool(tool!, args, contextOf(context));
}

export async function callTool(tool: CallableTool, args: unknown, context: ToolContext): Promise<ToolResult> {
  const call = await tool.prepare(args, context);
  return call(context.signal);
}
