import type { MessagePart, ToolPart } from '@tanya/contract';
import { type ChatHarness, type ChatHarnessOptions, startChatHarness } from '../harness/chat-harness.js';
import { registerTools, ScriptedTool } from './scripted-tools.js';

/** A server with two tools that need no approval. */
export interface ToolStepsHarness extends ChatHarness {
  /** Answers with two sources. */
  search: ScriptedTool;
  /** Answers `2`. */
  add: ScriptedTool;
  /** Removes the runs and answers of earlier tests. */
  reset(): void;
}

export async function startToolStepsHarness(options: ChatHarnessOptions): Promise<ToolStepsHarness> {
  const harness = await startChatHarness(options);
  const search = new ScriptedTool('search');
  const add = new ScriptedTool('add');
  registerTools(harness, search, add);
  const reset = (): void => {
    harness.upstream.calls.length = 0;
    for (const tool of [search, add]) Object.assign(tool, { policy: 'allow', isAvailable: true });
    search.runs.length = 0;
    search.answer = () => ({
      text: 'Found two pages.',
      sources: [
        { url: 'https://example.org/one', title: 'One', snippet: 'the first' },
        { url: 'https://example.org/two', title: 'Two' },
      ],
    });
    add.runs.length = 0;
    add.answer = () => ({ text: '2' });
  };
  return { ...harness, search, add, reset };
}

/** A message of a prompt as the provider receives it. */
interface SentMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string; function: { name: string; arguments: string }; extra_content?: object }[];
  tool_call_id?: string;
  reasoning_content?: string;
  reasoning_details?: unknown[];
}

/** The prompt of a call to the provider. */
export const messagesOf = (body: Record<string, unknown>): SentMessage[] => body['messages'] as SentMessage[];

export const isTool = (part: MessagePart): part is ToolPart => part.type === 'tool';
