import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '@tanya/contract';
import type { OpenAI } from 'openai';
import type { MemberPage } from '../harness/chat-harness.js';
import type { Script } from '../harness/scripted-answers.js';
import { ask, type Caller, type PublicApiHarness } from '../public-api/public-api-harness.js';

/** An input of a trial with its right values. */
export const inputOf = <T>(name: string): T =>
  JSON.parse(readFileSync(join(import.meta.dirname, `inputs/${name}.json`), 'utf8')) as T;

/** A stream of the given bytes. */
export const bytes = (sse: readonly string[], more: Partial<Script> = {}): Script => ({
  steps: sse.map((raw) => ({ raw })),
  ...more,
});

/** An event of a stream. */
export const sse = (choice: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...choice }], ...more })}\n\n`;

/** The end of a stream. */
export const DONE = 'data: [DONE]\n\n';
export const STOP = [sse({ delta: {}, finish_reason: 'stop' }), DONE];

/** What a person gets of an answer. */
export interface PageAnswer {
  message: Message;
  /** Messages that the answer cost. */
  charged: number;
}

/** What a program gets of a streamed answer. */
export interface ApiAnswer {
  text: string;
  finish: string | null;
  usage: OpenAI.CompletionUsage | null;
  error: object | null;
  /** The pieces of the arguments of the first call. */
  args: string;
  charged: number;
}

export async function askOnPage(
  harness: PublicApiHarness,
  member: MemberPage,
  script: Script,
  fields: object = {},
): Promise<PageAnswer> {
  const before = await harness.usedBy(member);
  harness.upstream.script(script);
  const { generationId } = await member.page.start('Hello', fields);
  const { message } = await member.page.ended(generationId);
  return { message, charged: (await harness.usedBy(member)) - before };
}

export async function askByApi(
  harness: PublicApiHarness,
  caller: Caller,
  script: Script,
  fields: object = {},
): Promise<ApiAnswer> {
  const before = await harness.usedBy(caller);
  harness.upstream.script(script);
  const request = ask('Hello', { stream: true, stream_options: { include_usage: true }, ...fields });
  const { text: raw } = await harness.post(caller.key, request);
  const answer: ApiAnswer = { text: '', finish: null, usage: null, error: null, args: '', charged: 0 };
  // An answer that failed before its first piece is no stream.
  const events = raw.startsWith('{') ? [raw] : raw.split('\n\n').map((event) => event.replace(/^data: /, ''));
  for (const data of events) {
    if (!data.startsWith('{')) continue;
    const chunk = JSON.parse(data) as OpenAI.ChatCompletionChunk & { error?: object };
    answer.error ??= chunk.error ?? null;
    answer.usage = chunk.usage ?? answer.usage;
    const [choice] = chunk.choices ?? [];
    answer.text += choice?.delta.content ?? '';
    answer.finish = choice?.finish_reason ?? answer.finish;
    answer.args += choice?.delta.tool_calls?.[0]?.function?.arguments ?? '';
  }
  return { ...answer, charged: (await harness.usedBy(caller)) - before };
}
