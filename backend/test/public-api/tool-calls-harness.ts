import type { ChatCompletion, FunctionCall } from '@tanya/contract';
import type { OpenAI } from 'openai';
import type { ChatHarnessOptions } from '../harness/chat-harness.js';
import type { Step } from '../harness/scripted-answers.js';
import { ask, type Caller, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

/** A function of a program. */
export const tool = (name: string, more: object = {}) => ({ type: 'function' as const, function: { name, ...more } });

export const WEATHER = tool('get_weather', {
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
});

/** The end of an answer with calls, of 8 tokens. */
export const END: Step[] = [{ finish: 'tool_calls' }, { usage: { prompt: 3, completion: 5 } }, { done: true }];

/** Two calls whose pieces alternate. */
export const TWO_CALLS: Step[] = [
  { call: { index: 0, id: 'call_a', name: 'get_weather', args: '' } },
  { call: { index: 0, args: '{"city":' } },
  { call: { index: 1, id: 'call_b', name: 'get_weather', args: '{"city":"Bogor"}' } },
  { call: { index: 0, args: '"Jakarta"}' } },
  ...END,
];

/** The same in a whole answer. */
export const CALLS = [
  { id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Jakarta"}' } },
  { id: 'call_b', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Bogor"}' } },
];

/** A streamed answer with its calls. */
export interface Streamed {
  chunks: OpenAI.ChatCompletionChunk[];
  calls: FunctionCall[];
  finish: string | null;
}

/** The calls of a stream, joined by their index as clients do it. */
export function joined(chunks: OpenAI.ChatCompletionChunk[]): Streamed {
  const calls: FunctionCall[] = [];
  let finish: string | null = null;
  for (const { choices } of chunks) {
    finish = choices[0]?.finish_reason ?? finish;
    for (const { index, id, function: piece } of choices[0]?.delta.tool_calls ?? []) {
      if (calls[index] === undefined) {
        expect([typeof id, typeof piece?.name, piece?.arguments]).toEqual(['string', 'string', '']);
        calls[index] = { id: id!, type: 'function', function: { name: piece!.name!, arguments: '' } };
      } else expect([id, piece?.name]).toEqual([undefined, undefined]);
      calls[index].function.arguments += piece?.arguments ?? '';
    }
  }
  return { chunks, calls, finish };
}

/** The chunks of a raw event stream. */
const chunksIn = (raw: string): OpenAI.ChatCompletionChunk[] =>
  raw
    .split('\n\n')
    .map((event) => event.replace(/^data: /, ''))
    .filter((data) => data.startsWith('{'))
    .map((data) => JSON.parse(data) as OpenAI.ChatCompletionChunk);

/** A request with a tool. */
export const withTools = (more: object = {}): object => ({ ...ask('weather?'), tools: [WEATHER], ...more });

/** The choice of a completion. */
export const choiceOf = (body: unknown): ChatCompletion['choices'][number] => (body as ChatCompletion).choices[0]!;

export interface ToolCallsHarness extends PublicApiHarness {
  /** Streams the answer to a request with a tool. */
  streamed(caller: Caller, more?: object, headers?: Record<string, string>): Promise<Streamed>;
}

export async function startToolCallsHarness(options: ChatHarnessOptions): Promise<ToolCallsHarness> {
  const harness = await startPublicApiHarness(options);
  return {
    ...harness,
    streamed: async (caller, more = {}, headers = {}) => {
      const { body } = await harness.post(caller.key, withTools({ stream: true, ...more }), headers);
      expect((body as string).trimEnd().endsWith('data: [DONE]')).toBe(true);
      return joined(chunksIn(body as string));
    },
  };
}
