import type { GenerationApproved, GenerationStarted, Message, ToolPart } from '@tanya/contract';
import {
  type ChatHarness,
  type ChatHarnessOptions,
  type MemberPage,
  startChatHarness,
} from '../harness/chat-harness.js';
import type { Answer, HttpClient } from '../harness/http-client.js';
import { waitUntil } from '../harness/wait-until.js';
import { callsOf, registerTools, ScriptedTool } from './scripted-tools.js';

/** Names of the tools of the harness. */
export const TOOLS = ['ask_first', 'free'];

/** A server with a tool that needs approval, `ask_first`, and one that does not, `free`. */
export interface ApprovalsHarness extends ChatHarness {
  ask: ScriptedTool;
  /** Sends a message whose answer waits for the calls `ask_1`, `ask_2` … */
  waiting(member: Pick<MemberPage, 'page' | 'client'>, count?: number, text?: string): Promise<GenerationStarted>;
  /** Removes the runs and scripts of earlier tests. */
  reset(): void;
}

export async function startApprovalsHarness(options: ChatHarnessOptions): Promise<ApprovalsHarness> {
  const harness = await startChatHarness(options);
  const ask = new ScriptedTool('ask_first');
  const free = new ScriptedTool('free');
  registerTools(harness, ask, free);
  return {
    ...harness,
    ask,
    waiting: async ({ page, client }, count = 1, text = 'Let me see. ') => {
      const calls = Array.from({ length: count }, (_, index) => ({
        id: `ask_${index + 1}`,
        name: 'ask_first',
        args: { index },
      }));
      harness.upstream.script(callsOf(text, ...calls));
      const started = await page.start('ask me', { tools: TOOLS });
      await waitUntil('the waiting answer', async () => {
        return (await lastMessage(client, started.threadId))?.status === 'waiting';
      });
      return started;
    },
    reset: () => {
      Object.assign(ask, { policy: 'ask', isAvailable: true, answer: () => ({ text: 'approved result' }) });
      for (const tool of [ask, free]) tool.runs.length = 0;
      harness.upstream.calls.length = 0;
    },
  };
}

/** The tool parts of a message. */
export const callsIn = (message: Pick<Message, 'parts'> | undefined): ToolPart[] =>
  (message?.parts ?? []).filter((part): part is ToolPart => part.type === 'tool');

/** The last message of a thread as REST returns it. */
export const lastMessage = async (client: HttpClient, threadId: number): Promise<Message | undefined> =>
  (await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.at(-1);

/** Allows or denies a call over REST. */
export const decide = (
  client: HttpClient,
  generationId: string,
  callId: string,
  allow: unknown,
): Promise<Answer<GenerationApproved>> =>
  client.post<GenerationApproved>(`/api/chat/generations/${generationId}/approve`, { callId, allow });
